import type { Effort } from '../../model/effort.ts'
import {
  alternatingIn,
  encodesToken,
  holdsMost,
  holdsTokenInside,
  isNumberOf,
  writingsOf,
  zippedOf,
} from '../clues/clues.ts'
import { disguisesIn } from '../clues/disguised.ts'
import { fragmentsOf } from '../clues/fragments.ts'
import { hidesByWord, mayBeMasked } from '../clues/masked-by-word.ts'
import { areListedCodes, hasMaskedCodes } from '../clues/masked-codes.ts'
import { encodedScriptsIn, randomEndOf, randomLiteralsIn } from '../clues/random-literals.ts'
import {
  betweenCells,
  createSpelling,
  leastEncoded,
  literally,
  placeholders,
  type Spelling,
} from '../clues/spelling.ts'
import { type Node, nodeAt, nodesAt } from '../parse/scope.ts'

/** Bits that a value may contribute: characters of the prefix, or a part of a token or the mint's path. */
export type Bits = number

/** Possible contributions of a script's literals to a key, a token or the mint's path. */
export interface Seeds {
  ofNode(node: Node): Bits
  /** Says whether a literal is an identifier or a key by itself, which the search of the bytes has judged. */
  isComplete(node: Node): boolean
  /** Says whether contributions together can be a key, a token or the mint's path. */
  isEnough(bits: Bits): boolean
  /** Says whether contributions together can be a key or a token, or numbers that anything may be made of. */
  mayBeKey(bits: Bits): boolean
  /** The same without numbers that are as often something else. */
  isKey(bits: Bits): boolean
}

/** Characters of the prefix that have a bit of their own; those of a longer one share the last of them. */
const mostCharacters = 28
/** Numbers or words that other scripts hold as often as those that hide a key. */
const perhaps: Bits = 1 << 28
const path: Bits = 1 << 29
const key: Bits = perhaps - 1
const fewestMasked = 8
const fewestCoded = 3
const mostCoded = 20_000

/** @param source is the text of the tree */
export function createSeeds(
  source: string,
  prefix: string,
  effort: Effort,
  { hasPath }: { readonly hasPath: boolean },
): Seeds {
  // A mark between the words of the prefix may be in a text that they are put into.
  const whole = [...prefix].reduce(
    (bits, char, at) => (/[a-z0-9]/i.test(char) ? bits | bitsFrom(at, at + 1) : bits),
    0,
  )
  const zipped = zippedOf(prefix)
  const fragments = fragmentsOf(prefix)
  const isFragment = fragments.inParts(source, effort)
  const isEncoded = createEncodedPieces(source, prefix)
  const pieces = createPieces(source, prefix)
  const codes = codesOf(prefix)
  const disguises = disguisesIn(source, prefix)
  const isTokenMade = encodesToken(source)
  const isMaskedByWord = hidesByWord(source)
  const random = randomLiteralsIn(source)
  const randomEnd = randomEndOf(prefix)
  const encoded = encodedScriptsIn(source, (text) => fragments.ofSecretIn(text))
  const charactersIn = (call: Node, given: readonly (Node | null)[]): Bits => {
    const callee = nodeAt(call, 'callee')
    const name = callee?.type === 'MemberExpression' ? nodeAt(callee, 'property')?.['name'] : undefined
    if (name !== 'fromCharCode' && name !== 'fromCodePoint') return 0
    return given.reduce((bits, node) => bits | (codes.get(node?.['value']) ?? 0), 0)
  }
  /** @param opening is the place of the quote before the text */
  const ofText = (text: string, { start, end }: Node, opening: number): Bits => {
    if (text === '') return 0
    // Names of methods that begin with a mark look like one.
    if (randomEnd?.is(text) === true) return perhaps | pieces(text)
    if (isFragment(start, end)) return path | (fragments.ofSecretIn(source.slice(start, end)) ? key : 0)
    if (isEncoded(text) || holdsMost(text, prefix) || holdsTokenInside(text)) return key
    if (alternatingIn(prefix).test(text)) return key
    if (disguises?.test(source.slice(start, end)) === true) return key
    const turns = zipped.findIndex((part) => text.startsWith(part))
    if (turns !== -1) return bitsOfTurn(prefix, turns)
    const isHead = isTokenMade && /^(?:HS|RS|ES|PS)(?:256|384|512)$/.test(text)
    const isMasked = isMaskedByWord && mayBeMasked(text)
    const isRandom = random.texts.has(opening)
    return (
      pieces(text) |
      (isHead || isMasked || isRandom || encoded.has(opening) ? perhaps : 0) |
      (hasPath && /calling|^\/?token$/.test(text) ? path : 0)
    )
  }
  return {
    isComplete({ value }) {
      const at = typeof value === 'string' ? value.indexOf(prefix) : -1
      return at !== -1 && completes.test((value as string).slice(at + prefix.length))
    },
    isEnough: (bits) => (bits & whole) === whole || (bits & (path | perhaps)) !== 0,
    mayBeKey: (bits) => (bits & whole) === whole || (bits & perhaps) !== 0,
    isKey: (bits) => (bits & whole) === whole,
    ofNode(node) {
      switch (node.type) {
        case 'Literal': {
          const { value } = node
          if (typeof value === 'bigint') return isNumberOf(value, prefix) ? key : 0
          return typeof value === 'string' ? ofText(value, node, node.start) : 0
        }
        case 'TemplateElement': {
          const { cooked } = (node['value'] ?? {}) as { cooked?: string | null }
          return ofText(cooked ?? '', node, node.start - 1)
        }
        case 'ArrayExpression':
          return codedIn(nodesAt(node, 'elements'), prefix) || (random.lists.has(node.start) ? perhaps : 0)
        case 'CallExpression': {
          const given = nodesAt(node, 'arguments')
          return codedIn(given, prefix) || charactersIn(node, given)
        }
        default:
          return 0
      }
    },
  }
}

/** Gives the bits of the characters `[from, to)`. */
function bitsFrom(from: number, to: number): Bits {
  let bits = 0
  for (let at = from; at < to; at++) bits |= 1 << Math.min(at, mostCharacters - 1)
  return bits
}

function codesOf(prefix: string): ReadonlyMap<unknown, Bits> {
  const codes = new Map<number, Bits>()
  for (const [at, char] of [...prefix].entries())
    for (const code of [char.toLowerCase(), char.toUpperCase()].map((one) => one.charCodeAt(0)))
      codes.set(code, (codes.get(code) ?? 0) | bitsFrom(at, at + 1))
  return codes
}

/** Numbers that are the codes of the prefix, as they are, under a mask or shifted, or that may be a key's in another way. */
function codedIn(nodes: readonly (Node | null)[], prefix: string): Bits {
  if (nodes.length < fewestCoded || nodes.length > mostCoded) return 0
  const numbers = nodes.map((node) => (node?.type === 'Literal' ? node['value'] : undefined))
  if (!numbers.every((value) => typeof value === 'number')) return 0
  if (wordsOf(prefix).includes(numbers[0] ?? 0)) return key
  const isMasked = () => hasMaskedCodes(Buffer.from(`${numbers.join()},`, 'latin1'), prefix)
  if (nodes.length >= fewestMasked && isMasked()) return key
  const text = numbers.every((code) => code >= 0 && code < 256) ? String.fromCharCode(...numbers) : ''
  // Three bytes in a row are in many a long table.
  if (piecesOfThree(prefix).some((piece) => text.includes(piece)))
    return nodes.length > longestCode ? perhaps : key
  return areListedCodes(numbers) ? perhaps : 0
}

/** Codes of a key and of what it is hidden among. */
const longestCode = 200

/** Every other character of the prefix, from the first or the second on. */
function bitsOfTurn(prefix: string, from: number): Bits {
  let bits = 0
  for (let at = from; at < prefix.length; at += 2) bits |= bitsFrom(at, at + 1)
  return bits
}

/** The ways in which literals spell a prefix. */
interface Wanted {
  readonly spelled: readonly {
    readonly text: string
    readonly isReversed: boolean
    readonly spelling: Spelling
  }[]
  /** A part of the encoded prefix that is long enough to tell. */
  readonly pieceOfEncoded: RegExp
  /** In characters. */
  readonly longestEncoded: number
}

const made = new Map<string, Wanted>()

/** Made once: a script may have thousands of others in its strings. */
function wantedOf(prefix: string): Wanted {
  const known = made.get(prefix)
  if (known !== undefined) return known
  const writings = writingsOf(prefix)
  const encoded = writings.filter(({ writing }) => writing === 'encoded').map(({ text }) => text)
  const grams = encoded.flatMap((text) =>
    Array.from({ length: Math.max(0, text.length + 1 - leastEncoded) }, (_, at) =>
      text.slice(at, at + leastEncoded),
    ),
  )
  const wanted: Wanted = {
    spelled: writings
      .filter(({ writing }) => writing !== 'encoded')
      .map(({ text, writing }) => ({
        text,
        isReversed: writing === 'reversed',
        spelling: createSpelling(text, writing),
      })),
    pieceOfEncoded: new RegExp([...new Set(grams)].map(literally).join('|')),
    longestEncoded: Math.max(...encoded.map(({ length }) => length)),
  }
  made.set(prefix, wanted)
  return wanted
}

/** Longer pieces are rare enough at the end of words. */
const longestAtEdge = 2

/**
 * Which characters of the prefix a literal may be, in either direction and case: it is a part of the prefix, ends as the
 * prefix begins, or begins as it ends. Only parts count that the script holds all others to.
 */
function createPieces(source: string, prefix: string): (text: string) => Bits {
  const whole = new Map<string, Bits>()
  const [heads, tails]: [Edge[], Edge[]] = [[], []]
  for (const { text: target, isReversed, spelling } of wantedOf(prefix).spelled) {
    const { length } = target
    for (const { from, to } of spelling.partsIn(source)) {
      const piece = target.slice(from, to)
      const bits = isReversed ? bitsFrom(length - to, length - from) : bitsFrom(from, to)
      whole.set(piece, (whole.get(piece) ?? 0) | bits)
      if (from === 0) heads.push({ piece, bits, isBare: isReversed })
      if (to === length) tails.push({ piece, bits, isBare: !isReversed })
    }
  }
  const cells = [...whole].filter(([piece]) => /[a-z0-9][^a-z0-9]$/i.test(piece))
  const beforePlaces = [...whole].filter(([piece]) => /[^a-z0-9]$/i.test(piece))
  return (text) => {
    let bits = whole.get(text) ?? whole.get(text.replace(/^[-./:]|[-./:]$/g, '')) ?? 0
    if (inSettings.test(text))
      for (const value of text.split(betweenSettings)) bits |= whole.get(value.trim()) ?? 0
    for (const { piece, bits: more, isBare } of heads)
      if (text.endsWith(piece) && (isBare || !isOfWord(piece, text.at(-piece.length - 1)))) bits |= more
    for (const [piece, more] of cells) if (isCellOf(piece, text)) bits |= more
    for (const [piece, more] of beforePlaces) if (isBeforePlace(piece, text)) bits |= more
    for (const { piece, bits: more, isBare } of tails)
      if (text.startsWith(piece) && (isBare || !isOfWord(piece, text[piece.length]))) bits |= more
    return bits
  }
}

/** So much follows the prefix in an identifier or a key. */
const completes = /^[\w-]{8}/

/** Values that a text of settings has, such as a query, or lines with a name and a value. */
const inSettings = /[=:][^=:&;,|\r\n]{1,60}[&;,|\r\n]/
const betweenSettings = /[=:&;,|\r\n"']/

/** A part that a longer literal ends or begins with. */
interface Edge {
  readonly piece: string
  readonly bits: Bits
  /** True where the text on its other side is the rest of the key, and not of a word. */
  readonly isBare: boolean
}

/** Says whether one of the cells that a text is split into is a piece. */
function isCellOf(piece: string, text: string): boolean {
  const isEdge = (char = '') => betweenCells.includes(char)
  for (let at = text.indexOf(piece); at !== -1; at = text.indexOf(piece, at + 1))
    if (isEdge(text[at - 1]) && isEdge(text[at + piece.length])) return true
  return false
}

/** Says whether a text is a piece with a place for another one behind it. */
function isBeforePlace(piece: string, text: string): boolean {
  return text.startsWith(piece) && placeholders.includes(text[piece.length] ?? ' ')
}

/**
 * Makes a test: a literal holds so much of the encoded prefix that another one may hold the rest. Of a long one, such as
 * a script or a picture, only the ends may be torn from the rest: five characters are somewhere in every such text.
 */
function createEncodedPieces(source: string, prefix: string): (text: string) => boolean {
  const { pieceOfEncoded: pattern, longestEncoded: end } = wantedOf(prefix)
  if (!pattern.test(source)) return () => false
  return (text) =>
    text.length <= longestOfPieces
      ? pattern.test(text)
      : pattern.test(text.slice(0, end)) || pattern.test(text.slice(-end))
}

const longestOfPieces = 1000

/** Countless words end and begin with one or two characters of the prefix. */
function isOfWord(piece: string, beside = ''): boolean {
  return piece.length <= longestAtEdge && /[a-z0-9]/i.test(piece) && /[a-z0-9]/i.test(beside)
}

/** Three characters of the prefix in a row, in either direction. */
function piecesOfThree(prefix: string): string[] {
  return [prefix, [...prefix].reverse().join('')].flatMap((text) =>
    Array.from({ length: Math.max(0, text.length - 2) }, (_, at) => text.slice(at, at + 3)),
  )
}

/** Its first four characters as a number. */
function wordsOf(prefix: string): number[] {
  const bytes = Buffer.from(prefix.padEnd(4).slice(0, 4))
  return [bytes.readUInt32BE(0), bytes.readUInt32LE(0)]
}
