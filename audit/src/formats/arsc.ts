import type { Extent, StringTable } from '../search/string-table.ts'
import type { MarkedFormat } from './audited-format.ts'
import { assertHoldable } from './fields.ts'
import { readStringPool } from './string-pool.ts'

const pool = 0x0001
const packageChunk = 0x0200
const typeChunk = 0x0201

export const arsc: MarkedFormat = {
  by: 'mark',
  name: 'arsc',
  marks: [0x02000c00],
  lengthAt: 4,
  read: readArsc,
}

/** `resources.arsc`: the global pool holds values, the pools inside a package hold names of types and keys. */
function readArsc(bytes: Buffer): StringTable {
  const extents: Extent[] = []
  const regions: { start: number; end: number }[] = []
  /** The strings of the last pool of a package, its keys, by which its entries are named. */
  let keys: Extent[] = []
  const named: [value: number, name: Extent][] = []
  const read = (from: number, to: number, role: 'value' | 'name') => {
    for (let at = from; at + 8 <= to; ) {
      const type = bytes.readUInt16LE(at)
      const size = bytes.readUInt32LE(at + 4)
      // A chunk inside its parent is read once; one that reaches past it would be read again and again.
      if (size < 8 || at + size > to) throw new RangeError('a chunk is longer than what it is in')
      if (type === pool) {
        keys = readStringPool(bytes, at, role)
        for (const extent of keys) extents.push(extent)
        assertHoldable(extents.length)
        regions.push({ start: at, end: at + size })
      } else if (type === packageChunk && role === 'value')
        read(at + headerSizeAt(bytes, at, size), at + size, 'name')
      else if (type === typeChunk && role === 'name')
        for (const [value, key] of entriesOf(bytes.subarray(at, at + size))) {
          assertHoldable(named.length)
          const name = keys[key]
          if (name !== undefined) named.push([value, name])
        }
      at += size
    }
  }
  read(headerSizeAt(bytes, 0, bytes.length), Math.min(bytes.length, bytes.readUInt32LE(4)), 'value')
  if (bytes.readUInt32LE(4) > bytes.length) throw new RangeError('the table is cut off')
  // Its values are the first strings of the table.
  for (const [value, name] of named)
    if (extents[value]?.role === 'value') extents[value] = { ...extents[value], named: name }
  return { extents, regions }
}

const complex = 1
const stringType = 3

/** The entries of a type whose value is a string: its index among the values, and that of its name among the keys. */
function* entriesOf(chunk: Buffer): Generator<readonly [value: number, key: number]> {
  const [header, flags] = [chunk.readUInt16LE(2), chunk.readUInt8(9)]
  const [count, start] = [chunk.readUInt32LE(12), chunk.readUInt32LE(16)]
  // Other tables of offsets are of large apps alone; their values have no name here.
  if (flags !== 0 || header + count * 4 > chunk.length) return
  for (let index = 0; index < count; index++) {
    const at = start + chunk.readUInt32LE(header + index * 4)
    if (at + 16 > chunk.length || (chunk.readUInt16LE(at + 2) & complex) !== 0) continue
    if (chunk.readUInt8(at + 11) === stringType)
      yield [chunk.readUInt32LE(at + 12), chunk.readUInt32LE(at + 4)]
  }
}

/** Reads the size of a chunk's header, which is no longer than the chunk. */
function headerSizeAt(bytes: Buffer, at: number, size: number): number {
  const headerSize = bytes.readUInt16LE(at + 2)
  if (headerSize < 8 || headerSize > size) throw new RangeError('a header is longer than its chunk')
  return headerSize
}
