import { constants, crc32, createInflateRaw, inflateRawSync, zstdDecompressSync } from 'node:zlib'
import { overLimit } from './container-format.ts'
import { decompress, inflateRaw } from './inflate.ts'
import type { Source } from './source.ts'
import { readableMethods, type ZipEntry, type ZipProblem } from './zip-headers.ts'

export type Inflated =
  | {
      readonly bytes: Buffer
      readonly problem?: ZipProblem
      /** How many of the compressed bytes that took: what follows is something else. */
      readonly consumed?: number
    }
  | {
      readonly bytes: null
      readonly problem: ZipProblem
      /** How many bytes were inflated at most before it failed. */
      readonly wasted?: number
    }

const corrupt: ZipProblem = { kind: 'corrupt', reason: 'the compressed data is corrupt' }
/** The largest contents of an entry that says that it is smaller, or not how large it is. */
const largestOtherwise = 32 * 1024 * 1024

/**
 * The contents of an entry, at most `bound` bytes. Android installs archives whose headers lie about method and
 * encryption: what does not read as stated is tried as stored and as deflated, and the checksum decides.
 */
export function inflateEntry(data: Buffer, entry: ZipEntry, bound: number): Inflated {
  if ((entry.size ?? 0) > bound) return { bytes: null, problem: overLimit }
  const most = Math.min(bound, Math.max(entry.size ?? 0, largestOtherwise))
  const isUnusual = entry.isEncrypted || !readableMethods.includes(entry.method)
  const readings = isUnusual ? [...new Set([entry.method, 8, 0])] : [entry.method]
  let problem = corrupt
  let wasted = 0
  for (const method of readings.filter((known) => readableMethods.includes(known))) {
    const read = decompressed(data, method, entry.size, most)
    if ('problem' in read) {
      problem = read.problem
      wasted += read.wasted
      continue
    }
    if (read.isCut === true && entry.crc === null) return { bytes: read.bytes, problem }
    const checked = withChecksum(read, entry)
    // Without a checksum, anything reads as stored.
    const isProven = checked.problem === undefined && (entry.crc !== null || method !== 0)
    if (isProven || !isUnusual) return checked
  }
  if (entry.isEncrypted) problem = { kind: 'encrypted', reason: 'encrypted entry' }
  else if (isUnusual)
    problem = {
      kind: 'unsupported',
      reason: `unsupported compression method ${entry.method}: unpack the archive with 7z x, and audit the result`,
    }
  return { bytes: null, wasted, problem }
}

interface Contents {
  readonly bytes: Buffer
  readonly consumed?: number
}

function withChecksum(read: Contents, { crc, size }: ZipEntry): Contents & { problem?: ZipProblem } {
  const { bytes } = read
  if (crc !== null && crc32(bytes) !== crc)
    return { ...read, problem: { kind: 'corrupt', reason: 'the checksum does not match' } }
  if (size !== null && size !== bytes.length)
    return { ...read, problem: { kind: 'disagreement', reason: 'the header declares another size' } }
  return read
}

/** One more byte than is expected, so that the end of the data is seen without a second buffer. */
function chunkFor(data: Buffer, bound: number, size: number | null): number {
  const stated = Math.min(size ?? data.length * 4, Math.max(65_536, data.length * 40))
  // A size that is too small would make a buffer of each few bytes.
  const plausible = Math.max(stated, Math.min(data.length * 16, 65_536))
  return Math.max(64, Math.min(bound, plausible) + 1)
}

type Read = (Contents & { readonly isCut?: true }) | { readonly problem: ZipProblem; readonly wasted: number }

/** So many bytes come of one of deflate at most. */
const mostOfByte = 1032

/** The data, or what is before the place where it breaks off. */
function decompressed(data: Buffer, method: number, size: number | null, bound: number): Read {
  if (method === 0) return { bytes: data }
  const decoder = method === 93 ? zstdDecompressSync : inflateRawSync
  const read = decompress(decoder, data, bound, { chunkSize: chunkFor(data, bound, size) })
  if (read === 'over') return { problem: overLimit, wasted: bound }
  if (read !== null) return { bytes: read.bytes, consumed: read.used }
  const chunkSize = Math.max(64, Math.min(bound, data.length * 4, 1024 * 1024))
  const part = method === 8 ? inflateRaw(data, bound, { chunkSize, finishFlush: 2 }) : null
  if (part === null || part === 'over' || part.bytes.length === 0)
    return { problem: corrupt, wasted: Math.min(bound, data.length * mostOfByte) }
  return { bytes: part.bytes, isCut: true }
}

/** Inflates small entries one after the other without a new stream and new memory for each. */
export interface Inflater {
  /**
   * The contents of an entry, until the next one of the same depth is inflated. `null` where they are not exactly what
   * size and checksum say: then a closer look is needed.
   */
  inflate(archive: Source, entry: ZipEntry, depth: number): Buffer | null
}

/** The undocumented handle of zlib in Node's streams. */
interface Handle {
  reset(): void
  writeSync(
    flush: number,
    input: Buffer,
    inputAt: number,
    inputLength: number,
    output: Buffer,
    outputAt: number,
    outputLength: number,
  ): void
}

interface InflateStream {
  readonly handle: Handle
  /** Zlib closes a stream at the first error; a closed one must not be written to. */
  isOpen(): boolean
  /** Returns how much of the output's memory and of the input the last write left. */
  left(): readonly [output: number, input: number]
}

const largestInflated = 512 * 1024

export function createInflater(): Inflater {
  const memories: Buffer[] = []
  let stream = openInflateStream()
  return {
    inflate(archive, { method, isEncrypted, size, crc, dataStart, dataEnd }, depth) {
      if (stream === null || method !== 8 || isEncrypted) return null
      if (size === null || crc === null || size > largestInflated || dataEnd <= dataStart) return null
      if (!stream.isOpen()) stream = openInflateStream()
      if (stream === null) return null
      memories[depth] ??= Buffer.allocUnsafeSlow(largestInflated + 1)
      const memory = memories[depth]
      // In memory, the archive itself is the input: then there is nothing to copy.
      const packed = archive.whole ?? archive.read(dataStart, dataEnd)
      const start = archive.whole === undefined ? 0 : dataStart
      const length = Math.min(dataEnd - dataStart, packed.length - start)
      if (length <= 0) return null
      stream.handle.reset()
      stream.handle.writeSync(constants.Z_FINISH, packed, start, length, memory, 0, size + 1)
      const bytes = memory.subarray(0, size)
      const [output, input] = stream.left()
      return stream.isOpen() && output === 1 && input === 0 && crc32(bytes) === crc ? bytes : null
    },
  }
}

/** Where what is not documented was tried out; elsewhere every entry takes the usual way, which is slower. */
const known = /^v(?:22|24)\./

function openInflateStream(): InflateStream | null {
  const stream = createInflateRaw()
  stream.on('error', () => stream.destroy())
  const internal = stream as unknown as { _handle?: Partial<Handle> | null; _writeState?: Uint32Array }
  const { _handle: handle, _writeState: state } = internal
  if (!known.test(process.version) || typeof handle?.writeSync !== 'function') return null
  return {
    handle: handle as Handle,
    isOpen: () => !stream.destroyed && internal._handle === handle,
    left: () => [state?.[0] ?? 0, state?.[1] ?? 0],
  }
}
