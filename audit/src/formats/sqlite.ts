import type { View } from '../search/needles.ts'
import { scan } from '../search/scan.ts'
import type { ScanContext } from '../search/scan-context.ts'
import type { Extent, StringTable } from '../search/string-table.ts'
import type { FormatFile, MarkedFormat } from './audited-format.ts'

const leaves = new Set([0x0a, 0x0d])
const tableLeaf = 0x0d

export const sqlite: MarkedFormat = {
  by: 'mark',
  name: 'sqlite',
  marks: [0x53514c69],
  isMeant: (bytes) => bytes.toString('latin1', 0, 16) === 'SQLite format 3\0',
  readMore: auditLongRows,
  read: readSqlite,
}

/** The texts of all rows that lie on one page. */
function readSqlite(bytes: Buffer): StringTable {
  return { extents: textsIn(bytes, viewOf(bytes)), regions: [] }
}

function* textsIn(bytes: Buffer, view: View): Generator<Extent> {
  for (const { start, length, local } of cellsOf(bytes, pagesOf(bytes)))
    if (local === length) yield* textsOf(bytes, start, start + length, view)
}

/**
 * A row that is too long for its page goes on in others, wherever they are: such rows are put together and audited as
 * one. All other bytes are read as they are.
 */
function auditLongRows(audit: ScanContext, { location, bytes }: FormatFile): void {
  try {
    for (const row of longRows(bytes)) scan(audit, { location, format: 'sqlite', bytes: row, isText: false })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    audit.collector.gap('fallback', location, 'read as raw bytes: its pages are corrupt')
  }
}

interface Pages {
  readonly size: number
  readonly usable: number
}

interface Cell {
  readonly start: number
  /** Bytes of the row, and how many of them are on the page. */
  readonly length: number
  readonly local: number
}

function pagesOf(bytes: Buffer): Pages {
  const stated = bytes.readUInt16BE(16)
  const size = stated === 1 ? 65_536 : stated
  if (size < 512) throw new RangeError('a page is too small')
  return { size, usable: size - bytes.readUInt8(20) }
}

function* cellsOf(bytes: Buffer, { size, usable }: Pages): Generator<Cell> {
  for (let page = 0; page + size <= bytes.length; page += size) {
    const header = page === 0 ? 100 : page
    const kind = bytes.readUInt8(header)
    if (!leaves.has(kind)) continue
    const cells = bytes.readUInt16BE(header + 3)
    if (header + 8 + cells * 2 > page + size) continue
    // Rows of a page do not overlap.
    let left = size
    for (let cell = 0; cell < cells && left > 0; cell++) {
      const at = page + bytes.readUInt16BE(header + 8 + cell * 2)
      const { value: length, next } = varint(bytes, at)
      const start = kind === tableLeaf ? varint(bytes, next).next : next
      const local = localLength(length, usable, kind)
      left -= local + 1
      if (start + local <= page + size) yield { start, length, local }
    }
  }
}

function* longRows(bytes: Buffer): Generator<Buffer> {
  const pages = pagesOf(bytes)
  let followed = 0
  for (const { start, length, local } of cellsOf(bytes, pages)) {
    if (local === length) continue
    const parts = [bytes.subarray(start, start + local)]
    let next = bytes.readUInt32BE(start + local)
    for (let left = length - local; left > 0 && next > 0; left -= pages.usable - 4) {
      const from = (next - 1) * pages.size
      followed += pages.size
      // No page belongs to two rows: more than the file holds is a trap.
      if (followed > bytes.length) throw new RangeError('the pages of a row do not end')
      parts.push(bytes.subarray(from + 4, from + 4 + Math.min(left, pages.usable - 4)))
      next = bytes.readUInt32BE(from)
    }
    yield Buffer.concat(parts)
  }
}

function viewOf(bytes: Buffer): View {
  return (['utf-8', 'utf-8', 'utf-16le', 'utf-16be'] as const)[bytes.readUInt32BE(56)] ?? 'utf-8'
}

/** Bytes of the integers and the float that a record's types 0 to 9 mean. */
const widths = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]

/** The texts of one record; none where its types do not add up to its length. */
function textsOf(bytes: Buffer, start: number, end: number, view: View): Extent[] {
  const header = varint(bytes, start)
  const found: Extent[] = []
  let at = start + header.value
  if (at > end) return []
  for (let type = header.next; type < start + header.value; ) {
    const { value, next } = varint(bytes, type)
    const length = value < 12 ? (widths[value] ?? 0) : Math.floor((value - 12) / 2)
    if (value >= 12)
      found.push({ start: at, end: at + length, view: value % 2 === 1 ? view : 'utf-8', role: 'value' })
    at += length
    type = next
    if (at > end) return []
  }
  return at === end ? found : []
}

/** How much of a row stays on its own page, by the rules of the file format. */
function localLength(payload: number, usable: number, kind: number): number {
  const most = kind === tableLeaf ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23
  if (payload <= most) return payload
  const least = Math.floor(((usable - 12) * 32) / 255) - 23
  const fitting = least + ((payload - least) % (usable - 4))
  return fitting <= most ? fitting : least
}

/** Big-endian, seven bits a byte, nine bytes at most. */
function varint(bytes: Buffer, from: number): { value: number; next: number } {
  let value = 0
  for (let at = from; ; at++) {
    const byte = bytes.readUInt8(at)
    if (at === from + 8) return { value: value * 256 + byte, next: at + 1 }
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return { value, next: at + 1 }
  }
}
