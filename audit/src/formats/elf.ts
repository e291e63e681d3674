import type { Extent, StringTable } from '../search/string-table.ts'
import type { MarkedFormat } from './audited-format.ts'
import { fieldsOf } from './fields.ts'
import { createNulReader } from './nul-strings.ts'

const stringTable = 3
const noBits = 8
const holdsStrings = 0x20
export const elf: MarkedFormat = {
  by: 'mark',
  name: 'elf',
  marks: [0x7f454c46],
  packsStrings: true,
  read: readElf,
}

/**
 * ELF: names of symbols and sections, and sections that say of themselves that they consist of strings. Languages other
 * than C pack their strings into other data without an end.
 */
function readElf(bytes: Buffer): StringTable {
  const isWide = bytes.readUInt8(4) === 2
  const isLittle = bytes.readUInt8(5) === 1
  const { u32, word } = fieldsOf(bytes, isLittle, isWide)
  const u16 = (at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const stringsIn = createNulReader(bytes)
  const headers = word(isWide ? 40 : 32)
  const width = u16(isWide ? 58 : 46)
  const count = headers === 0 ? 0 : u16(isWide ? 60 : 48)
  const extents: Extent[] = []
  const regions: { start: number; end: number }[] = []
  for (let index = 0; index < count; index++) {
    const at = headers + index * width
    const kind = u32(at + 4)
    const flags = word(at + 8)
    const start = word(at + (isWide ? 24 : 16))
    const end = start + word(at + (isWide ? 32 : 20))
    const unit = word(at + (isWide ? 56 : 36))
    const isStrings = Math.floor(flags / holdsStrings) % 2 === 1 && unit === 1
    if (kind === noBits || (kind !== stringTable && !isStrings)) continue
    for (const extent of stringsIn({ start, end }, kind === stringTable ? 'name' : 'value'))
      extents.push(extent)
    regions.push({ start, end })
  }
  return { extents, regions }
}
