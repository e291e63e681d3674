import {
  brotliDecompressSync,
  createBrotliDecompress,
  createGunzip,
  createZstdDecompress,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib'
import { cutOff, overLimit, stripSuffix } from './compressed-file.ts'
import type { Expanded, OpeningOf } from './container-format.ts'

/** The compressions that Node reads. */

const gzipMark = Buffer.from('1f8b08', 'hex')
const zstdMark = Buffer.from('28b52ffd', 'hex')

/** So short a file is none. */
const leastBytes = 4

function startsWith(bytes: Buffer, mark: Buffer): boolean {
  return bytes.length >= leastBytes && bytes.subarray(0, mark.length).equals(mark)
}

export const gzip: OpeningOf<'contents'> = {
  opens: 'contents',
  name: 'gzip',
  begins: [gzipMark],
  expand: (name, bytes, bound) =>
    startsWith(bytes, gzipMark)
      ? expandBy(gunzipSync, stripSuffix(name, /\.t?gz$/i, 'gz'), bytes, bound)
      : null,
  openLarge: (_, head) => (startsWith(head, gzipMark) ? createGunzip() : null),
}

export const zstd: OpeningOf<'contents'> = {
  opens: 'contents',
  name: 'zstd',
  begins: [zstdMark],
  expand: (name, bytes, bound) =>
    startsWith(bytes, zstdMark)
      ? expandBy(zstdDecompressSync, stripSuffix(name, /\.t?zst$/i, 'zst'), bytes, bound)
      : null,
  openLarge: (_, head) => (startsWith(head, zstdMark) ? createZstdDecompress() : null),
}

/** It has no mark of its own: only a `.br` is tried. */
export const brotli: OpeningOf<'contents'> = {
  opens: 'contents',
  name: 'brotli',
  suffixes: ['.br'],
  expand: (name, bytes, bound) =>
    /\.br$/i.test(name) && bytes.length > 0
      ? expandBy(brotliDecompressSync, stripSuffix(name, /\.br$/i, 'br'), bytes, bound)
      : null,
  openLarge: (name) => (/\.br$/i.test(name) ? createBrotliDecompress() : null),
}

/** Deflate in a window of 32 KB without a dictionary, by levels of compression. */
const zlibHeads = ['7801', '785e', '789c', '78da'].map((hex) => Buffer.from(hex, 'hex'))

export const zlib: OpeningOf<'contents'> = {
  opens: 'contents',
  name: 'zlib',
  begins: zlibHeads,
  expand(name, bytes, bound) {
    if (bytes.length <= 8 || !zlibHeads.some((head) => startsWith(bytes, head))) return null
    const expanded = expandBy(inflateSync, `${name}.expanded`, bytes, bound)
    return expanded.problem?.kind === 'corrupt' ? null : expanded
  },
  openLarge: () => null,
}

type Decompress = (
  bytes: Buffer,
  options: { maxOutputLength: number; finishFlush?: number; info?: true },
) => Buffer

function expandBy(decompress: Decompress, name: string, bytes: Buffer, bound: number): Expanded {
  const maxOutputLength = Math.max(1, bound)
  try {
    const { buffer, engine } = decompress(bytes, { maxOutputLength, info: true }) as unknown as Informed
    return { name, bytes: buffer, consumed: engine.bytesWritten }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      return { name, bytes: null, problem: overLimit }
    const members = decompress === gunzipSync ? readMembers(bytes, maxOutputLength) : null
    const part = members ?? { bytes: partOf(decompress, bytes, maxOutputLength) }
    return { name, ...part, problem: cutOff }
  }
}

/** With `info`, zlib gives more than its types say. */
interface Informed {
  readonly buffer: Buffer
  readonly engine: { readonly bytesWritten: number }
}

/** What can be read before the place where a stream is cut off. */
function partOf(decompress: Decompress, bytes: Buffer, maxOutputLength: number): Buffer | null {
  try {
    return decompress(bytes, { maxOutputLength, finishFlush: decompress === gunzipSync ? 2 : 1 })
  } catch {
    return null
  }
}

/** A gzip file's contents as far as they can be read, and how many of its bytes they take up. */
interface Members {
  readonly bytes: Buffer
  readonly consumed: number
}

const trailerBytes = 8

/**
 * Reads member after member of a gzip file and stops at what is none, where zlib would refuse the whole. `null` where not
 * even the first can be read. @throws what zlib throws where the contents are over the bound
 */
function readMembers(file: Buffer, bound: number): Members | null {
  const parts: Buffer[] = []
  let consumed = 0
  let total = 0
  while (consumed + 18 <= file.length && startsWith(file.subarray(consumed), gzipMark)) {
    const start = headerEnd(file, consumed)
    const read = start === null ? null : inflateMember(file.subarray(start), bound - total)
    if (read === null || start === null) break
    parts.push(read.buffer)
    total += read.buffer.length
    consumed = Math.min(file.length, start + read.engine.bytesWritten + trailerBytes)
  }
  return parts.length === 0 ? null : { bytes: Buffer.concat(parts), consumed }
}

function inflateMember(data: Buffer, bound: number): Informed | null {
  try {
    return inflateRawSync(data, { info: true, maxOutputLength: Math.max(1, bound) }) as unknown as Informed
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw error
    return null
  }
}

/** Behind the optional fields: extra, name, comment, checksum. */
function headerEnd(file: Buffer, at: number): number | null {
  const flags = file[at + 3] ?? 0
  let end = at + 10
  if ((flags & 4) !== 0) end += end + 2 <= file.length ? 2 + file.readUInt16LE(end) : 2
  for (const flag of [8, 16]) {
    if ((flags & flag) === 0) continue
    const zero = file.indexOf(0, end)
    if (zero === -1) return null
    end = zero + 1
  }
  if ((flags & 2) !== 0) end += 2
  return end < file.length ? end : null
}
