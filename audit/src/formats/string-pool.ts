import type { Extent } from '../search/string-table.ts'
import { assertHoldable } from './fields.ts'

/** A `ResStringPool` chunk of Android's compiled resources, in UTF-8 or UTF-16. */
export function readStringPool(bytes: Buffer, at: number, role: Extent['role']): Extent[] {
  const headerSize = bytes.readUInt16LE(at + 2)
  const count = bytes.readUInt32LE(at + 8)
  const isUtf8 = (bytes.readUInt32LE(at + 16) & 0x100) !== 0
  const start = at + bytes.readUInt32LE(at + 20)
  const end = at + bytes.readUInt32LE(at + 4)
  if (at + headerSize + count * 4 > end) throw new RangeError('the pool is longer than its chunk')
  assertHoldable(count)
  const extents: Extent[] = []
  for (let index = 0; index < count; index++) {
    const from = start + bytes.readUInt32LE(at + headerSize + index * 4)
    const extent = isUtf8 ? utf8At(bytes, from) : utf16At(bytes, from)
    assertEnded(bytes, extent)
    extents.push({ ...extent, role })
  }
  return extents
}

/** A length that does not lead to the zero after its string may cut a key in two. */
function assertEnded(bytes: Buffer, { end, view }: Omit<Extent, 'role'>): void {
  const isEnded = bytes[end] === 0 && (view === 'utf-8' || bytes[end + 1] === 0)
  if (!isEnded) throw new RangeError('a string does not end where its length says')
}

function utf8At(bytes: Buffer, from: number): Omit<Extent, 'role'> {
  let at = from
  at += (bytes.readUInt8(at) & 0x80) === 0 ? 1 : 2
  const first = bytes.readUInt8(at)
  const length = (first & 0x80) === 0 ? first : ((first & 0x7f) << 8) | bytes.readUInt8(at + 1)
  const start = at + ((first & 0x80) === 0 ? 1 : 2)
  return { start, end: start + length, view: 'utf-8' }
}

function utf16At(bytes: Buffer, from: number): Omit<Extent, 'role'> {
  const first = bytes.readUInt16LE(from)
  const isLong = (first & 0x8000) !== 0
  const units = isLong ? ((first & 0x7fff) << 16) | bytes.readUInt16LE(from + 2) : first
  const start = from + (isLong ? 4 : 2)
  return { start, end: start + units * 2, view: 'utf-16le' }
}
