import type { Extent, StringTable } from '../search/string-table.ts'
import type { MarkedFormat } from './audited-format.ts'
import { assertHoldable } from './fields.ts'

export const binaryPropertyList: MarkedFormat = {
  by: 'mark',
  name: 'binary-plist',
  marks: [0x62706c69],
  isMeant: (bytes) => bytes.toString('latin1', 0, 7) === 'bplist0',
  read: readBplist,
}

/** Binary property list: ASCII and UTF-16BE objects; a string that only dictionaries use as a key is a name. */
function readBplist(bytes: Buffer): StringTable {
  const trailer = bytes.length - 32
  const offsetSize = bytes.readUInt8(trailer + 6)
  const referenceSize = bytes.readUInt8(trailer + 7)
  const count = Number(bytes.readBigUInt64BE(trailer + 8))
  const table = Number(bytes.readBigUInt64BE(trailer + 24))
  if (count > bytes.length || offsetSize < 1 || offsetSize > 6 || referenceSize < 1 || referenceSize > 6)
    throw new RangeError('the trailer is corrupt')
  assertHoldable(count)
  const keys = new Set<number>()
  /** The key that each value has last. */
  const names = new Map<number, number>()
  const values = new Set<number>()
  const strings: [number, Omit<Extent, 'role'>][] = []
  let walked = 0
  for (let index = 0; index < count; index++) {
    const at = bytes.readUIntBE(table + index * offsetSize, offsetSize)
    const marker = bytes.readUInt8(at)
    const { length, start } = lengthAt(bytes, at)
    const kind = marker >> 4
    if (kind === 5 || kind === 6 || kind === 7) {
      const end = start + length * (kind === 6 ? 2 : 1)
      if (end > trailer) throw new RangeError('a string is cut off')
      strings.push([index, { start, end, view: kind === 6 ? 'utf-16be' : 'utf-8' }])
    } else if (kind === 0xa || kind === 0xc || kind === 0xd) {
      const total = kind === 0xd ? length * 2 : length
      if (start + total * referenceSize > trailer) throw new RangeError('a collection is cut off')
      walked += total
      if (walked > bytes.length) throw new RangeError('the collections are longer than the file')
      for (let item = 0; item < total; item++) {
        const reference = bytes.readUIntBE(start + item * referenceSize, referenceSize)
        ;(kind === 0xd && item < length ? keys : values).add(reference)
        if (kind === 0xd && item >= length)
          names.set(reference, bytes.readUIntBE(start + (item - length) * referenceSize, referenceSize))
      }
    }
  }
  const places = new Map(strings)
  const extents = strings.map(
    ([index, extent]): Extent => ({
      ...extent,
      role: keys.has(index) && !values.has(index) ? 'name' : 'value',
      named: places.get(names.get(index) ?? -1),
    }),
  )
  return { extents, regions: [{ start: 8, end: table }] }
}

function lengthAt(bytes: Buffer, at: number): { length: number; start: number } {
  const low = bytes.readUInt8(at) & 0xf
  if (low !== 0xf) return { length: low, start: at + 1 }
  const size = 1 << (bytes.readUInt8(at + 1) & 0xf)
  if (size > 4) throw new RangeError('a length is invalid')
  return { length: bytes.readUIntBE(at + 2, size), start: at + 2 + size }
}
