import type { Extent, StringTable } from '../search/string-table.ts'
import type { MarkedFormat } from './audited-format.ts'

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
  const fields = readMembers(bytes, { places, end }, names)
  const placeOf = (at: number) =>
    ({ start: at + 3, end: at + 3 + bytes.readUInt16BE(at + 1), view: 'utf-8' }) as const
  const extents = places.flatMap((at, index): Extent[] => {
    if (bytes[at] !== utf8) return []
    const role = names.has(index) && !values.has(index) ? 'name' : 'value'
    const field = places[fields.get(index) ?? 0]
    return [{ ...placeOf(at), role, named: field === undefined ? undefined : placeOf(field) }]
  })
  return { extents, regions: [{ start: 10, end }] }
}

/**
 * Names of fields and methods, and of their types and attributes.
 * @returns the texts that fields have as their constant values, each with the name of its field, by their numbers
 */
function readMembers(
  bytes: Buffer,
  { places, end }: ReturnType<typeof readPool>,
  names: Set<number>,
): Map<number, number> {
  const fields = new Map<number, number>()
  let at = end + 8 + bytes.readUInt16BE(end + 6) * 2
  for (const _ of ['fields', 'methods']) {
    const count = bytes.readUInt16BE(at)
    at += 2
    for (let member = 0; member < count; member++) {
      const name = bytes.readUInt16BE(at + 2)
      names.add(name)
      names.add(bytes.readUInt16BE(at + 4))
      const attributes = bytes.readUInt16BE(at + 6)
      at += 8
      for (let attribute = 0; attribute < attributes; attribute++) {
        names.add(bytes.readUInt16BE(at))
        const length = bytes.readUInt32BE(at + 2)
        // No attribute but a constant value is the number of a text and nothing else.
        const constant = length === 2 ? places[bytes.readUInt16BE(at + 6)] : undefined
        if (constant !== undefined && bytes[constant] === string)
          fields.set(bytes.readUInt16BE(constant + 1), name)
        at += 6 + length
      }
    }
  }
  return fields
}

/** Bytes after the tag of a constant, and the kinds that have so many; of a text, those before its characters. */
const kinds = [
  [2, [1, 7, 8, 16, 19, 20]],
  [3, [15]],
  [4, [3, 4, 9, 10, 11, 12, 17, 18]],
  [8, [5, 6]],
] as const
const widths = new Map<number, number>(kinds.flatMap(([width, tags]) => tags.map((tag) => [tag, width])))

/** Finds the constants of a class file by their numbers. @throws RangeError where they do not parse */
function readPool(bytes: Buffer): { readonly places: readonly number[]; readonly end: number } {
  const count = bytes.readUInt16BE(8)
  const places: number[] = []
  let at = 10
  for (let index = 1; index < count; index++) {
    const tag = bytes.readUInt8(at)
    const width = widths.get(tag)
    if (width === undefined) throw new RangeError('a constant is of an unknown kind')
    places[index] = at
    at += 1 + width + (tag === 1 ? bytes.readUInt16BE(at + 1) : 0)
    // A constant of eight bytes counts twice.
    if (tag === 5 || tag === 6) index += 1
  }
  if (at > bytes.length) throw new RangeError('the constant pool is cut off')
  return { places, end: at }
}
