import { setImmediate as nextTurn } from 'node:timers/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import { entryBound, isSpent, roomFor, spend, wouldSpend } from '../containers/budget.ts'
import { inMemory, type Source } from '../containers/source.ts'
import type { Zip, ZipEntry } from '../containers/zip-headers.ts'
import { type Inflated, inflateEntry } from '../containers/zip-inflate.ts'
import { exceptKnown } from '../model/collector.ts'
import { inside } from '../model/location.ts'
import type { Followed } from '../model/progress.ts'
import type { Audit, Sourced } from './context.ts'
import { auditRest, auditStream } from './windows.ts'

/** Audits an entry of a container. `false` where no more may be opened. */
export type AuditEntry = (
  audit: Audit,
  container: Sourced,
  name: string | Buffer,
  source: Source,
) => Promise<boolean>

/** Audits every entry of an archive and all bytes between them. */
export async function auditZip(audit: Audit, item: Sourced, zip: Zip, auditEntry: AuditEntry): Promise<void> {
  const { location, source } = item
  if (audit.followed !== null) growBy(audit.followed, source, zip.entries)
  for (const { kind, reason } of zip.problems) audit.collector.gap(kind, location, reason)
  for (const [start, end] of zip.rest) auditRest(audit, { location, format: 'zip' }, source, start, end)
  const misread: Misread = { data: new Set(), packed: 0, entries: 0 }
  let taken = 0
  for (const entry of zip.entries) {
    if (!(await takeEntry(audit, item, entry, { misread, auditEntry }))) return
    taken += 1
    if (taken % mostOfTurn === 0) await nextTurn()
  }
}

/** Entries after which the event loop turns. */
const mostOfTurn = 256

/** Audits one entry within the limits. `false` where no more may be opened. */
async function takeEntry(audit: Audit, item: Sourced, entry: ZipEntry, closer: Closer): Promise<boolean> {
  const { location } = item
  if (entry.disagreement !== undefined)
    audit.collector.gap('disagreement', inside(location, entry.name), entry.disagreement)
  const size = entry.size ?? 0
  if (entry.dataStart === entry.dataEnd && size === 0) return true
  if (wouldSpend(audit, entry.dataEnd - entry.dataStart, size)) spend(audit, size)
  if (isSpent(audit)) {
    audit.collector.gap('limit', location, 'more entries or bytes than the limits allow')
    return false
  }
  if (closer.misread.data.has(dataOf(entry))) return true
  return await auditZipEntry(audit, item, entry, closer)
}

function growBy(followed: Followed, { size }: Source, entries: readonly ZipEntry[]): void {
  const held = entries.filter((entry) => entry.dataEnd > entry.dataStart)
  const bytes = held.reduce((sum, entry) => sum + (entry.size ?? 0), 0)
  followed.grow(held.length - 1, bytes - size)
}

/**
 * Data that is not what an entry's header says. It is read once, however many entries share it: that they overlap is a
 * gap of the archive.
 */
interface Misread {
  readonly data: Set<string>
  /** How many compressed bytes were inflated in vain. Those of entries that share none come to the archive's size. */
  packed: number
  /** Counts them whatever they contain, since each costs a stream and a gap. */
  entries: number
}

const mostMisread = 20_000

function dataOf({ dataStart, dataEnd, method }: ZipEntry): string {
  return `${dataStart} ${dataEnd} ${method}`
}

/** State that the entries of one archive share, and the way in which the contents of one are audited. */
interface Closer {
  readonly misread: Misread
  readonly auditEntry: AuditEntry
}

async function auditZipEntry(
  audit: Audit,
  item: Sourced,
  entry: ZipEntry,
  { misread, auditEntry }: Closer,
): Promise<boolean> {
  const { source } = item
  const location = inside(item.location, entry.name)
  const compressed = entry.dataEnd - entry.dataStart
  const bound = entryBound(audit, compressed)
  const room = Math.min(bound, roomFor(audit, item.held))
  const part = source.part(entry.dataStart, entry.dataEnd)
  const isStored = !entry.isEncrypted && entry.method === 0
  if (isStored && source.whole === undefined && compressed > room)
    return await auditEntry(audit, item, entry.name, part)
  const size = entry.size ?? 0
  if (!entry.isEncrypted && entry.method === 8 && size > room && size <= bound) {
    const inner = { ...item, location, name: entry.name.toString('utf8'), source: part }
    await auditStream(audit, inner, createInflateRaw(), bound, entry.crc)
    return true
  }
  const read = readAtOnce(audit, item, entry) ?? inflateEntry(part.read(0, part.size), entry, room)
  if (read.problem !== undefined) {
    // Node keeps a stream of zlib that ended with an error, and its output, until the event loop turns.
    await nextTurn()
    misread.data.add(dataOf(entry))
    misread.entries += 1
    if (misread.entries > mostMisread) return giveUpReading(audit, item)
    audit.collector.gap(read.problem.kind, location, read.problem.reason)
  }
  if (read.bytes === null) {
    misread.packed += compressed
    if (read.problem.kind === 'limit' || misread.packed > 2 * source.size) spend(audit, read.wasted ?? 0)
  }
  if (read.bytes !== null && read.consumed !== undefined && read.consumed < part.size)
    auditRest(audit, { location, format: 'zip' }, part, read.consumed, part.size)
  const { bytes } = read
  if (bytes !== null) {
    return await auditEntry(audit, item, entry.name, inMemory(bytes))
  }
  auditRest(audit, { location, format: 'binary' }, part, 0, part.size)
  return true
}

/** The bytes of the other entries are still searched. */
function giveUpReading(audit: Audit, { location, source }: Sourced): false {
  audit.collector.gap('limit', location, `more than ${mostMisread} entries that cannot be read`)
  auditRest(exceptKnown(audit), { location, format: 'zip' }, source, 0, source.size)
  return false
}

/** Reads an entry whose data is exactly what its header says; `null` where it is not. */
function readAtOnce(audit: Audit, { source, held, depth }: Sourced, entry: ZipEntry): Inflated | null {
  const { size, crc, method, isEncrypted, dataStart, dataEnd } = entry
  if ((size ?? 0) > Math.min(entryBound(audit, dataEnd - dataStart), roomFor(audit, held))) return null
  const isStored = method === 0 && !isEncrypted && source.whole !== undefined && size === dataEnd - dataStart
  const bytes = isStored ? source.read(dataStart, dataEnd) : audit.inflater.inflate(source, entry, depth)
  return bytes === null || (isStored && crc32(bytes) !== crc) ? null : { bytes }
}
