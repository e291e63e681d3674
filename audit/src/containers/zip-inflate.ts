import { constants, crc32, createInflateRaw, inflateRawSync, zstdDecompressSync } from 'node:zlib'
import type { Source } from './source.ts'
import type { ZipEntry, ZipProblem } from './zip-headers.ts'

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

const readable = [0, 8, 93]
/** The largest contents of an entry that says that it is smaller, or not how large it is. */
const largestOtherwise = 32 * 1024 * 1024
const overLimit: Inflated = { bytes: null, problem: { kind: 'limit', reason: 'over the size limit' } }

/**
 * The contents of an entry, at most `bound` bytes. Android installs archives whose headers lie about method and
 * encryption: what does not read as stated is tried as stored and as deflated, and the checksum decides.
 */
export function inflateEntry(data: Buffer, entry: ZipEntry, bound: number): Inflated {
  if ((entry.size ?? 0) > bound) return overLimit
  const most = Math.min(bound, Math.max(entry.size ?? 0, largestOtherwise))
  const isUnusual = entry.isEncrypted || !readable.includes(entry.method)
  const readings = isUnusual ? [...new Set([entry.method, 8, 0])] : [entry.method]
  let problem: ZipProblem = { kind: 'corrupt', reason: 'the compressed data is corrupt' }
  let wasted = 0
  for (const method of readings.filter((known) => readable.includes(known))) {
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
  if (entry.isEncrypted)
    return { bytes: null, wasted, problem: { kind: 'encrypted', reason: 'encrypted entry' } }
  if (isUnusual)
    return {
      bytes: null,
      wasted,
      problem: {
        kind: 'unsupported',
        reason: `unsupported compression method ${entry.method}: unpack the archive with 7z x, and audit the result`,
      },
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

/** With `info`, zlib gives more than its types say. */
function readFrom(result: unknown): Contents {
  const { buffer, engine } = result as { buffer: Buffer; engine: { bytesWritten: number } }
  return { bytes: buffer, consumed: engine.bytesWritten }
}

/** One more byte than is expected, so that the end of the data is seen without a second buffer. */
function options(data: Buffer, bound: number, size: number | null) {
  const stated = Math.min(size ?? data.length * 4, Math.max(65_536, data.length * 40))
  // A size that is too small would make a buffer of each few bytes.
  const plausible = Math.max(stated, Math.min(data.length * 16, 65_536))
  return { maxOutputLength: Math.max(1, bound), chunkSize: Math.max(64, Math.min(bound, plausible) + 1) }
}

type Read = (Contents & { readonly isCut?: true }) | { readonly problem: ZipProblem; readonly wasted: number }

function decompressed(data: Buffer, method: number, size: number | null, bound: number): Read {
  if (method === 0) return { bytes: data }
  try {
    const inflate = method === 93 ? zstdDecompressSync : inflateRawSync
    const settings = { ...options(data, bound, size), info: true }
    return readFrom(withoutStack(() => inflate(data, settings)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      return { problem: { kind: 'limit', reason: 'over the size limit' }, wasted: bound }
    return partial(data, method, bound)
  }
}

/** So many bytes come of one of deflate at most. */
const mostOfByte = 1032

/** Reads the data before the place where it breaks off. */
function partial(data: Buffer, method: number, bound: number): Read {
  const corrupt = {
    problem: { kind: 'corrupt', reason: 'the compressed data is corrupt' },
    wasted: Math.min(bound, data.length * mostOfByte),
  } as const
  if (method !== 8) return corrupt
  try {
    const settings = {
      maxOutputLength: Math.max(1, bound),
      chunkSize: Math.max(64, Math.min(bound, data.length * 4, 1024 * 1024)),
      finishFlush: 2,
    }
    const bytes = withoutStack(() => inflateRawSync(data, settings))
    return bytes.length === 0 ? corrupt : { bytes, isCut: true }
  } catch {
    return corrupt
  }
}

/** Spares Node the stack of an error that is not used: it takes longer than the inflation. */
function withoutStack<T>(run: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return run()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
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
