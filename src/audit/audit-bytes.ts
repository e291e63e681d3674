import { readAsar } from './containers/asar.ts'
import { entryBound, spend } from './containers/budget.ts'
import { expand } from './containers/compressed.ts'
import { isTar, readTar } from './containers/tar.ts'
import { readZip, type Zip } from './containers/zip.ts'
import { inflateEntry } from './containers/zip-entry.ts'
import { auditScripts } from './formats/embedded.ts'
import { exposed } from './formats/exposure.ts'
import { isFairPlayEncrypted } from './formats/fairplay.ts'
import { formatOf } from './formats/format.ts'
import { auditSourceMap } from './formats/source-map.ts'
import { auditSqlite } from './formats/sqlite.ts'
import { inside } from './location.ts'
import { scan } from './scan/scan.ts'
import type { Audit, Item } from './settings.ts'

/** Audits one file or entry: what it contains, where it is a container, and its own bytes otherwise. */
export function auditBytes(audit: Audit, item: Item): void {
  const { location, bytes } = item
  if (item.depth > audit.limits.depth) {
    audit.collector.gap('limit', location, `more than ${audit.limits.depth} containers deep`)
    auditFile(audit, item)
    return
  }
  const zip = looksLikeZip(bytes) ? readZip(bytes) : null
  if (zip !== null) {
    auditZip(audit, item, zip)
    return
  }
  if (isTar(bytes)) {
    auditTar(audit, item)
    return
  }
  const asar = readAsar(bytes)
  if (asar !== null) {
    if (!asar.isWhole) audit.collector.gap('corrupt', location, 'the archive is cut off')
    scan(audit, { location, format: 'asar', bytes: bytes.subarray(0, asar.headerEnd), isText: false })
    for (const { name, start, end } of asar.entries) auditEntry(audit, item, name, bytes.subarray(start, end))
    return
  }
  const expanded = expand(item.name, bytes, entryBound(audit, bytes.length))
  if (expanded === null) {
    auditFile(audit, item)
    return
  }
  if (expanded.problem !== undefined)
    audit.collector.gap(expanded.problem.kind, location, expanded.problem.reason)
  if (expanded.bytes === null) {
    auditFile(audit, item)
    return
  }
  auditEntry(audit, item, expanded.name, expanded.bytes)
}

const endOfDirectory = Buffer.from('PK\x05\x06')

function looksLikeZip(bytes: Buffer): boolean {
  return bytes.length >= 22 && (bytes.readUInt16BE(0) === 0x504b || bytes.lastIndexOf(endOfDirectory) !== -1)
}

function auditEntry(audit: Audit, container: Item, name: string | Buffer, bytes: Buffer): void {
  const location = inside(container.location, name)
  if (!spend(audit, bytes.length)) {
    audit.collector.gap('limit', container.location, 'more entries or bytes than the limits allow')
    return
  }
  const text = typeof name === 'string' ? name : name.toString('utf8')
  auditBytes(audit, { location, name: text.split('/').at(-1) ?? text, bytes, depth: container.depth + 1 })
}

function auditZip(audit: Audit, item: Item, { entries, rest, problems }: Zip): void {
  const { location, bytes } = item
  for (const { kind, reason } of problems) audit.collector.gap(kind, location, reason)
  for (const [start, end] of rest)
    scan(audit, { location, format: 'zip', bytes: bytes.subarray(start, end), isText: false, base: start })
  for (const entry of entries) {
    if (entry.dataStart === entry.dataEnd) continue
    const place = inside(location, entry.name)
    if (audit.spent.entries > audit.limits.entries || audit.spent.bytes > audit.limits.totalBytes) {
      audit.collector.gap('limit', location, 'more entries or bytes than the limits allow')
      return
    }
    if (entry.disagreement !== undefined) audit.collector.gap('disagreement', place, entry.disagreement)
    const read = inflateEntry(bytes, entry, entryBound(audit, entry.dataEnd - entry.dataStart))
    if (read.problem !== undefined) audit.collector.gap(read.problem.kind, place, read.problem.reason)
    if (read.bytes !== null) auditEntry(audit, item, entry.name, read.bytes)
    else
      scan(audit, {
        location: place,
        format: 'binary',
        bytes: bytes.subarray(entry.dataStart, entry.dataEnd),
        isText: false,
      })
  }
}

function auditTar(audit: Audit, item: Item): void {
  const { entries, isWhole } = readTar(item.bytes)
  if (!isWhole) audit.collector.gap('corrupt', item.location, 'the archive is cut off')
  for (const { name, bytes } of entries) auditEntry(audit, item, name, bytes)
}

/** A file that contains no other: read by its format's table where it has one, and every byte of it in any case. */
function auditFile(audit: Audit, { location, name, bytes }: Item): void {
  const format = formatOf(name, bytes)
  if (format.name.startsWith('mach-o') && isFairPlayEncrypted(bytes))
    audit.collector.gap('fairplay', location, 'the code is FairPlay-encrypted')
  if (format.name === 'env') exposed(audit, location, format.name, 'an environment file')
  if (format.name === 'source-map' && auditSourceMap(audit, location, bytes))
    exposed(audit, location, format.name, 'a source map')
  const base = { location, format: format.name, bytes, isText: format.isText }
  // A source that was read out of its map is not reported a second time as a part of the map's own text.
  const own = format.name === 'source-map' ? exceptKnown(audit) : audit
  try {
    const table = format.read?.(bytes)
    scan(own, table === undefined ? base : { ...base, table })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    audit.collector.gap('fallback', location, `read as raw bytes: its ${format.name} tables do not parse`)
    scan(audit, base)
  }
  if (format.name === 'sqlite') auditSqlite(audit, { location, bytes })
  auditScripts(audit, { location, format: format.name, bytes, isCertain: format.isCertain ?? false })
}

function exceptKnown(audit: Audit): Audit {
  const { collector } = audit
  return {
    ...audit,
    collector: {
      ...collector,
      report: (sighting) => {
        if (!collector.has(sighting.location, sighting.secret)) collector.report(sighting)
      },
    },
  }
}
