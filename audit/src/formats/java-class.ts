import type { Extent, StringTable } from '../scan/string-table.ts'
import type { MarkedFormat } from './audited-format.ts'

const utf8 = 1
const string = 8
/** Bytes after the tag of each kind of constant. */
const widths: Readonly<Record<number, number>> = {
  3: 4,
  4: 4,
  5: 8,
  6: 8,
  7: 2,
  8: 2,
  9: 4,
  10: 4,
  11: 4,
  12: 4,
  15: 3,
  16: 2,
  17: 4,
  18: 4,
  19: 2,
  20: 2,
}

export const javaClass: MarkedFormat = {
  by: 'mark',
  name: 'class',
  marks: [0xcafebabe, 0xcafebabf],
  read: readClass,
  async readMore(audit, file) {
    const { foldClass } = await import('../bytecode/fold-class.ts')
    foldClass(audit, file)
  },
  injectors: async () => [(await import('../self-test/injectors/class-file.ts')).classFile],
}

/**
 * A class file: constants that the code, an initial value or an annotation uses are values; what names classes, members
 * and types is a name.
 */
function readClass(bytes: Buffer): StringTable {
  const count = bytes.readUInt16BE(8)
  const texts: [index: number, start: number, end: number][] = []
  const names = new Set<number>()
  const values = new Set<number>()
  let at = 10
  for (let index = 1; index < count; index++) {
    const tag = bytes.readUInt8(at)
    if (tag === utf8) {
      const end = at + 3 + bytes.readUInt16BE(at + 1)
      if (end > bytes.length) throw new RangeError('the constant pool is cut off')
      texts.push([index, at + 3, end])
      at = end
      continue
    }
    const width = widths[tag]
    if (width === undefined) throw new RangeError('a constant is of an unknown kind')
    if (tag === string) values.add(bytes.readUInt16BE(at + 1))
    else if (tag === 7 || tag === 16 || tag === 19 || tag === 20) names.add(bytes.readUInt16BE(at + 1))
    else if (tag === 12) {
      names.add(bytes.readUInt16BE(at + 1))
      names.add(bytes.readUInt16BE(at + 3))
    }
    // A constant of eight bytes counts twice.
    if (tag === 5 || tag === 6) index += 1
    at += 1 + width
  }
  const end = at
  readMembers(bytes, at + 6, names)
  const extents = texts.map(
    ([index, start, stop]): Extent => ({
      start,
      end: stop,
      view: 'utf-8',
      role: names.has(index) && !values.has(index) ? 'name' : 'value',
    }),
  )
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
