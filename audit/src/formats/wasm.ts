import type { Extent, StringTable } from '../search/string-table.ts'
import type { MarkedFormat } from './audited-format.ts'
import { assertHoldable, type Cursor, cursorAt } from './fields.ts'

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

function repeat(cursor: Cursor, each: () => void): void {
  for (let count = cursor.number(); count > 0; count--) each()
}

/** Numbers of an import before its limits, by its kind: a function, a table, a memory, a global and a tag. */
const beforeLimits = [1, 1, 0, 2, 2]

function readImport(section: Cursor): void {
  const kind = section.byte()
  for (let left = beforeLimits[kind] ?? 0; left > 0; left--) section.number()
  if (kind === 1 || kind === 2) readLimits(section)
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
