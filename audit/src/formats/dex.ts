import type { Extent, StringTable } from '../search/string-table.ts'
import type { MarkedFormat } from './audited-format.ts'
import { assertHoldable, type Cursor, cursorAt, parsed } from './fields.ts'

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

const [stringValue, list, annotation, nothing, truth] = [0x17, 0x1c, 0x1d, 0x1e, 0x1f]

/** Names the strings that static fields have at first. Where the tables of classes are torn, none has a name. */
function nameByFields(bytes: Buffer, strings: Extent[]): void {
  for (const [field, value] of parsed(() => [...valuesOf(bytes)], [])) {
    const extent = strings[value]
    if (extent !== undefined) strings[value] = { ...extent, named: strings[field] }
  }
}

/** Numbers of the strings that are the name and the value of a field. @throws RangeError where classes do not parse */
function* valuesOf(bytes: Buffer): Generator<readonly [name: number, value: number]> {
  const u32 = (at: number) => bytes.readUInt32LE(at)
  const [fields, names, classes, first] = [u32(80), u32(84), u32(96), u32(100)]
  const end = bytes.length
  let walked = 0
  for (let at = first; at < first + classes * 32; at += 32) {
    const [members, values] = [u32(at + 24), u32(at + 28)]
    if (members === 0 || values === 0) continue
    for (const [field, value] of initialValues(cursorAt(bytes, members, end), cursorAt(bytes, values, end))) {
      walked += 1
      // Classes of a trap share their fields.
      assertHoldable(walked)
      if (value !== null && field < fields) yield [u32(names + field * 8 + 4), value]
    }
  }
}

/** Static fields with the string that each has at first; `null` of another value. */
function* initialValues(members: Cursor, values: Cursor): Generator<readonly [number, number | null]> {
  const fields = members.number()
  for (const _ of ['instance fields', 'direct methods', 'virtual methods']) members.number()
  const count = Math.min(fields, values.number())
  let field = 0
  for (let index = 0; index < count; index++) {
    field += members.number()
    // Its access flags.
    members.number()
    const head = values.byte()
    const kind = head & 0x1f
    // No compiler gives them to a field at first.
    if (kind === list || kind === annotation) return
    let value = 0
    const width = kind === nothing || kind === truth ? 0 : (head >> 5) + 1
    for (let place = 0; place < width; place++) value += values.byte() * 256 ** place
    yield [field, kind === stringValue ? value : null]
  }
}
