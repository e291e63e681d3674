import type { Extent, StringTable } from '../search/string-table.ts'
import type { MarkedFormat } from './audited-format.ts'
import { nameByFields } from './dex-fields.ts'
import { assertHoldable } from './most-strings.ts'

export const dex: MarkedFormat = {
  by: 'mark',
  name: 'dex',
  marks: [0x6465780a],
  isMeant: (bytes) => /^\d{3}\0$/.test(bytes.toString('latin1', 4, 8)),
  lengthAt: 32,
  read: readDex,
}

/**
 * Dalvik executable: every entry of `string_ids`. Those that name types, fields, methods, prototypes and source files
 * are names, unless the code also loads them as a constant.
 */
function readDex(bytes: Buffer): StringTable {
  const size = bytes.readUInt32LE(32)
  if (size > bytes.length) throw new RangeError('the file is cut off')
  const count = bytes.readUInt32LE(56)
  const table = bytes.readUInt32LE(60)
  assertHoldable(count)
  const isName = namesOf(bytes, count)
  const extents: Extent[] = []
  let low = bytes.length
  let high = 0
  let walked = 0
  for (let index = 0; index < count; index++) {
    let start = bytes.readUInt32LE(table + index * 4)
    const from = start
    while ((bytes.readUInt8(start) & 0x80) !== 0) start += 1
    start += 1
    if (start - from > longestLength) throw new RangeError('a length is no number')
    const end = bytes.indexOf(0, start)
    if (end === -1) throw new RangeError('a string is cut off')
    walked += end - start
    // Strings do not overlap: more than the file holds is a trap.
    if (walked > bytes.length * 2) throw new RangeError('the strings are longer than the file')
    low = Math.min(low, from)
    high = Math.max(high, end + 1)
    extents.push({ start, end, view: 'utf-8', role: isName[index] === 1 ? 'name' : 'value' })
  }
  nameByFields(bytes, extents)
  return { extents, regions: high > low ? [{ start: low, end: high }] : [] }
}

/** The most bytes of a length: 32 bits in groups of seven. */
const longestLength = 5

/** Marks the strings that other tables use as names and no `const-string` loads. */
function namesOf(bytes: Buffer, strings: number): Uint8Array {
  const isName = new Uint8Array(strings)
  const rows = (header: number, width: number, fields: readonly number[]) => {
    const count = bytes.readUInt32LE(header)
    const start = bytes.readUInt32LE(header + 4)
    assertHoldable(count)
    for (let row = 0; row < count; row++)
      for (const field of fields) isName[bytes.readUInt32LE(start + row * width + field)] = 1
  }
  rows(64, 4, [0])
  rows(72, 12, [0])
  rows(80, 8, [4])
  rows(88, 8, [4])
  rows(96, 32, [16])
  const code = bytes.readUInt32LE(108)
  for (let at = code - (code % 2); at + 4 <= bytes.length; at += 2) {
    const opcode = bytes[at]
    if (opcode === 0x1a) isName[bytes.readUInt16LE(at + 2)] = 0
    else if (opcode === 0x1b && at + 6 <= bytes.length) isName[bytes.readUInt32LE(at + 2)] = 0
  }
  return isName
}
