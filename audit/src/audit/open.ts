import { setImmediate as nextTurn } from 'node:timers/promises'
import { allow, countRead, entryBound, isOpened, roomFor } from '../containers/budget.ts'
import { overlapping, roomForFiles, streamedName } from '../containers/container-format.ts'
import type { Containers } from '../containers/registry.ts'
import { inMemory } from '../containers/source.ts'
import type { Zip } from '../containers/zip-headers.ts'
import { exceptKnown } from '../model/collector.ts'
import { inside, lastPart, printable } from '../model/location.ts'
import { findHits, type Hits } from '../search/scan.ts'
import type { Audit, Item, Sourced } from './context.ts'
import { orGap } from './or-gap.ts'
import { auditFile } from './read-file.ts'
import type { FileInMemory } from './walk-files.ts'
import { auditRest, auditStream, auditWindows, isClean, isForWindows } from './windows.ts'
import { type AuditEntry, auditZip } from './zip-entries.ts'

/** Audits one file or entry that is in memory: what it contains, where it is a container, and its own bytes otherwise. */
export function auditBytes(audit: Audit, { bytes, ...item }: Item): Promise<void> {
  return auditSource(audit, { ...item, source: inMemory(bytes), held: bytes.length })
}

/**
 * The same, wherever the bytes are. A container is opened where it is; only what it holds is read into memory. Whatever
 * makes a reader throw is a gap of this file, whose bytes are searched all the same, and of no other.
 */
export async function auditSource(audit: Audit, item: Sourced): Promise<void> {
  const { location, source } = item
  audit.followed?.enter(location)
  const isRead = await orGap(audit, location, () => openSource(audit, item))
  if (!isRead) auditRest(exceptKnown(audit), { location, format: 'binary' }, source, 0, source.size)
  audit.followed?.leave()
}

async function openSource(audit: Audit, item: Sourced): Promise<void> {
  const { location, source } = item
  if (item.depth > audit.limits.depth) {
    audit.collector.gap('limit', location, `more than ${audit.limits.depth} containers deep`)
    await auditLeaf(audit, item)
    return
  }
  const { whole } = source
  if (whole !== undefined && !audit.containers.mayBeOpened(item.name, whole)) {
    const found = findHits(audit.searcher, { bytes: whole })
    if (!found.isEmpty || audit.formats.isSpecial(item.name, whole))
      return await auditLeaf(audit, item, found)
    countRead(audit, source.size)
    audit.progress(location, source.size)
    return
  }
  const gap = audit.containers.gap(source, item.name)
  if (gap !== null) audit.collector.gap(gap.kind, location, gap.reason)
  const archive = audit.containers.parts(source)
  const zip = audit.containers.entries(source)
  if (zip !== null && !isHeldBy(archive, zip)) {
    await auditZip(audit, item, zip, auditEntry)
    // A zip may be at the end, or in the middle, of a file of another format.
    if (source.whole !== undefined) await auditMembers(audit, item, source.whole)
    return
  }
  if (archive !== null) {
    await auditParts(audit, item, archive)
    return
  }
  if (!(await auditExpanded(audit, item))) await auditLeaf(audit, item)
}

const auditEntry: AuditEntry = async (audit, container, name, source) => {
  if (!isOpened(audit, container, source.size)) return false
  // A container in memory already holds its parts.
  const isOwn = source.whole !== undefined && source.whole.buffer !== container.source.whole?.buffer
  await auditSource(audit, {
    location: inside(container.location, name),
    name: lastPart(name),
    source,
    depth: container.depth + 1,
    held: container.held + (isOwn ? source.size : 0),
  })
  return true
}

type Parts = NonNullable<ReturnType<Containers['parts']>>

/** Zips inside a tar end in a directory as well: one that only has what is in its entries is theirs, not the file's. */
function isHeldBy(archive: Parts | null, zip: Zip): boolean {
  if (archive === null) return false
  const parts = archive.entries.toSorted((a, b) => a.start - b.start)
  const entries = zip.entries.toSorted((a, b) => a.headerStart - b.headerStart)
  let part = 0
  return entries.every(({ headerStart, dataEnd }) => {
    while ((parts[part]?.end ?? Number.POSITIVE_INFINITY) < dataEnd) part += 1
    const holder = parts[part]
    return holder !== undefined && holder.start <= headerStart && dataEnd <= holder.end
  })
}

/** An archive whose entries are in it as they are. */
async function auditParts(
  audit: Audit,
  item: Sourced,
  { format, entries, rest, problem }: Parts,
): Promise<void> {
  const { location, source } = item
  if (problem !== null) audit.collector.gap(problem.kind, location, problem.reason)
  for (const [start, end] of rest) auditRest(audit, { location, format }, source, start, end)
  audit.followed?.grow(entries.length - 1, 0)
  const fits = roomForFiles(source.size)
  for (const { name, start, end } of entries) {
    if (!fits(end - start)) {
      audit.collector.gap(overlapping.kind, location, overlapping.reason)
      return
    }
    if (!(await auditEntry(audit, item, name, source.part(start, end)))) return
  }
}

/** `false` where the bytes are no compressed file, or none that can be read. */
async function auditExpanded(audit: Audit, item: Sourced): Promise<boolean> {
  const { location, name, source } = item
  const bound = entryBound(audit, source.size)
  const room = Math.min(bound, roomFor(audit, item.held))
  const { whole } = source
  const expanded = whole === undefined ? null : audit.containers.contents(name, whole, room)
  const isTooLarge =
    whole === undefined || (expanded?.problem?.kind === 'limit' && expanded.bytes === null && room < bound)
  const large = isTooLarge ? audit.containers.openLarge(name, source.read(0, 65_536)) : null
  if (large !== null && typeof large !== 'string') {
    const inner = streamedName(name)
    await auditStream(audit, { ...item, location: inside(location, inner), name: inner }, large, bound)
    auditPlain(audit, item)
    return true
  }
  if (whole === undefined && large !== null)
    audit.collector.gap('limit', location, `too large to be opened: ${large}`)
  if (expanded === null || whole === undefined) return false
  if (expanded.problem !== undefined)
    audit.collector.gap(expanded.problem.kind, location, expanded.problem.reason)
  // A file that gives nothing has only its own bytes to read.
  if (expanded.bytes === null || (expanded.bytes.length === 0 && expanded.problem !== undefined)) return false
  audit.followed?.grow(0, expanded.bytes.length - source.size)
  await auditEntry(audit, item, expanded.name, inMemory(expanded.bytes))
  const consumed = expanded.consumed ?? (expanded.problem === undefined ? whole.length : 0)
  auditPlain(audit, item)
  await auditBehind(audit, item, consumed)
  return true
}

/** Audits the names, comments and blocks that a decoder skips. What else could be read there was read out of the file. */
function auditPlain(audit: Audit, { location, source }: Sourced): void {
  auditRest(exceptKnown(audit), { location, format: 'compressed' }, source, 0, source.size)
}

/** Audits the bytes behind the compressed data of a file: another file, or bytes of any kind. */
async function auditBehind(audit: Audit, item: Sourced, start: number): Promise<void> {
  const { source, depth, location } = item
  const rest = source.part(start, source.size)
  if (rest.size === 0) return
  const known = exceptKnown(audit)
  // Where nothing is known to be used up, all of it is what could not be read.
  if (start > 0 && rest.whole !== undefined && audit.containers.mayBeOpened('', rest.whole))
    await auditSource(known, { ...item, name: '', source: rest, depth: depth + 1 })
  else auditRest(known, { location, format: 'compressed' }, source, start, source.size)
}

/** A file that contains no other. */
async function auditLeaf(audit: Audit, item: Sourced, found?: Hits): Promise<void> {
  const { location, name, source, held } = item
  countRead(audit, source.size)
  const isInWindows =
    isForWindows(audit, name, source) || (source.whole === undefined && source.size > roomFor(audit, held))
  if (isInWindows) {
    auditWindows(audit, { location, name }, source, 0, source.size)
    return
  }
  audit.progress(location, source.size)
  if (source.whole === undefined && isClean(audit, name, source)) return
  const bytes = source.read(0, source.size)
  // Findings in its members are not reported a second time where these are packed as they are.
  let hasMembers = false
  await orGap(audit, location, async () => {
    hasMembers = await auditMembers(audit, item, bytes)
  })
  await auditFile(hasMembers ? exceptKnown(audit) : audit, { location, name, bytes }, found)
}

/** @returns whether anything is packed into the file */
async function auditMembers(audit: Audit, item: Sourced, bytes: Buffer): Promise<boolean> {
  let hasMembers = false
  const bound = Math.min(entryBound(audit, bytes.length), roomFor(audit, item.held))
  for (const { name, bytes: inner, problem } of audit.containers.members(item.name, bytes, bound)) {
    const where = name === null ? item.location : inside(item.location, name)
    if (problem !== undefined) audit.collector.gap(problem.kind, where, problem.reason)
    if (inner === null) {
      // Node keeps a stream of zlib that ended with an error, and its output, until the event loop turns.
      await nextTurn()
      continue
    }
    hasMembers = true
    if (!(await auditEntry(audit, item, name ?? '', inMemory(inner)))) break
  }
  return hasMembers
}

/** One file of an audit that has the bytes in memory. */
export async function auditContents(audit: Audit, { contents, location, name }: FileInMemory): Promise<void> {
  const { buffer, byteOffset, length } = contents
  allow(audit, length)
  const bytes = Buffer.from(buffer, byteOffset, length)
  await auditBytes(audit, { location: printable(location), name, bytes, depth: 0 })
}
