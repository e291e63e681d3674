import type { Extent, StringTable } from '../search/string-table.ts'
import type { MarkedFormat } from './audited-format.ts'
import { assertHoldable } from './most-strings.ts'

const [custom, imports, exports] = [0, 2, 7]

export const wasm: MarkedFormat = {
  by: 'mark',
  name: 'wasm',
  marks: [0x0061736d],
  packsStrings: true,
  read: readWasm,
}

/** WebAssembly: names of imports, exports and functions. Data has its strings without their ends. */
function readWasm(bytes: Buffer): StringTable {
  const extents: Extent[] = []
  const name = (cursor: Cursor) => {
    const { start, end } = cursor.vector()
    assertHoldable(extents.length)
    extents.push({ start, end, view: 'utf-8', role: 'name' })
  }
  const file = cursorAt(bytes, 8, bytes.length)
  while (!file.isAtEnd()) {
    const id = file.byte()
    const { start, end } = file.vector()
    const section = cursorAt(bytes, start, end)
    if (id === custom) readCustom(bytes, section, end, name)
    else if (id === imports)
      repeat(section, () => {
        name(section)
        name(section)
        readImport(section)
      })
    else if (id === exports)
      repeat(section, () => {
        name(section)
        section.byte()
        section.number()
      })
  }
  return { extents, regions: [] }
}

interface Cursor {
  byte(): number
  /** LEB128, unsigned; a signed one is skipped as well. */
  number(): number
  vector(): { start: number; end: number }
  isAtEnd(): boolean
  place(): number
}

function cursorAt(bytes: Buffer, from: number, to: number): Cursor {
  let at = from
  const byte = () => {
    if (at >= to) throw new RangeError('a section is cut off')
    at += 1
    return bytes.readUInt8(at - 1)
  }
  const number = () => {
    let value = 0
    for (let shift = 0; shift < 63; shift += 7) {
      const part = byte()
      value += (part & 0x7f) * 2 ** shift
      if (part < 0x80) return value
    }
    throw new RangeError('a number does not end')
  }
  const vector = () => {
    const length = number()
    const start = at
    if (start + length > to) throw new RangeError('a vector is longer than its section')
    at = start + length
    return { start, end: at }
  }
  return { byte, number, vector, isAtEnd: () => at >= to, place: () => at }
}

function repeat(cursor: Cursor, each: () => void): void {
  for (let count = cursor.number(); count > 0; count--) each()
}

function readImport(section: Cursor): void {
  const kind = section.byte()
  if (kind === 0) section.number()
  else if (kind === 1) {
    section.byte()
    readLimits(section)
  } else if (kind === 2) readLimits(section)
  else if (kind === 3) {
    section.byte()
    section.byte()
  } else {
    section.byte()
    section.number()
  }
}

function readLimits(section: Cursor): void {
  const flags = section.byte()
  section.number()
  if ((flags & 1) !== 0) section.number()
}

/** The section `name`: maps of indices to names, in numbered parts; locals have one map for each function. */
function readCustom(bytes: Buffer, section: Cursor, end: number, name: (cursor: Cursor) => void): void {
  const title = section.vector()
  if (bytes.toString('latin1', title.start, title.end) !== 'name') return
  while (section.place() < end) {
    const part = section.byte()
    const { start, end: last } = section.vector()
    const names = cursorAt(bytes, start, last)
    const entry = () => {
      names.number()
      name(names)
    }
    if (part === 0) name(names)
    else if (part === 2 || part === 3)
      repeat(names, () => {
        names.number()
        repeat(names, entry)
      })
    else repeat(names, entry)
  }
}
