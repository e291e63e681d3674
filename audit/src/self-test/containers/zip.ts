import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Container } from '../container.ts'

interface Entry {
  /** Offset of its record in the directory. */
  readonly record: number
  readonly name: string
  readonly flags: number
  readonly method: number
  readonly header: number
  readonly dataStart: number
  readonly dataEnd: number
  /** Where the next header begins: a data descriptor may be before it. */
  readonly end: number
}

const endSize = 22

/**
 * Archives of at most 4 GB. Entries that do not change keep their bytes; whatever is before the first entry or
 * between the last and the directory (a signature, for example) is kept as well, and no longer holds.
 */
export const zip: Container = {
  recognises: (_, bytes) => bytes.length >= endSize && directoryOf(bytes) !== null,
  rewrite(_, bytes, change) {
    const directory = directoryOf(bytes)
    if (directory === null) return null
    const entries = entriesOf(bytes, directory)
    const changed = new Map<Entry, Buffer>()
    for (const entry of entries) {
      if (entry.dataEnd === entry.dataStart || (entry.flags & 1) === 1 || ![0, 8].includes(entry.method))
        continue
      const data = bytes.subarray(entry.dataStart, entry.dataEnd)
      const member = {
        name: entry.name,
        kind: `zip, ${entry.method === 0 ? 'stored' : 'deflated'}`,
        bytes: entry.method === 0 ? data : inflateRawSync(data),
      }
      const copy = change(member)
      if (copy !== null) changed.set(entry, copy)
    }
    return changed.size === 0 ? null : written(bytes, directory, entries, changed)
  },
}

interface Directory {
  readonly start: number
  readonly end: number
}

function directoryOf(bytes: Buffer): Directory | null {
  const end = bytes.lastIndexOf('PK\x05\x06')
  if (end === -1 || end + endSize > bytes.length) return null
  const start = end - bytes.readUInt32LE(end + 12)
  const holds = start >= 0 && start < end && bytes.readUInt32LE(start) === 0x02014b50
  return holds && bytes.readUInt32LE(end + 16) === start ? { start, end } : null
}

function entriesOf(bytes: Buffer, { start, end }: Directory): Entry[] {
  const found: Entry[] = []
  for (let record = start; record + 46 <= end; ) {
    const nameEnd = record + 46 + bytes.readUInt16LE(record + 28)
    const header = bytes.readUInt32LE(record + 42)
    const dataStart = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28)
    found.push({
      record,
      name: bytes.toString('utf8', record + 46, nameEnd),
      flags: bytes.readUInt16LE(record + 8),
      method: bytes.readUInt16LE(record + 10),
      header,
      dataStart,
      dataEnd: dataStart + bytes.readUInt32LE(record + 20),
      end: start,
    })
    record = nameEnd + bytes.readUInt16LE(record + 30) + bytes.readUInt16LE(record + 32)
  }
  const sorted = found.sort((a, b) => a.header - b.header)
  return sorted.map((entry, index) => ({ ...entry, end: sorted[index + 1]?.header ?? start }))
}

function written(
  bytes: Buffer,
  { start, end }: Directory,
  entries: readonly Entry[],
  changed: ReadonlyMap<Entry, Buffer>,
) {
  const parts: Buffer[] = [bytes.subarray(0, entries[0]?.header ?? 0)]
  const records = Buffer.from(bytes.subarray(start, end))
  let at = parts[0]?.length ?? 0
  for (const entry of entries) {
    const copy = changed.get(entry)
    const record = entry.record - start
    records.writeUInt32LE(at, record + 42)
    const whole = bytes.subarray(entry.header, entry.end)
    const part = copy === undefined ? whole : changedEntry(bytes, entry, copy, records, record)
    parts.push(part)
    at += part.length
  }
  const ending = Buffer.from(bytes.subarray(end))
  ending.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, records, ending])
}

/** Without a data descriptor: the sizes are in both headers. */
function changedEntry(bytes: Buffer, entry: Entry, copy: Buffer, records: Buffer, record: number): Buffer {
  const data = entry.method === 0 ? copy : deflateRawSync(copy)
  const header = Buffer.from(bytes.subarray(entry.header, entry.dataStart))
  for (const [target, at] of [
    [header, 6],
    [records, record + 8],
  ] as const) {
    target.writeUInt16LE(target.readUInt16LE(at) & ~8, at)
    target.writeUInt32LE(crc32(copy), at + 8)
    target.writeUInt32LE(data.length, at + 12)
    target.writeUInt32LE(copy.length, at + 16)
  }
  return Buffer.concat([header, data])
}
