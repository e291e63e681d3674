import type { Extent } from '../search/string-table.ts'
import { type Cursor, cursorAt } from './leb128.ts'
import { assertHoldable } from './most-strings.ts'
import { parsed } from './parsed.ts'

const [stringValue, list, annotation, nothing, truth] = [0x17, 0x1c, 0x1d, 0x1e, 0x1f]

/** Names the strings that static fields have at first. Where the tables of classes are torn, none has a name. */
export function nameByFields(bytes: Buffer, strings: Extent[]): void {
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
