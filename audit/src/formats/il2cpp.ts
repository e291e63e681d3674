import type { Extent, StringTable } from '../search/string-table.ts'
import type { MarkedFormat } from './audited-format.ts'
import { assertHoldable } from './fields.ts'
import { createNulReader } from './nul-strings.ts'

/** Unity's `global-metadata.dat`: the literals and names of a program in C# that was compiled to native code. */
export const il2cppMetadata: MarkedFormat = {
  by: 'mark',
  name: 'il2cpp-metadata',
  marks: [0xaf1bb1fa],
  read: readMetadata,
}

const [oldest, newest] = [16, 31]
const rowBytes = 8

/** Literals are packed back to back; each row says how long one is, and where. @throws RangeError for another version */
function readMetadata(bytes: Buffer): StringTable {
  const version = bytes.readUInt32LE(4)
  if (version < oldest || version > newest) throw new RangeError(`unknown metadata version ${version}`)
  const [rows = 0, rowsSize = 0, data = 0, dataSize = 0, names = 0, namesSize = 0] = [
    8, 12, 16, 20, 24, 28,
  ].map((at) => bytes.readUInt32LE(at))
  const count = Math.floor(rowsSize / rowBytes)
  assertHoldable(count)
  if (rows + rowsSize > bytes.length || data + dataSize > bytes.length)
    throw new RangeError('a table is outside the file')
  const literals = Array.from({ length: count }, (_, index): Extent => {
    const start = data + bytes.readUInt32LE(rows + index * rowBytes + 4)
    const end = start + bytes.readUInt32LE(rows + index * rowBytes)
    if (end > data + dataSize) throw new RangeError('a literal is outside its table')
    return { start, end, view: 'utf-8', role: 'value' }
  })
  const region = { start: names, end: names + namesSize }
  return {
    extents: [...literals, ...createNulReader(bytes)(region, 'name')],
    regions: [{ start: data, end: data + dataSize }, region],
  }
}
