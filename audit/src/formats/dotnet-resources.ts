import type { Extent } from '../search/string-table.ts'
import { align } from './fields.ts'
import { cursorAt } from './leb128.ts'
import { assertHoldable } from './most-strings.ts'

/** How a `.resources` file begins, with the version of its header. */
const mark = Buffer.from('cecaefbe01000000', 'hex')
const textType = 1

/** Texts of the `.resources` files in an assembly, each with its name, up to one that does not parse. */
export function* resourcesIn(bytes: Buffer): Generator<Extent> {
  let walked = 0
  // Tables of a trap share their names.
  const walk = (count: number) => {
    walked += count
    assertHoldable(walked)
  }
  try {
    for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 1))
      yield* textsOf(bytes, at, walk)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
}

/** Behind a header: hashes of the names, where each name is, the names with the places of their values, the values. */
function* textsOf(bytes: Buffer, start: number, walk: (count: number) => void): Generator<Extent> {
  const u32 = (at: number) => bytes.readUInt32LE(at)
  const cursor = (at: number) => cursorAt(bytes, at, bytes.length)
  const table = start + 12 + u32(start + 8)
  const [count, types] = [u32(table + 4), u32(table + 8)]
  walk(count + types)
  const head = cursor(table + 12)
  for (let type = 0; type < types; type++) head.vector()
  const places = start + align(head.place() - start, 8) + count * 4
  const names = places + count * 4 + 4
  const values = start + u32(names - 4)
  for (let index = 0; index < count; index++) {
    const name = cursor(names + u32(places + index * 4)).vector()
    const value = cursor(values + u32(name.end))
    if (value.number() === textType)
      yield { ...value.vector(), view: 'utf-8', role: 'value', named: { ...name, view: 'utf-16le' } }
  }
}
