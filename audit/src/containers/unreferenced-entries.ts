import { inflateRaw } from './inflate.ts'
import type { Source } from './source.ts'
import { localEntryAt, type ZipEntry } from './zip-headers.ts'

const localSignature = Buffer.from('PK\x03\x04')
const descriptorSignature = Buffer.from('PK\x07\x08')
const centralSignature = Buffer.from('PK\x01\x02')
/** As much of a file that is not in memory is searched at once. */
const pieceBytes = 16 * 1024 * 1024
const mostMeasured = 32 * 1024 * 1024

/** The cost of data that is none, in memory too: a stream that fails is only freed when the event loop turns. */
const bytesOfFailure = 64 * 1024

/** The bytes that looking for entries may still cost, for a whole archive. */
export interface Effort {
  bytes: number
}

export function effortFor(size: number): Effort {
  return { bytes: mostMeasured + 2 * size }
}

/** Local headers that no record of the directory points at, from one offset to another. */
export function* findUnreferencedEntries(
  source: Source,
  from: number,
  to: number,
  known: ReadonlySet<number>,
  effort: Effort,
): Generator<ZipEntry> {
  for (let at = nextOf(source, [localSignature], from, to); at !== -1; ) {
    const stated = known.has(at) ? null : localEntryAt(source, at, to)
    const entry = stated === null || stated.size !== null ? stated : withEnd(source, stated, to, effort)
    if (entry !== null) yield entry
    at = nextOf(source, [localSignature], entry === null ? at + 4 : Math.max(at + 4, entry.dataEnd), to)
  }
}

/** An entry whose size only follows it ends where its deflate stream does, or at the next signature. */
function withEnd(source: Source, entry: ZipEntry, to: number, effort: Effort): ZipEntry {
  const { dataStart, method } = entry
  const consumed =
    method === 8 ? consumedBy(source.read(dataStart, Math.min(to, dataStart + pieceBytes)), effort) : null
  if (consumed !== null) return { ...entry, dataEnd: dataStart + consumed }
  const end = nextOf(source, [descriptorSignature, localSignature, centralSignature], dataStart, to)
  return { ...entry, dataEnd: end === -1 ? to : end }
}

/** How many bytes a deflate stream takes up; `null` where it does not end, or where finding out costs too much. */
function consumedBy(data: Buffer, effort: Effort): number | null {
  const bound = Math.min(effort.bytes, 64 * 1024 * 1024)
  if (bound <= 0) return null
  const read = inflateRaw(data, bound)
  if (read === null || read === 'over') {
    effort.bytes -= Math.max(data.length, bytesOfFailure)
    return null
  }
  effort.bytes -= read.bytes.length + read.used
  return read.used
}

/** The next place with any of some signatures, all of which begin with `PK`; -1 without one. */
function nextOf(source: Source, signatures: readonly Buffer[], from: number, to: number): number {
  // Any of several may come first: looking for each of them alone would read on to the end.
  const wanted = (signatures.length === 1 ? signatures[0] : undefined) ?? 'PK'
  for (let start = from; start < to; start += pieceBytes) {
    const piece = source.read(start, Math.min(to, start + pieceBytes + 3))
    for (let at = piece.indexOf(wanted); at !== -1; at = piece.indexOf(wanted, at + 1)) {
      const word = piece.subarray(at, at + 4)
      if (signatures.some((signature) => signature.equals(word))) return start + at
    }
  }
  return -1
}
