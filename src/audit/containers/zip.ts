import type { ZipEntry, ZipProblem } from './zip-entry.ts'
import { localEntryAt, readCentralEntry } from './zip-entry.ts'

/** A zip archive by its central directory, and what of the bytes no entry accounts for. */
export interface Zip {
  readonly entries: readonly ZipEntry[]
  /** Directory, local headers, padding, and anything hidden between, before and after: `[start, end)`. */
  readonly rest: readonly (readonly [start: number, end: number])[]
  readonly problems: readonly ZipProblem[]
}

const endSignature = Buffer.from('PK\x05\x06')
const localSignature = Buffer.from('PK\x03\x04')

/** `null` where the bytes hold no archive. Leading and trailing data are allowed; nothing is decompressed. */
export function readZip(bytes: Buffer): Zip | null {
  const directory = findDirectory(bytes)
  if (directory === null) return bytes.indexOf(localSignature) === 0 ? recovered(bytes) : null
  const { start, end, delta, count } = directory
  const entries: ZipEntry[] = []
  const problems: ZipProblem[] = []
  let at = start
  while (at + 46 <= end && bytes.readUInt32LE(at) === 0x02014b50) {
    const { entry, next, problem } = readCentralEntry(bytes, at, delta)
    if (problem !== undefined) problems.push(problem)
    if (entry !== null) entries.push(entry)
    at = next
  }
  const walked = entries.length + problems.filter(({ isMissing }) => isMissing).length
  if (walked !== count && walked % 65_536 !== count)
    problems.push({ kind: 'disagreement', reason: `the directory says ${count} entries and holds ${walked}` })
  const { rest, overlaps } = uncovered(entries, bytes.length)
  if (overlaps > 0) problems.push({ kind: 'disagreement', reason: `${overlaps} entries overlap` })
  const hidden = rest.flatMap(([from, to]) => hiddenEntries(bytes, from, to, entries))
  return { entries: [...entries, ...hidden], rest, problems }
}

interface Directory {
  readonly start: number
  readonly end: number
  /** What has to be added to the offsets in the directory: the length of leading data. */
  readonly delta: number
  readonly count: number
}

function findDirectory(bytes: Buffer): Directory | null {
  for (
    let at = bytes.lastIndexOf(endSignature), tries = 0;
    at !== -1 && tries < 64;
    at = at === 0 ? -1 : bytes.lastIndexOf(endSignature, at - 1), tries++
  ) {
    if (at + 22 > bytes.length) continue
    const found = zip64Directory(bytes, at) ?? directoryAt(bytes, at)
    if (found !== null) return found
  }
  return null
}

function directoryAt(bytes: Buffer, at: number): Directory | null {
  return placed(
    bytes,
    at,
    bytes.readUInt32LE(at + 12),
    bytes.readUInt32LE(at + 16),
    bytes.readUInt16LE(at + 10),
  )
}

function placed(bytes: Buffer, end: number, size: number, offset: number, count: number): Directory | null {
  const isDirectory = (start: number) =>
    start >= 0 && start + 4 <= bytes.length && bytes.readUInt32LE(start) === 0x02014b50
  // An empty directory is believed only at the beginning: programs that read archives hold its signature too.
  if (count === 0 && size === 0 && end > 0) return null
  if (count === 0 && size === 0) return { start: end, end, delta: Math.max(0, end - offset), count }
  const before = end - size
  if (isDirectory(before)) return { start: before, end, delta: before - offset, count }
  return isDirectory(offset) ? { start: offset, end, delta: 0, count } : null
}

function zip64Directory(bytes: Buffer, end: number): Directory | null {
  const locator = end - 20
  if (locator < 0 || bytes.readUInt32LE(locator) !== 0x07064b50) return null
  const stated = Number(bytes.readBigUInt64LE(locator + 8))
  for (const at of [stated, bytes.lastIndexOf(Buffer.from('PK\x06\x06'), locator)]) {
    if (at < 0 || at + 56 > locator || bytes.readUInt32LE(at) !== 0x06064b50) continue
    const [count, size, offset] = [32, 40, 48].map((field) => Number(bytes.readBigUInt64LE(at + field)))
    return placed(bytes, at, size ?? 0, offset ?? 0, count ?? 0)
  }
  return null
}

/** Without a directory: what the local headers say, one after the other. */
function recovered(bytes: Buffer): Zip {
  const problems: ZipProblem[] = [{ kind: 'corrupt', reason: 'the archive has no directory: truncated' }]
  const entries = hiddenEntries(bytes, 0, bytes.length, [])
  return { entries, rest: uncovered(entries, bytes.length).rest, problems }
}

/** Local headers that no directory entry points at. */
function hiddenEntries(bytes: Buffer, from: number, to: number, known: readonly ZipEntry[]): ZipEntry[] {
  const starts = new Set(known.map(({ headerStart }) => headerStart))
  const found: ZipEntry[] = []
  for (let at = bytes.indexOf(localSignature, from); at !== -1 && at < to; ) {
    const entry = starts.has(at) ? null : localEntryAt(bytes, at, to)
    if (entry !== null) found.push(entry)
    at = bytes.indexOf(localSignature, entry === null ? at + 4 : Math.max(at + 4, entry.dataEnd))
  }
  return found
}

function uncovered(entries: readonly ZipEntry[], length: number) {
  const rest: [number, number][] = []
  let at = 0
  let overlaps = 0
  const sorted = [...entries].sort((a, b) => a.dataStart - b.dataStart)
  for (const { headerStart, dataStart, dataEnd } of sorted) {
    if (headerStart < at && dataEnd > dataStart) overlaps += 1
    if (dataStart > at) rest.push([at, dataStart])
    at = Math.max(at, dataEnd)
  }
  if (at < length) rest.push([at, length])
  return { rest, overlaps }
}
