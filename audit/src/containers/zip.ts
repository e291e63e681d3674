import type { OpeningOf } from './container-format.ts'
import { type Source, viewOf } from './source.ts'
import { effortFor, findUnreferencedEntries } from './unreferenced-entries.ts'
import {
  type Directory,
  findDirectory,
  readCentralEntry,
  saysNothingNew,
  type Zip,
  type ZipEntry,
  type ZipProblem,
} from './zip-headers.ts'

const directoryEnd = Buffer.from('PK\x05\x06')

export const zip: OpeningOf<'entries'> = {
  opens: 'entries',
  name: 'zip',
  begins: [Buffer.from('PK')],
  // Other data may be before it.
  mayBe: (bytes) => bytes.includes(directoryEnd),
  read: readZip,
  isHead: (head) => head.toString('latin1', 0, 4) === 'PK\x03\x04',
}

const localSignature = 0x04034b50
const mostEntries = 400_000
/** Programs that hide something in an archive give no more entries a second header; the rest is searched as raw bytes. */
const mostDiffering = 20_000
/** Bounds entries without a record in the directory: each is found and tried by itself. */
const mostUnreferenced = 100_000
const tooManyUnreferenced: ZipProblem = {
  kind: 'limit',
  reason: `more than ${mostUnreferenced} entries that the directory does not have`,
}
const largestDirectory = 64 * 1024 * 1024

/** `null` where the bytes hold no archive. Leading and trailing data are allowed; nothing is decompressed. */
function readZip(source: Source): Zip | null {
  const directory = findDirectory(source)
  if (directory === null) return startsLikeZip(source) ? recovered(source) : null
  const { entries, problems } = listed(source, directory)
  const { rest, loose, overlaps } = uncovered(entries, source.size, saysNothingNew)
  if (overlaps > 0) problems.push({ kind: 'disagreement', reason: `${overlaps} entries overlap` })
  const others = unreferencedIn(source, loose, entries)
  if (others.length >= mostUnreferenced) problems.push(tooManyUnreferenced)
  return { entries: [...entries, ...others], rest, problems }
}

function startsLikeZip(source: Source): boolean {
  const head = source.read(0, 4)
  return head.length === 4 && head.readUInt32LE(0) === localSignature
}

function listed(source: Source, { start, end, delta, count }: Directory) {
  const entries: ZipEntry[] = []
  const problems: ZipProblem[] = []
  const directory = source.read(start, Math.min(end, start + largestDirectory))
  const view = viewOf(directory)
  let walked = 0
  let differing = 0
  let at = 0
  const isNext = () => at + 46 <= directory.length && view.getUint32(at, true) === 0x02014b50
  while (isNext() && walked < mostEntries && differing < mostDiffering) {
    const read = readCentralEntry(source, { directory, view }, at, delta)
    if (read.problem !== undefined) problems.push(read.problem)
    if (read.entries[0]?.disagreement !== undefined) differing += 1
    for (const entry of read.entries) entries.push(entry)
    walked += 1
    at = read.next
  }
  if (walked === mostEntries)
    problems.push({ kind: 'limit', reason: `more than ${mostEntries} entries in one archive` })
  else if (differing === mostDiffering)
    problems.push({ kind: 'limit', reason: `${mostDiffering} entries whose two headers differ, and more` })
  else if (walked !== count && walked % 65_536 !== count)
    problems.push({
      kind: 'disagreement',
      reason: `the directory declares ${count} entries but contains ${walked}`,
    })
  return { entries, problems }
}

/** Without a directory: what the local headers say, one after the other. */
function recovered(source: Source): Zip {
  const problems: ZipProblem[] = [{ kind: 'corrupt', reason: 'the archive has no directory: truncated' }]
  const entries = unreferencedIn(source, [[0, source.size]], [])
  if (entries.length >= mostUnreferenced) problems.push(tooManyUnreferenced)
  return { entries, rest: uncovered(entries, source.size, () => false).rest, problems }
}

function unreferencedIn(source: Source, rest: Zip['rest'], entries: readonly ZipEntry[]): ZipEntry[] {
  const known = new Set(entries.map(({ headerStart }) => headerStart))
  const effort = effortFor(source.size)
  const found: ZipEntry[] = []
  for (const [from, to] of rest)
    for (const entry of findUnreferencedEntries(source, from, to, known, effort)) {
      found.push(entry)
      if (found.length === mostUnreferenced) return found
    }
  return found
}

/** An extra field of so many bytes may hide a whole entry. */
const longHeader = 512

function uncovered(entries: readonly ZipEntry[], length: number, isRead: (entry: ZipEntry) => boolean) {
  const rest: [number, number][] = []
  // Without the entries' own headers.
  const loose: [number, number][] = []
  let at = 0
  let overlaps = 0
  const sorted = [...entries].sort((a, b) => a.dataStart - b.dataStart)
  for (const entry of sorted) {
    const { headerStart, dataStart, dataEnd, disagreement } = entry
    if (headerStart < at && dataEnd > dataStart && disagreement === undefined) overlaps += 1
    if (headerStart > at || (dataStart > at && !isRead(entry))) rest.push([at, dataStart])
    if (headerStart > at) loose.push([at, headerStart])
    if (dataStart - headerStart > longHeader) loose.push([headerStart + 4, dataStart])
    at = Math.max(at, dataEnd)
  }
  if (at < length) {
    rest.push([at, length])
    loose.push([at, length])
  }
  return { rest, loose, overlaps }
}
