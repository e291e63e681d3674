import {
  constants,
  crc32,
  createGunzip,
  createInflateRaw,
  gzipSync,
  inflateRaw,
  inflateRawSync,
  type ZlibReset,
  zstdDecompressSync,
} from 'node:zlib'
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
      problem: { kind: 'unsupported', reason: `unsupported compression method ${entry.method}` },
    }
  return { bytes: null, wasted, problem }
}

/** The same on another thread, for an entry that is deflated and large; `null` where it has to be looked at closer. */
export function inflateAside(data: Buffer, entry: ZipEntry, size: number): Promise<Inflated | null> {
  return new Promise((resolve) => {
    inflateRaw(data, { ...options(data, size, size), info: true }, (error, result) => {
      const checked = error === null ? withChecksum(readFrom(result), entry) : null
      resolve(checked?.problem === undefined ? checked : null)
    })
  })
}

export function canInflateAside({ method, isEncrypted, size, crc }: ZipEntry): boolean {
  return method === 8 && !isEncrypted && size !== null && crc !== null
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
    return readFrom(inflate(data, { ...options(data, bound, size), info: true }))
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
    const bytes = inflateRawSync(data, {
      maxOutputLength: Math.max(1, bound),
      chunkSize: Math.max(64, Math.min(bound, data.length * 4, 1024 * 1024)),
      finishFlush: 2,
    })
    return bytes.length === 0 ? corrupt : { bytes, isCut: true }
  } catch {
    return corrupt
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

/** The most bytes that the entries of one call may come to, inflated and as they are in the archive. */
export const mostTogether = 1024 * 1024

/** Inflates many small entries at once on another thread, each as one member of a gzip file, always in the same memory. */
export interface MemberInflater {
  /**
   * Returns the contents of each entry, valid until the next call. `null` where one of them is not exactly
   * what its header says: then each has to be looked at alone.
   * @param entries deflated, of known size and checksum, at most `mostTogether` bytes of them with `memberBytes` for each
   */
  inflate(archive: Source, entries: readonly ZipEntry[]): Promise<Together | null>
}

/** The contents of entries that were inflated together. */
export interface Together {
  readonly parts: readonly Buffer[]
  /** All parts, with zeros behind each, so that one search of it finds what a search of each would find. */
  readonly whole: Buffer
}

/**
 * A header with an extra field that no archive can foresee. An entry whose compressed bytes go on behind their end takes
 * what follows for its own; since this is part of it, it cannot come to a checksum that the archive states.
 */
const unforeseen = 32
const header = Buffer.concat([
  Buffer.from('1f8b08040000000000ff', 'hex'),
  Buffer.from([unforeseen, 0]),
  Buffer.from(Array.from({ length: unforeseen }, () => Math.floor(Math.random() * 256))),
])
const trailerBytes = 8
/** As many as no search looks beyond. */
const zeros = Buffer.alloc(32)
const memberOfZeros = gzipSync(zeros)
/** The bytes that a member adds to the compressed bytes, or to its contents. */
export const memberBytes = Math.max(header.length + trailerBytes + memberOfZeros.length, zeros.length)

export function createMemberInflater(): MemberInflater {
  const input = Buffer.allocUnsafeSlow(mostTogether)
  let stream = openGzipStream()
  return {
    async inflate(archive, entries) {
      if (stream.destroyed) stream = openGzipStream()
      const output = await inflateMembers(stream, input.subarray(0, fillWithMembers(input, archive, entries)))
      return output === null ? null : cutApart(output, entries)
    },
  }
}

type GzipStream = ReturnType<typeof createGunzip> & ZlibReset

/** Its memory has room for one byte more than it is given, so that it never takes new memory. */
function openGzipStream(): GzipStream {
  return createGunzip({ chunkSize: mostTogether + 1, flush: constants.Z_FINISH }) as GzipStream
}

/** Each member with the checksum and the size that its entry's header gives. @returns bytes filled */
function fillWithMembers(input: Buffer, archive: Source, entries: readonly ZipEntry[]): number {
  let at = 0
  for (const { dataStart, dataEnd, crc, size } of entries) {
    at += header.copy(input, at)
    // In memory, nothing is cut out of the archive first.
    const { whole } = archive
    at +=
      whole === undefined
        ? archive.read(dataStart, dataEnd).copy(input, at)
        : whole.copy(input, at, dataStart, dataEnd)
    at = input.writeUInt32LE(size ?? 0, input.writeUInt32LE(crc ?? 0, at))
    at += memberOfZeros.copy(input, at)
  }
  return at
}

/**
 * Without the queues of a stream, that take as long as the inflating: what it pushes is collected, and it starts anew in
 * the same memory. Where another version of Node keeps its place under another name, it takes new memory instead.
 */
function inflateMembers(stream: GzipStream, input: Buffer): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    stream.once('error', () => resolve(null))
    stream.push = (piece: Buffer | null) => {
      if (piece !== null) pieces.push(piece)
      return true
    }
    stream.reset()
    Object.assign(stream, { _outOffset: 0 })
    stream._transform(input, 'binary', () => {
      stream.removeAllListeners('error')
      const [first = Buffer.alloc(0), ...others] = pieces
      resolve(others.length === 0 ? first : Buffer.concat(pieces))
    })
  })
}

/** The checksum of each was compared where it was inflated, and its size. */
function cutApart(whole: Buffer, entries: readonly ZipEntry[]): Together | null {
  let at = 0
  const parts = entries.map(({ size }) => {
    const start = at
    const end = start + (size ?? 0)
    at = end + zeros.length
    return whole.subarray(start, end)
  })
  return at === whole.length ? { parts, whole } : null
}
