import { scan } from '../scan/scan.ts'
import type { Audit } from '../settings.ts'

interface Database {
  readonly location: string
  readonly bytes: Buffer
}

const leaves = new Set([0x0a, 0x0d])
const tableLeaf = 0x0d

/**
 * A row that is too long for its page goes on in others, wherever they are: such rows are put together and audited as
 * one. All other bytes are read as they are.
 */
export function auditSqlite(audit: Audit, { location, bytes }: Database): void {
  try {
    for (const row of longRows(bytes)) scan(audit, { location, format: 'sqlite', bytes: row, isText: false })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    audit.collector.gap('fallback', location, 'read as raw bytes: its pages do not hold')
  }
}

function* longRows(bytes: Buffer): Generator<Buffer> {
  const stated = bytes.readUInt16BE(16)
  const pageSize = stated === 1 ? 65_536 : stated
  const usable = pageSize - bytes.readUInt8(20)
  if (pageSize < 512) throw new RangeError('a page is too small')
  let followed = 0
  for (let page = 0; page + pageSize <= bytes.length; page += pageSize) {
    const header = page === 0 ? 100 : page
    const kind = bytes.readUInt8(header)
    if (!leaves.has(kind)) continue
    for (let cell = 0; cell < bytes.readUInt16BE(header + 3); cell++) {
      const at = page + bytes.readUInt16BE(header + 8 + cell * 2)
      const payload = varint(bytes, at)
      const start = kind === tableLeaf ? varint(bytes, payload.next).next : payload.next
      const local = localLength(payload.value, usable, kind)
      if (local === payload.value) continue
      const parts = [bytes.subarray(start, start + local)]
      let next = bytes.readUInt32BE(start + local)
      for (let left = payload.value - local; left > 0 && next > 0; left -= usable - 4) {
        const from = (next - 1) * pageSize
        followed += pageSize
        // No page belongs to two rows: more than the file holds is a trap.
        if (followed > bytes.length) throw new RangeError('the pages of a row do not end')
        parts.push(bytes.subarray(from + 4, from + 4 + Math.min(left, usable - 4)))
        next = bytes.readUInt32BE(from)
      }
      yield Buffer.concat(parts)
    }
  }
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
