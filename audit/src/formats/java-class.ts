import type { Extent, StringTable } from '../search/string-table.ts'
import type { MarkedFormat } from './audited-format.ts'
import { readPool } from './constant-pool.ts'

const [utf8, string, nameAndType] = [1, 8, 12]
/** Kinds of constants that are nothing but a name. */
const named = new Set([7, 16, 19, 20])

export const javaClass: MarkedFormat = {
  by: 'mark',
  name: 'class',
  marks: [0xcafebabe, 0xcafebabf],
  read: readClass,
}

/**
 * A class file: constants that the code, an initial value or an annotation uses are values; what names classes, members
 * and types is a name.
 */
function readClass(bytes: Buffer): StringTable {
  const { places, end } = readPool(bytes)
  const names = new Set<number>()
  const values = new Set<number>()
  places.forEach((at) => {
    const tag = bytes[at] as number
    if (tag === string) values.add(bytes.readUInt16BE(at + 1))
    if (named.has(tag) || tag === nameAndType) names.add(bytes.readUInt16BE(at + 1))
    if (tag === nameAndType) names.add(bytes.readUInt16BE(at + 3))
  })
  readMembers(bytes, end + 6, names)
  const extents = places.flatMap((at, index): Extent[] => {
    if (bytes[at] !== utf8) return []
    const role = names.has(index) && !values.has(index) ? 'name' : 'value'
    return [{ start: at + 3, end: at + 3 + bytes.readUInt16BE(at + 1), view: 'utf-8', role }]
  })
  return { extents, regions: [{ start: 10, end }] }
}

/** Names of fields and methods, and of their types and attributes. */
function readMembers(bytes: Buffer, from: number, names: Set<number>): void {
  let at = from + 2 + bytes.readUInt16BE(from) * 2
  for (const _ of ['fields', 'methods']) {
    const count = bytes.readUInt16BE(at)
    at += 2
    for (let member = 0; member < count; member++) {
      names.add(bytes.readUInt16BE(at + 2))
      names.add(bytes.readUInt16BE(at + 4))
      const attributes = bytes.readUInt16BE(at + 6)
      at += 8
      for (let attribute = 0; attribute < attributes; attribute++) {
        names.add(bytes.readUInt16BE(at))
        at += 6 + bytes.readUInt32BE(at + 2)
      }
    }
  }
}
