import { functionsOf, type HermesFunction } from './functions.ts'
import { builtinsOf, type Instruction, instructionsOf } from './instructions.ts'
import { type Literal, literalsAt, readLiterals, shapeSize } from './literals.ts'
import { type Layout, stringAt } from './tables.ts'

/** The code of a file, and what it refers to. */
export interface HermesCode {
  readonly bytes: Buffer
  readonly version: number
  readonly instructions: readonly Instruction[]
  readonly functions: readonly (HermesFunction | null)[]
  readonly builtins: ReadonlyMap<number, string>
  /** A string by its number; `undefined` for one that there is not. */
  text(index: number): string | undefined
  literals(offset: number, count: number): readonly Literal[]
  /**
   * The literals of an object: the places of its keys and its values, and how many. From version 98 on the first
   * is the number of its shape.
   */
  object(keys: number, values: number, count: number | null): ObjectLiterals
}

export interface ObjectLiterals {
  readonly keys: readonly Literal[]
  readonly values: readonly Literal[]
}

/** `null` where the instructions of its version are not known. */
export function codeOf(bytes: Buffer, layout: Layout): HermesCode | null {
  const instructions = instructionsOf(layout.version)
  if (instructions === null) return null
  const { arrays, keys, values, shapes } = literalsAt(bytes, layout)
  const { version } = layout
  const texts = new Map<number, string | undefined>()
  const read = (index: number) => {
    const place = index < layout.strings ? stringAt(bytes, layout, index) : null
    if (place === null || place.end > layout.storageEnd) return undefined
    return bytes.toString(place.view === 'utf-8' ? 'latin1' : 'utf16le', place.start, place.end)
  }
  return {
    bytes,
    version,
    instructions,
    functions: functionsOf(bytes, layout),
    builtins: builtinsOf(version),
    text(index) {
      if (!texts.has(index)) texts.set(index, read(index))
      return texts.get(index)
    },
    literals: (offset, count) => readLiterals(bytes, arrays, offset, count, version),
    object(first, second, count) {
      const shape = shapes === null ? 0 : shapes.start + first * shapeSize
      if (shapes !== null && shape + shapeSize > shapes.end) return { keys: [], values: [] }
      const [place, size] =
        shapes === null ? [first, count ?? 0] : [bytes.readUInt32LE(shape), bytes.readUInt32LE(shape + 4)]
      return {
        keys: readLiterals(bytes, keys, place, size, version),
        values: readLiterals(bytes, values, second, size, version),
      }
    },
  }
}

/** An operand as a number: a register, a number of a string, a count. */
export function operand(
  bytes: Buffer,
  at: number,
  { operands, offsets }: Instruction,
  index: number,
): number {
  const place = at + (offsets[index] ?? 0)
  switch (operands[index]) {
    case 'r':
    case 'b':
      return bytes.readUInt8(place)
    case 'h':
      return bytes.readUInt16LE(place)
    case 'j':
      return bytes.readInt8(place)
    case 'i':
    case 'J':
      return bytes.readInt32LE(place)
    case 'd':
      return bytes.readDoubleLE(place)
    default:
      return bytes.readUInt32LE(place)
  }
}
