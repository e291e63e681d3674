import type { Name, Stretch } from '../search/string-table.ts'
import { assertHoldable } from './most-strings.ts'

/** Kinds of metadata, by their numbers. */
const [module, reference, definition, pointer, field, methodPointer, method] = [0, 1, 2, 3, 4, 5, 6]
const [moduleReference, specification, assembly] = [26, 27, 35]
const longestName = 256
/** `stsfld` and `stfld` right behind a text that is loaded. */
const stores = [0x80, 0x7d]

/**
 * Finds the name of the field that code gives a constant text, by the place of the text in its heap.
 * @throws RangeError where the tables do not parse
 */
export function fieldsIn(
  bytes: Buffer,
  tables: Stretch,
  strings: Stretch,
): (text: number) => Name | undefined {
  let at = tables.start + 24
  const present = bytes.readBigUInt64LE(tables.start + 8)
  const rows = Array.from({ length: 64 }, (_, table) => {
    if (((present >> BigInt(table)) & 1n) === 0n) return 0
    at += 4
    return bytes.readUInt32LE(at - 4)
  })
  const widths = bytes.readUInt8(tables.start + 6)
  const ofHeap = (bit: number) => ((widths & bit) === 0 ? 2 : 4)
  const [text, guid, blob] = [ofHeap(1), ofHeap(2), ofHeap(4)]
  const rowsOf = (table: number) => rows[table] ?? 0
  const index = (bits: number, ...to: readonly number[]) =>
    Math.max(...to.map(rowsOf)) < 2 ** (16 - bits) ? 2 : 4
  at += rowsOf(module) * (2 + text + 3 * guid)
  at += rowsOf(reference) * (index(2, module, moduleReference, assembly, reference) + 2 * text)
  const members = index(0, pointer, field) + index(0, methodPointer, method)
  at += rowsOf(definition) * (4 + 2 * text + index(2, definition, reference, specification) + members)
  at += rowsOf(pointer) * index(0, field)
  const names = new Map<number, number>()
  for (const mark of stores.map((store) => Buffer.from([0x70, store])))
    for (let place = bytes.indexOf(mark, 4); place !== -1; place = bytes.indexOf(mark, place + 1)) {
      if (bytes[place - 4] !== 0x72 || bytes[place + 5] !== field) continue
      assertHoldable(names.size)
      const row = bytes.readUIntLE(place + 2, 3)
      if (row === 0 || row > rowsOf(field)) continue
      const name = bytes.readUIntLE(at + (row - 1) * (2 + text + blob) + 2, text)
      names.set(bytes.readUIntLE(place - 3, 3), strings.start + name)
    }
  return (place) => {
    const start = names.get(place) ?? bytes.length
    const length = bytes.subarray(start, start + longestName).indexOf(0)
    return length === -1 ? undefined : { start, end: start + length, view: 'utf-8' }
  }
}
