import { constants } from 'node:buffer'
import {
  brotliDecompressSync,
  createBrotliDecompress,
  createGunzip,
  createZstdDecompress,
  gunzipSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib'
import { cutOff, overLimit, stripSuffix } from './compressed-file.ts'
import type { Expanded, OpeningOf } from './container-format.ts'
import { append, createOutput, type Output } from './growing-output.ts'
import { type Decoder, type Decompressed, decompress, inflateRaw } from './inflate.ts'
import type { Source } from './source.ts'

/** The compressions that Node reads. */

const gzipMark = Buffer.from('1f8b08', 'hex')
const zstdMark = Buffer.from('28b52ffd', 'hex')
/** Marks of frames that readers skip. Programs recognise theirs by the last digit. */
const skippableMarks = Array.from({ length: 16 }, (_, index) => Buffer.from([0x50 + index, 0x2a, 0x4d, 0x18]))

/** Reading one takes ten microseconds, whatever is in it. */
const mostMembers = 100_000
const tooManyMembers = {
  kind: 'limit',
  reason: `more than ${mostMembers} compressed parts, one after the other`,
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
  plain: headersOf,
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

/** The name, the comment and the extra field of each member; anything of a file that is not in memory. */
function* headersOf({ whole, size }: Source): Generator<readonly [number, number]> {
  if (whole === undefined) {
    yield [0, size]
    return
  }
  let members = 0
  for (const { start, dataStart } of membersOf(whole, constants.MAX_LENGTH)) {
    members += 1
    if (members > mostMembers) {
      yield [start, size]
      return
    }
    yield [start, dataStart]
  }
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
  plain: skippedOf,
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
    if (frames >= mostMembers) return { name, bytes: soFar(), problem: tooManyMembers }
    const frame = expandBy(zstdDecompressSync, name, bytes.subarray(consumed), bound - output.size, {
      chunkSize: chunkFor(frameEnd(bytes, consumed) - consumed),
    })
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

/**
 * Chooses a small chunk for a short frame. One of the usual size would be nearly empty, and there may be
 * thousands of them.
 */
function chunkFor(compressed: number): number {
  return Math.min(64 * 1024, Math.max(64, compressed * 4))
}

/** The frames that readers skip; anything of a file that is not in memory. */
function* skippedOf({ whole, size }: Source): Generator<readonly [number, number]> {
  if (whole === undefined) {
    yield [0, size]
    return
  }
  for (let at = 0; at + skippableHead <= whole.length; ) {
    const isSkipped = isSkippable(whole, at)
    const end = isSkipped ? at + skippableHead + whole.readUInt32LE(at + 4) : frameEnd(whole, at)
    if (isSkipped) yield [at, Math.min(end, whole.length)]
    at = end
  }
}

/** Where a frame ends by the sizes of its blocks (RFC 8878); the end of the file where it is none. */
function frameEnd(file: Buffer, start: number): number {
  if (!startsWith(file.subarray(start), zstdMark)) return file.length
  const flags = file[start + 4] ?? 0
  const isSingle = (flags & 32) !== 0
  const dictionaryId = [0, 1, 2, 4][flags & 3] ?? 0
  const contentSize = [isSingle ? 1 : 0, 2, 4, 8][flags >> 6] ?? 0
  let at = start + 5 + (isSingle ? 0 : 1) + dictionaryId + contentSize
  for (let isLast = false; !isLast; ) {
    if (at + 3 > file.length) return file.length
    const head = file.readUIntLE(at, 3)
    isLast = (head & 1) !== 0
    // A block of one byte, repeated.
    at += 3 + (((head >> 1) & 3) === 1 ? 1 : head >> 3)
  }
  return at + ((flags & 4) !== 0 ? 4 : 0)
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
  // Blocks that readers skip may be anywhere. What else could be read here is read out of it, too.
  plain: ({ size }) => [[0, size]],
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
  const maxOutputLength = Math.max(1, bound)
  const part = partOf(decoder, bytes, maxOutputLength)
  if (part !== null || decoder !== gunzipSync) return { name, bytes: part, problem: cutOff }
  return { name, bytes: null, problem: cutOff, ...readMembers(bytes, maxOutputLength) }
}

/** Reads a stream before the place where it is cut off. */
function partOf(decoder: Decoder, bytes: Buffer, maxOutputLength: number): Buffer | null {
  try {
    return decoder(bytes, { maxOutputLength, finishFlush: decoder === gunzipSync ? 2 : 1 })
  } catch {
    return null
  }
}

/** One of the parts of a gzip file, which follow each other; `data` is `null` where it cannot be read. */
interface Member {
  readonly start: number
  readonly dataStart: number
  readonly end: number
  readonly data: Buffer | 'over' | null
}

const trailerBytes = 8

/** Stops at what is none, where zlib would refuse the whole. */
function* membersOf(file: Buffer, bound: number): Generator<Member> {
  let total = 0
  for (let start = 0; start + 18 <= file.length && startsWith(file.subarray(start), gzipMark); ) {
    const dataStart = headerEnd(file, start)
    if (dataStart === null) return
    const next = file.indexOf(gzipMark, dataStart)
    const probable = (next < 0 ? file.length : next) - dataStart
    const read = inflateMember(file.subarray(dataStart), bound - total, probable)
    const [data, used] = typeof read === 'object' && read !== null ? [read.bytes, read.used] : [read, null]
    const end = used === null ? file.length : dataStart + used + trailerBytes
    yield { start, dataStart, end: Math.min(file.length, end), data }
    total += typeof data === 'object' ? (data?.length ?? 0) : 0
    start = end
  }
}

/** Reads the members before the first that is corrupt; `null` where that is the first one. */
function readMembers(file: Buffer, bound: number): Pick<Expanded, 'bytes' | 'consumed' | 'problem'> | null {
  const output = createOutput(bound)
  let consumed = 0
  let members = 0
  const soFar = () => output.bytes.subarray(0, output.size)
  for (const { data, end } of membersOf(file, bound)) {
    if (data === null) break
    if (data === 'over' || !fits(output, data)) return { bytes: null, problem: overLimit }
    append(output, data)
    consumed = end
    members += 1
    if (members >= mostMembers) return { bytes: soFar(), problem: tooManyMembers }
  }
  return members === 0 ? null : { bytes: soFar(), consumed, problem: cutOff }
}

/** @param probable its compressed size, if no mark is in its data */
function inflateMember(data: Buffer, bound: number, probable: number): Decompressed {
  const chunkSize = chunkFor(probable)
  const short = Math.min(bound, 16 * chunkSize)
  const read = inflateRaw(data, short, { chunkSize })
  // So small chunks would be too many.
  return read === 'over' && bound > short
    ? inflateRaw(data, bound, { chunkSize: chunkForAll(data, bound) })
    : read
}

/** Behind the optional fields: extra, name, comment, checksum. */
export function headerEnd(file: Buffer, at: number): number | null {
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
