import { hasShapeIn, signsOf } from '../../bytecode/worth.ts'
import { type Effort, pay } from '../../model/effort.ts'
import { areListedCodes } from '../../script/clues/masked-codes.ts'
import { type HermesCode, operand } from './code.ts'
import type { HermesFunction } from './functions.ts'
import type { Instruction } from './instructions.ts'
import type { Literal } from './literals.ts'
import { type Layout, stringAt } from './tables.ts'

/** The functions of a file by what they could do, by their numbers. */
export interface Survey {
  /** Functions that could put a key together. */
  readonly worth: ReadonlySet<number>
  /** Functions that load a piece of a key. */
  readonly pieces: ReadonlySet<number>
  /** Functions near those that load a piece of a key, which may use it. */
  readonly near: ReadonlySet<number>
  /** The function that makes a closure of each. */
  readonly parents: ReadonlyMap<number, number>
  /** All functions inside of one; none where there are too many to be near each other. */
  inside(one: number): readonly number[]
}

/** Signs of a text or the name of a member, as bits; those of `signsOf` come first. */
const signs = { piece: 1, changed: 2, masked: 4, makes: 8, replaces: 16, reads: 32, lists: 64 } as const

/** Members by which a function can make a text that is nowhere as it is, or work on one. */
const members: Readonly<Record<string, number>> = {
  fromCharCode: signs.makes,
  fromCodePoint: signs.makes,
  reverse: signs.makes,
  atob: signs.makes,
  toReversed: signs.makes,
  reduceRight: signs.makes,
  replace: signs.replaces,
  replaceAll: signs.replaces,
  searchParams: signs.replaces,
  URLSearchParams: signs.replaces,
  charCodeAt: signs.reads,
  codePointAt: signs.reads,
  split: signs.reads,
  join: signs.lists,
  map: signs.lists,
  reduce: signs.lists,
  forEach: signs.lists,
  apply: signs.lists,
  decode: signs.lists,
  from: signs.lists,
  Uint8Array: signs.lists,
}
const longestMember = 15

/** Pieces of the mint's path, and what a token begins with. */
const otherPieces = ['calling/token', '/v1/calling', 'eyJ'].map((text) => Buffer.from(text))

/** Gives the signs of each string of a file. */
function signsOfStrings(bytes: Buffer, layout: Layout, prefix: string): Uint8Array {
  const indices: number[] = []
  const places: { start: number; end: number }[] = []
  const found = new Uint8Array(layout.strings)
  for (let index = 0; index < layout.strings; index++) {
    const place = stringAt(bytes, layout, index)
    if (place === null || place.end > layout.storageEnd || place.start >= place.end) continue
    const { start, end } = place
    indices.push(index)
    places.push({ start, end })
    if (otherPieces.some((piece) => isPieceAt(bytes, piece, start, end))) found[index] = signs.piece
    if (end - start <= longestMember) {
      const member = members[bytes.toString('latin1', start, end)]
      if (member !== undefined) found[index] = (found[index] ?? 0) | member
    } else if (isFirst(bytes, start, end, prefix)) found[index] = signs.piece
  }
  const own = signsOf(bytes, places, prefix)
  for (const [at, index] of indices.entries()) {
    const some = own[at] ?? 0
    found[index] = (found[index] ?? 0) | (hasShapeIn(some) ? signs.piece : some)
  }
  return found
}

function isFirst(bytes: Buffer, start: number, end: number, prefix: string): boolean {
  return end - start === 1 && bytes[start] === prefix.charCodeAt(0)
}

/** The beginning of a token is at the beginning of its text; the others are anywhere in it. */
function isPieceAt(bytes: Buffer, piece: Buffer, start: number, end: number): boolean {
  if (end - start < piece.length) return false
  if (piece.length > 3) {
    const at = end - start < longestPath ? bytes.subarray(start, end).indexOf(piece) : -1
    return at !== -1
  }
  return end - start >= leastToken && bytes.compare(piece, 0, 3, start, start + 3) === 0
}

const longestPath = 200
const leastToken = 10

const leastElements = 12
/** Functions that are near one with a piece, at most; where there are more, the piece is in a part of everything. */
const mostNear = 200

/** Looks at each instruction of a file once. @returns `null` where no function could make a key */
export function surveyOf(code: HermesCode, layout: Layout, prefix: string, effort: Effort): Survey | null {
  const { bytes } = code
  pay(effort, layout.strings * 2)
  const strings = signsOfStrings(bytes, layout, prefix)
  if (!strings.some((some) => (some & (signs.piece | signs.changed | signs.makes | signs.lists)) !== 0))
    return null
  const looks = looksOf(code, strings)
  const parents = new Map<number, number>()
  const children = new Map<number, number[]>()
  const worth = new Set<number>()
  const pieces = new Set<number>()
  const seen = new Set<number>()
  for (const [index, one] of code.functions.entries()) {
    if (one === null) continue
    // Functions share their code at most with others that begin elsewhere, which no compiler writes.
    const isShared = seen.has(one.start)
    seen.add(one.start)
    pay(effort, (one.end - one.start) / bytesInStep)
    if (isShared) continue
    const seenIn = lookAt(code, one, looks)
    if (seenIn === null) continue
    for (const child of seenIn.closures) if (child !== index) parents.set(child, index)
    if (seenIn.closures.length > 0) children.set(index, seenIn.closures)
    if (holdsPiece(seenIn.signs)) pieces.add(index)
    if (isWorth(seenIn.signs, seenIn.elements)) worth.add(index)
  }
  if (worth.size === 0) return null
  const inside = createInside(children)
  return { worth, pieces, near: nearOf(pieces, parents, inside), parents, inside }
}

const bytesInStep = 4

function isWorth(some: number, elements: number): boolean {
  const has = (sign: number) => (some & sign) !== 0
  return (
    holdsPiece(some) ||
    has(signs.makes) ||
    (has(signs.masked) && has(signs.reads) && has(signs.lists)) ||
    (elements >= leastElements && has(signs.lists))
  )
}

/** A piece, or a text that the same function makes one of. */
function holdsPiece(some: number): boolean {
  const made = signs.changed | signs.replaces
  return (some & signs.piece) !== 0 || (some & made) === made
}

/** The functions inside one with a piece, and those beside it with all that is inside of them. */
function nearOf(
  pieces: ReadonlySet<number>,
  parents: ReadonlyMap<number, number>,
  inside: (one: number) => readonly number[],
): Set<number> {
  const near = new Set<number>()
  for (const one of pieces) {
    for (const other of inside(one)) near.add(other)
    // A compiler wraps an asynchronous function, and a generator, into further functions.
    for (
      let at = parents.get(one), level = 0;
      at !== undefined && level < mostAround;
      at = parents.get(at), level++
    )
      for (const other of inside(at)) near.add(other)
  }
  return near
}

const mostAround = 4

function createInside(children: ReadonlyMap<number, readonly number[]>): (one: number) => readonly number[] {
  return (one) => {
    const all = new Set(children.get(one) ?? [])
    for (const other of all) {
      if (all.size > mostNear) return []
      for (const child of children.get(other) ?? []) all.add(child)
    }
    return all.size > mostNear ? [] : [...all]
  }
}

/** Gives the signs of an instruction at a place, how many elements it makes, or the function that it makes a closure of. */
interface Looks {
  readonly lengths: Uint8Array
  readonly looks: readonly (Look | null)[]
}

type Look = (at: number, seen: Seen) => void

interface Seen {
  signs: number
  elements: number
  closures: number[]
}

function looksOf(code: HermesCode, strings: Uint8Array): Looks {
  return {
    lengths: Uint8Array.from({ length: 256 }, (_, number) => code.instructions[number]?.length ?? 0),
    looks: Array.from({ length: 256 }, (_, number) => {
      const instruction = code.instructions[number]
      return instruction === undefined ? null : lookOf(code, instruction, strings)
    }),
  }
}

/** `null` where the instructions are none. */
function lookAt(
  { bytes }: HermesCode,
  { start, end }: HermesFunction,
  { lengths, looks }: Looks,
): Seen | null {
  const seen: Seen = { signs: 0, elements: 0, closures: [] }
  for (let at = start; at < end; ) {
    const number = bytes[at] ?? 0
    const length = lengths[number] ?? 0
    // Behind the instructions there are the tables of switches.
    if (length === 0 || at + length > end) break
    looks[number]?.(at, seen)
    at += length
  }
  return seen
}

function lookOf(code: HermesCode, instruction: Instruction, strings: Uint8Array): Look | null {
  const { bytes } = code
  const { name, operands } = instruction
  const number = (at: number, index: number) => operand(bytes, at, instruction, index)
  const last = operands.length - 1
  switch (name) {
    case 'LoadConstString':
      return (at, seen) => {
        seen.signs |= (strings[number(at, 1)] ?? 0) & ofTexts
      }
    case 'GetById':
    case 'TryGetById':
      return (at, seen) => {
        seen.signs |= (strings[number(at, last)] ?? 0) & ofMembers
      }
    case 'NewArrayWithBuffer':
      return (at, seen) => {
        const literals = code.literals(number(at, 3), number(at, 2))
        if (literals.length >= leastElements) seen.elements += literals.length
        if (literals.every((one) => typeof one === 'number') && areListedCodes(literals))
          seen.signs |= signs.piece
        seen.signs |= signsIn(literals, strings)
      }
    case 'NewObjectWithBuffer':
    case 'NewObjectWithBufferAndParent':
      return (at, seen) => {
        const count = code.version < 98 ? number(at, 2) : null
        const { values } = code.object(number(at, last - 1), number(at, last), count)
        seen.signs |= signsIn(values, strings)
      }
    case 'CreateClosure':
    case 'CreateGeneratorClosure':
    case 'CreateAsyncClosure':
    case 'CreateGenerator':
    case 'CreateBaseClass':
    case 'CreateDerivedClass':
      return (at, seen) => {
        seen.closures.push(number(at, last))
      }
    default:
      return null
  }
}

const ofTexts = signs.piece | signs.changed | signs.masked
const ofMembers = signs.makes | signs.replaces | signs.reads | signs.lists

function signsIn(literals: readonly Literal[], strings: Uint8Array): number {
  let some = 0
  for (const literal of literals)
    if (typeof literal === 'object' && literal !== null) some |= (strings[literal.string] ?? 0) & ofTexts
  return some
}
