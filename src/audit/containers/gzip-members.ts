import { constants, createGunzip, gzipSync, type ZlibReset } from 'node:zlib'
import type { Source } from './source.ts'
import type { ZipEntry } from './zip-entry.ts'

/** What the entries of one call may come to in bytes, inflated and as they stand in the archive. */
export const mostTogether = 1024 * 1024

/** Inflates many small entries at once on another thread, each as one member of a gzip file, always in the same memory. */
export interface MemberInflater {
  /**
   * What each of the entries holds, until the next call. `null` where one of them is not exactly what its header says:
   * then each has to be looked at alone.
   * @param entries deflated, of known size and checksum, at most `mostTogether` bytes of them with `memberBytes` for each
   */
  inflate(archive: Source, entries: readonly ZipEntry[]): Promise<Together | null>
}

/** What entries hold that were inflated together. */
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
/** What a member takes beside the compressed bytes, and beside what it holds. */
export const memberBytes = Math.max(header.length + trailerBytes + memberOfZeros.length, zeros.length)

export function createMemberInflater(): MemberInflater {
  const input = Buffer.allocUnsafeSlow(mostTogether)
  let stream = openStream()
  return {
    async inflate(archive, entries) {
      if (stream.destroyed) stream = openStream()
      const output = await inflated(stream, input.subarray(0, fill(input, archive, entries)))
      return output === null ? null : cut(output, entries)
    },
  }
}

type Stream = ReturnType<typeof createGunzip> & ZlibReset

/** Its memory has room for one byte more than it is given, so that it never takes new memory. */
function openStream(): Stream {
  return createGunzip({ chunkSize: mostTogether + 1, flush: constants.Z_FINISH }) as Stream
}

/** Each member with the checksum and the size that its entry's header gives. @returns bytes filled */
function fill(input: Buffer, archive: Source, entries: readonly ZipEntry[]): number {
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
function inflated(stream: Stream, input: Buffer): Promise<Buffer | null> {
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
function cut(whole: Buffer, entries: readonly ZipEntry[]): Together | null {
  let at = 0
  const parts = entries.map(({ size }) => {
    const start = at
    const end = start + (size ?? 0)
    at = end + zeros.length
    return whole.subarray(start, end)
  })
  return at === whole.length ? { parts, whole } : null
}
