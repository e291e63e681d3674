import {
  brotliDecompressSync,
  createBrotliDecompress,
  createGunzip,
  createZstdDecompress,
  gunzipSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib'
import { cutOff, type Expanded, type OpeningOf, overLimit, stripSuffix } from './container-format.ts'
import { append, createOutput, type Output } from './growing-output.ts'
import { type Decoder, decompress, inflateRaw } from './inflate.ts'

/** The compressions that Node reads. */

const gzipMark = Buffer.from('1f8b08', 'hex')
const zstdMark = Buffer.from('28b52ffd', 'hex')
/** Marks of frames that readers skip. Programs recognise theirs by the last digit. */
const skippableMarks = Array.from({ length: 16 }, (_, index) => Buffer.from([0x50 + index, 0x2a, 0x4d, 0x18]))

const mostFrames = 100_000
const tooManyFrames = {
  kind: 'limit',
  reason: `more than ${mostFrames} compressed parts, one after the other`,
} as const

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
      ? expandBy(gunzipSync, stripSuffix(name, /\.t?gz$/i, 'gz'), bytes, bound, {
          chunkSize: chunkForAll(bytes, bound),
        })
      : null,
  openLarge: (_, head) => (startsWith(head, gzipMark) ? createGunzip() : null),
}

const usualChunk = 64 * 1024

/**
 * Chooses one chunk for all that comes out, by the size at the end of the file. Of many chunks there is a copy beside
 * them, until both are collected as garbage.
 */
function chunkForAll(bytes: Buffer, bound: number): number {
  const stated = bytes.length < 4 ? 0 : bytes.readUInt32LE(bytes.length - 4)
  const isPlausible = stated <= Math.min(bound, 16 * bytes.length)
  return isPlausible ? Math.max(usualChunk, stated + 1) : usualChunk
}

export const zstd: OpeningOf<'contents'> = {
  opens: 'contents',
  name: 'zstd',
  begins: [zstdMark, ...skippableMarks],
  expand: (name, bytes, bound) =>
    startsWith(bytes, zstdMark) || isSkippable(bytes, 0)
      ? expandFrames(stripSuffix(name, /\.t?zst$/i, 'zst'), bytes, bound)
      : null,
  openLarge: (_, head) =>
    startsWith(head, zstdMark) || isSkippable(head, 0) ? createZstdDecompress() : null,
}

const skippableHead = 8

function isSkippable(bytes: Buffer, at: number): boolean {
  return (
    at + skippableHead <= bytes.length &&
    (bytes.readUInt32LE(at) & 0xffff_fff0) === (skippableMarks[0]?.readUInt32LE(0) ?? 0)
  )
}

/** Frame after frame; `null` where all of them are skipped. */
function expandFrames(name: string, bytes: Buffer, bound: number): Expanded | null {
  const output = createOutput(bound)
  let consumed = 0
  let frames = 0
  const soFar = () => output.bytes.subarray(0, output.size)
  while (consumed < bytes.length) {
    if (isSkippable(bytes, consumed)) {
      consumed = Math.min(bytes.length, consumed + skippableHead + bytes.readUInt32LE(consumed + 4))
      continue
    }
    if (!startsWith(bytes.subarray(consumed), zstdMark)) break
    if (frames >= mostFrames) return { name, bytes: soFar(), problem: tooManyFrames }
    const frame = expandBy(zstdDecompressSync, name, bytes.subarray(consumed), bound - output.size)
    // The only frame, which is the usual case, is not copied.
    if (frames === 0 && consumed + (frame.consumed ?? 0) === bytes.length) return frame
    frames += 1
    if (frame.problem?.kind === 'limit' || !fits(output, frame.bytes))
      return { name, bytes: null, problem: overLimit }
    if (frame.bytes !== null) append(output, frame.bytes)
    if (frame.problem !== undefined) return { ...frame, bytes: output.size === 0 ? null : soFar() }
    consumed += Math.max(1, frame.consumed ?? bytes.length)
  }
  return frames === 0 ? null : { name, bytes: soFar(), consumed }
}

function fits({ size, bound }: Output, bytes: Buffer | null): boolean {
  return size + (bytes?.length ?? 0) <= bound
}

/** Unity's web player begins with a block that decoders skip. */
const unityHead = Buffer.concat([
  Buffer.from('6b8d00', 'hex'),
  Buffer.from('UnityWeb Compressed Content (brotli)'),
])

const brotliName = /\.br(?:otli)?$/i

function isBrotli(name: string, bytes: Buffer): boolean {
  return brotliName.test(name) || startsWith(bytes, unityHead)
}

/** It has no mark of its own: only a `.br` or a `.brotli` is tried, and what says that it is. */
export const brotli: OpeningOf<'contents'> = {
  opens: 'contents',
  name: 'brotli',
  begins: [unityHead],
  suffixes: ['.br', '.brotli'],
  expand: (name, bytes, bound) =>
    isBrotli(name, bytes) && bytes.length > 0
      ? expandBy(brotliDecompressSync, stripSuffix(name, brotliName, 'br'), bytes, bound)
      : null,
  openLarge: (name, head) => (isBrotli(name, head) ? createBrotliDecompress() : null),
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

function expandBy(
  decoder: Decoder,
  name: string,
  bytes: Buffer,
  bound: number,
  chunks: { readonly chunkSize?: number } = {},
): Expanded {
  const read = decompress(decoder, bytes, bound, chunks)
  if (read === 'over') return { name, bytes: null, problem: overLimit }
  if (read !== null) return { name, bytes: read.bytes, consumed: read.used }
  const before = decompress(decoder, bytes, bound, { finishFlush: decoder === gunzipSync ? 2 : 1 })
  const part = before === null || before === 'over' ? null : before.bytes
  const first = part === null && decoder === gunzipSync ? firstMember(bytes, bound) : null
  return { name, bytes: part, problem: cutOff, ...first }
}

const trailerBytes = 8

/** Reads the first part of a gzip file that has something else behind it; `null` where that is corrupt, too. */
function firstMember(file: Buffer, bound: number): Omit<Expanded, 'name'> | null {
  const start = headerEnd(file, 0)
  const read = start === null ? null : inflateRaw(file.subarray(start), bound)
  if (start === null || read === null) return null
  if (read === 'over') return { bytes: null, problem: overLimit }
  return { bytes: read.bytes, consumed: Math.min(file.length, start + read.used + trailerBytes) }
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
