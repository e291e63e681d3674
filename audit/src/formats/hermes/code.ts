import type { HermesFunction } from './functions.ts'
import { type Instruction, instructionsOf } from './instructions.ts'
import { type Literal, literalsAt, readLiterals } from './literals.ts'
import { type Layout, stringAt } from './tables.ts'

/** The code of a file, and what it refers to. */
export interface HermesCode {
  readonly bytes: Buffer
  readonly version: number
  readonly instructions: readonly Instruction[]
  /** A string by its number; `undefined` for one that there is not. */
  text(index: number): string | undefined
  literals(offset: number, count: number): readonly Literal[]
}

/** `null` where the instructions of its version are not known. */
export function codeOf(bytes: Buffer, layout: Layout): HermesCode | null {
  const instructions = instructionsOf(layout.version)
  if (instructions === null) return null
  const { start, end } = literalsAt(bytes, layout)
  const texts = new Map<number, string | undefined>()
  const read = (index: number) => {
    const place = index < layout.strings ? stringAt(bytes, layout, index) : null
    if (place === null || place.end > layout.storageEnd) return undefined
    return bytes.toString(place.view === 'utf-8' ? 'latin1' : 'utf16le', place.start, place.end)
  }
  return {
    bytes,
    version: layout.version,
    instructions,
    text(index) {
      if (!texts.has(index)) texts.set(index, read(index))
      return texts.get(index)
    },
    literals: (offset, count) => readLiterals(bytes, start + offset, end, count),
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

/** Which strings make a function worth looking at closer, by their numbers: as what it loads, or as the name of a member. */
export interface Worth {
  readonly strings: Uint8Array
  readonly members: Uint8Array
}

type Look = (at: number) => boolean

/**
 * A look at the instructions of a function: `false` where none refers to anything of worth, or where they are none. One
 * lookup for most instructions, since a file has millions.
 */
export function createLook(code: HermesCode, worth: Worth): (one: HermesFunction) => boolean {
  const { bytes, instructions } = code
  const lengths = Uint8Array.from({ length: 256 }, (_, number) => instructions[number]?.length ?? 0)
  const looks = instructions.map((instruction) => lookAt(code, instruction, worth))
  const isLooked = Uint8Array.from({ length: 256 }, (_, number) => ((looks[number] ?? null) === null ? 0 : 1))
  return ({ start, end }) => {
    let isWorth = false
    let at = start
    while (at < end) {
      const number = bytes[at] ?? 0
      const length = lengths[number] ?? 0
      if (length === 0 || at + length > end) return false
      if (isLooked[number] === 1 && !isWorth) isWorth = looks[number]?.(at) ?? false
      at += length
    }
    return isWorth
  }
}

function lookAt(
  { bytes, literals }: HermesCode,
  instruction: Instruction,
  { strings, members }: Worth,
): Look | null {
  const { name, operands, offsets } = instruction
  if (name.startsWith('LoadConstString')) return looksUp(bytes, strings, operands[1], offsets[1] ?? 0)
  if (/^(?:Try)?GetById/.test(name)) return looksUp(bytes, members, operands[3], offsets[3] ?? 0)
  if (!name.startsWith('NewArrayWithBuffer')) return null
  return (at) =>
    literals(operand(bytes, at, instruction, 3), operand(bytes, at, instruction, 2)).some(
      (literal) => typeof literal === 'object' && literal !== null && strings[literal.string] === 1,
    )
}

function looksUp(bytes: Buffer, worth: Uint8Array, letter: string | undefined, offset: number): Look {
  if (letter === 'b') return (at) => worth[bytes[at + offset] ?? 0] === 1
  if (letter === 'h')
    return (at) => worth[(bytes[at + offset] ?? 0) | ((bytes[at + offset + 1] ?? 0) << 8)] === 1
  return (at) => worth[bytes.readUInt32LE(at + offset)] === 1
}
