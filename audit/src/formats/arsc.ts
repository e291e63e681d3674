import type { Extent, StringTable } from '../scan/string-table.ts'
import type { MarkedFormat } from './audited-format.ts'
import { assertHoldable } from './most-strings.ts'
import { readStringPool } from './string-pool.ts'

const pool = 0x0001
const packageChunk = 0x0200

export const arsc: MarkedFormat = {
  by: 'mark',
  name: 'arsc',
  marks: [0x02000c00],
  lengthAt: 4,
  read: readArsc,
  injectors: async () => [(await import('../self-test/injectors/android-resources.ts')).resourceTable],
}

/** `resources.arsc`: the global pool holds values, the pools inside a package hold names of types and keys. */
function readArsc(bytes: Buffer): StringTable {
  const extents: Extent[] = []
  const regions: { start: number; end: number }[] = []
  const read = (from: number, to: number, role: 'value' | 'name') => {
    for (let at = from; at + 8 <= to; ) {
      const type = bytes.readUInt16LE(at)
      const size = bytes.readUInt32LE(at + 4)
      // A chunk inside its parent is read once; one that reaches past it would be read again and again.
      if (size < 8 || at + size > to) throw new RangeError('a chunk is longer than what it is in')
      if (type === pool) {
        for (const extent of readStringPool(bytes, at, () => role)) extents.push(extent)
        assertHoldable(extents.length)
        regions.push({ start: at, end: at + size })
      } else if (type === packageChunk && role === 'value')
        read(at + headerSizeAt(bytes, at, size), at + size, 'name')
      at += size
    }
  }
  read(headerSizeAt(bytes, 0, bytes.length), Math.min(bytes.length, bytes.readUInt32LE(4)), 'value')
  if (bytes.readUInt32LE(4) > bytes.length) throw new RangeError('the table is cut off')
  return { extents, regions }
}

/** Reads the size of a chunk's header, which is no longer than the chunk. */
function headerSizeAt(bytes: Buffer, at: number, size: number): number {
  const headerSize = bytes.readUInt16LE(at + 2)
  if (headerSize < 8 || headerSize > size) throw new RangeError('a header is longer than its chunk')
  return headerSize
}
