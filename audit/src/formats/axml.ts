import type { StringTable } from '../search/string-table.ts'
import type { MarkedFormat } from './audited-format.ts'
import { readStringPool } from './string-pool.ts'

const startElement = 0x0102
const none = 0xffff_ffff

export const binaryXml: MarkedFormat = {
  by: 'mark',
  name: 'binary-xml',
  marks: [0x03000800],
  lengthAt: 4,
  read: readAxml,
}

/** Binary XML: a string of its pool is a value where an attribute or a text refers to it, and a name otherwise. */
function readAxml(bytes: Buffer): StringTable {
  const end = bytes.readUInt32LE(4)
  if (end > bytes.length) throw new RangeError('the document is cut off')
  const values = new Set<number>()
  let pool = -1
  for (let at = 8; at + 8 <= end; ) {
    const type = bytes.readUInt16LE(at)
    const size = bytes.readUInt32LE(at + 4)
    if (size < 8 || at + size > end) throw new RangeError('a chunk is longer than the file')
    if (type === 0x0001) pool = at
    if (type === 0x0104) values.add(bytes.readUInt32LE(at + 16))
    if (type === startElement) for (const value of attributeValues(bytes, at, size)) values.add(value)
    at += size
  }
  if (pool === -1) throw new RangeError('the document has no string pool')
  const extents = readStringPool(bytes, pool, (index) => (values.has(index) ? 'value' : 'name'))
  return { extents, regions: [{ start: pool, end: pool + bytes.readUInt32LE(pool + 4) }] }
}

const leastAttribute = 20

function* attributeValues(bytes: Buffer, element: number, elementSize: number): Generator<number> {
  const first = element + 16 + bytes.readUInt16LE(element + 24)
  const size = bytes.readUInt16LE(element + 26)
  const count = bytes.readUInt16LE(element + 28)
  if (count > 0 && (size < leastAttribute || first + count * size > element + elementSize))
    throw new RangeError('attributes are longer than their element')
  for (let index = 0; index < count; index++) {
    const raw = bytes.readUInt32LE(first + index * size + 8)
    if (raw !== none) yield raw
    if (bytes.readUInt8(first + index * size + 15) === 3) yield bytes.readUInt32LE(first + index * size + 16)
  }
}
