import { literally } from '../script/clues/spelling.ts'
import { type WordsApart, wordsApartOf } from '../script/clues/words-apart.ts'
import {
  type Forms,
  findPieces,
  formsFrom,
  lookAt,
  lookIn,
  type Search,
  searchFor,
  type TextPlace,
} from './pieces.ts'

/** Signs that a text can become a key, as bits. */
const signs = {
  /** A piece of the prefix, as it is or in a usual encoding. */
  piece: 1,
  /** Could be the prefix once something in it is replaced. */
  changed: 2,
  /** As long as a key, and without a blank: its characters may be shifted or masked. */
  masked: 4,
  /** A good part of the prefix, of which texts of other files may have the rest. */
  part: 8,
  /** Could be a key whose characters are replaced one by one: as in ROT13, or in reverse order. */
  shaped: 16,
} as const

/** Signs that a method makes texts, as bits. */
const calls = { replaces: 1, makesText: 2, readsCharacters: 4, appendsCharacter: 8, boxes: 16 } as const

/** Says whether a text is a piece of a key, by its signs. */
export function hasPieceIn(some: number): boolean {
  return (some & signs.piece) !== 0
}

/** Says the same where texts of other files may have the rest of the prefix. */
export function hasPartIn(some: number): boolean {
  return (some & (signs.piece | signs.part | signs.shaped)) !== 0
}

/** Says whether what is around a text may replace its characters one by one. */
export function hasShapeIn(some: number): boolean {
  return (some & signs.shaped) !== 0
}

/** Says whether a method is worth a look by a text with these signs alone. */
export function isTelling(some: number): boolean {
  return (some & (signs.piece | signs.shaped)) !== 0
}

/** Says whether it is by what it calls. */
export function makesTexts(called: number): boolean {
  return (called & (calls.makesText | calls.replaces)) !== 0
}

const longestMasked = 200
const shortestMasked = 20

/** All that is known of a prefix before a text is: most files are small, and an archive has thousands of them. */
interface Sought {
  readonly prefix: string
  readonly forms: Forms
  readonly changed: RegExp
  readonly words: RegExp
  readonly apart: WordsApart | null
  readonly isSetting: (text: string) => boolean
  readonly isShaped: (bytes: Buffer, start: number, end: number) => boolean
  readonly firstCodes: ReadonlySet<number>
  readonly begun: RegExp
  readonly mayBegin: Uint8Array
  readonly telling: Search
}

let last: Sought | null = null

function soughtOf(prefix: string): Sought {
  if (last?.prefix !== prefix) last = createSought(prefix)
  return last
}

function createSought(prefix: string): Sought {
  const apart = wordsApartOf(prefix)
  const base32 = base32Of(prefix)
  const first = [prefix, ...wordsIn(prefix)].map((word) => literally(word.slice(0, 1))).join('')
  return {
    prefix,
    forms: formsFrom(formsOf(prefix)),
    changed: changedFrom(prefix),
    words: wordsOf(prefix),
    apart,
    isSetting: settingsOf(prefix),
    isShaped: createShapes(prefix),
    firstCodes: new Set([...prefix.slice(0, 2), ...base32.slice(0, 1)].map((code) => code.charCodeAt(0))),
    begun: begunFrom(prefix, base32),
    mayBegin: marksOf(new RegExp(`[\\W${first}]`, 'i')),
    telling: searchFor([...tellingOf(prefix), apart?.longest ?? prefix].map((word) => [Buffer.from(word)])),
  }
}

export function signsOf(bytes: Buffer, texts: readonly TextPlace[], prefix: string): Uint8Array {
  const sought = soughtOf(prefix)
  const found = new Uint8Array(texts.length)
  const mark = (index: number, sign: number) => {
    found[index] = (found[index] ?? 0) | sign
  }
  const looked = lookAt(bytes, texts, sought.forms)
  for (const form of sought.forms.all)
    for (const index of findPieces(looked, form, (part) => mark(part, signs.part))) mark(index, signs.piece)
  const tellings = lookIn(bytes, texts, sought.telling)
  const holdsWord = (start: number, end: number) => tellings.some((holds) => holds?.(start, end) === true)
  for (let index = 0; index < texts.length; index++)
    mark(index, signsAlone(bytes, texts[index] as TextPlace, sought, holdsWord))
  return found
}

/** Signs that a text has whatever others there are. */
function signsAlone(
  bytes: Buffer,
  { start, end }: TextPlace,
  { changed, words, apart, isSetting, isShaped, firstCodes, begun, mayBegin }: Sought,
  holdsWord: (start: number, end: number) => boolean,
): number {
  const length = end - start
  const first = bytes[start] ?? 0
  const isBegun =
    firstCodes.has(first) && begun.test(bytes.toString('latin1', start, Math.min(end, start + longestWords)))
  let found: number = isBegun ? signs.piece : 0
  if (length < shortestMasked) {
    const isOfWords =
      length < longestWords && mayBegin[first] === 1 && words.test(bytes.toString('latin1', start, end))
    return isOfWords ? signs.piece : found
  }
  const last = Math.min(end, start + longestMasked)
  if (mayBegin[first] === 1 || holdsWord(start, last)) {
    const text = bytes.toString('latin1', start, last)
    if (changed.test(text)) found |= signs.changed
    if (apart !== null && text.includes(apart.longest) && apart.isIn(text)) found |= signs.piece
    if (isSetting(text)) found |= signs.piece
  }
  if (length > longestMasked || hasBlank(bytes, start, end)) return found
  return found | signs.masked | (isShaped(bytes, start, end) ? signs.shaped : 0)
}

/** Marks the characters of one byte that a pattern matches. */
function marksOf(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => Number(pattern.test(String.fromCharCode(code))))
}

const isBlank = marksOf(/\s/)

function hasBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (isBlank[bytes[at] as number] === 1) return true
  return false
}

/** The prefix as it is, reversed, in capitals, in hexadecimal and, but for its last characters, in base64. */
function formsOf(prefix: string): string[] {
  const base64 = Buffer.from(prefix).toString('base64').replace(/=+$/, '').slice(0, -1)
  const hex = Buffer.from(prefix).toString('hex')
  return [...new Set([prefix, [...prefix].reverse().join(''), prefix.toUpperCase(), base64, hex])]
}

/** Texts have one of these where they match `changedFrom`, but for those that begin like the prefix. */
function tellingOf(prefix: string): string[] {
  const [first = prefix, ...others] = wordsIn(prefix)
  return [`${first}_`, ...(others.length === 0 ? [first] : others)]
}

function wordsIn(prefix: string): string[] {
  return prefix.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
}

/** Its words in a row with something else between them, its ends with something else in the middle, or a value of settings. */
function changedFrom(prefix: string): RegExp {
  const [first = prefix, ...others] = wordsIn(prefix)
  const words = [first, ...others].join('.{1,8}')
  // Something may also be between all of its characters.
  const [firstCode = '', ...codes] = [...prefix].map((code) => code.replace(/\W/g, '\\$&'))
  const apart = codes.map((code) => `\\W{0,4}${code}`).join('')
  const values = others.map((word) => `|[=:]${word}[&;,|]`).join('')
  return new RegExp(`${words}${values}|^.{0,8}${first}_.{1,8}_|^\\W{0,4}${firstCode}${apart}`)
}

/** Makes a test: each word of the prefix is a value in a text of settings, such as JSON, a query or lines. */
function settingsOf(prefix: string): (text: string) => boolean {
  const words = wordsIn(prefix).map((word) => new RegExp(`[=:] ?["']?${word}["']?(?:[&;,|}\\]\\r\\n]|$)`))
  return (text) => words.length > 1 && words.every((word) => word.test(text))
}

const longestWords = 16

/**
 * Its first word and a place that a function fills in, as in `ac_%s`, or another second word, which one replaces; every
 * other of its characters, or those with others between them; pairs of them that are swapped; its beginning in base32.
 */
function begunFrom(prefix: string, base32: string): RegExp {
  const written = (text: string) => text.replace(/\W/g, '\\$&')
  const letters = [...prefix]
  const first = /^[a-z0-9]+[^a-z0-9]/i.exec(prefix)?.[0] ?? ''
  const turns = [0, 1].map((from) => letters.filter((_, at) => at % 2 === from).join(''))
  const swapped = prefix.replace(/(.)(.)/g, '$2$1')
  const ofFirst = first === '' ? [] : [`${written(first)}(?:[{%<$:]|[a-z]{1,8}_$)`]
  const apart = letters
    .slice(0, longestWords / 2)
    .map(written)
    .join('.')
  return new RegExp(`^(?:${[...[...turns, swapped, base32].map(written), apart, ...ofFirst].join('|')})`)
}

/** The beginning of a text in base32, as far as no other character changes it. */
function base32Of(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const fives = bits.match(/.{5}/g) ?? []
  return fives.map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five, 2)]).join('')
}

/** Nothing but the words of the prefix with something else between them, which a call splits, or its codes as in an address. */
function wordsOf(prefix: string): RegExp {
  const words = wordsIn(prefix)
  const codes = [...Buffer.from(prefix)].slice(0, 3).map((code) => `%${code.toString(16)}`)
  const split = words.length < 2 ? '' : `|^\\W{0,2}${words.join('\\W{1,3}')}\\W{0,2}$`
  return new RegExp(`^${codes.join('')}${split}`, 'i')
}

/** Looks for texts whose characters repeat where those of the prefix do, with what may be the rest of a key behind it. */
function createShapes(prefix: string): (bytes: Buffer, start: number, end: number) => boolean {
  const places = [...prefix].map((code) => prefix.indexOf(code))
  // Two characters that are the same tell of most texts that they are none.
  const second = places.findIndex((place, at) => place !== at)
  if (second === -1) return () => false
  const first = places[second] ?? 0
  const isPrefix = (text: string) => places.every((place, at) => text.indexOf(text[at] ?? '') === place)
  const codes = [...Buffer.from(prefix)]
  const isMoved = (text: string) =>
    [
      (code: number, at: number) => code - text.charCodeAt(at),
      (code: number, at: number) => code ^ text.charCodeAt(at),
    ].some((by) => new Set(codes.map(by)).size === 1)
  const isRest = (text: string) =>
    !/[./\\$()<>=,%&?#"']/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text)
  return (bytes, start, end) => {
    const isForward = bytes[start + first] === bytes[start + second]
    if (!isForward && bytes[end - 1 - first] !== bytes[end - 1 - second]) return false
    const text = bytes.toString('latin1', start, end)
    const backwards = text.slice(-prefix.length).split('').reverse().join('')
    return (
      (isPrefix(text) && (isMoved(text) || isRest(text.slice(prefix.length)))) ||
      (isPrefix(backwards) && (isMoved(backwards) || isRest(text.slice(0, -prefix.length))))
    )
  }
}

/** Classes of Java, Android and Kotlin: no others have methods with signs. */
export const platformPackages = ['java/', 'android/', 'kotlin/']

/** Gives the signs of a method that is called. */
export function callSignsOf(owner: string, name: string, descriptor: string): number {
  if (owner.startsWith('System/')) return ofAssemblies[name] ?? 0
  if (!platformPackages.some((one) => owner.startsWith(one))) return 0
  if (name.startsWith('replace') || name === 'split' || name === 'nextToken') return calls.replaces
  const isConcatenation = name === 'makeConcatWithConstants' && /^\([^)]*C/.test(descriptor)
  if (isConcatenation || (name === 'append' && descriptor.startsWith('(C)')))
    return calls.makesText | calls.appendsCharacter
  if (name === 'chars' || name === 'codePoints') return calls.makesText | calls.readsCharacters
  if (name === '<init>')
    return /^\(\[[BCI]/.test(descriptor) && owner === 'java/lang/String' ? calls.makesText : 0
  if (descriptor === '(C)Ljava/lang/String;') return calls.makesText
  if (name === 'valueOf' && descriptor === '(C)Ljava/lang/Character;') return calls.boxes | calls.makesText
  if (name === 'valueOf' && /^\([BCIS]\)Ljava\/lang\/(?!String)/.test(descriptor)) return calls.boxes
  if (readers.has(name)) return calls.readsCharacters
  return makers.has(name) || descriptor.startsWith('([C') ? calls.makesText : 0
}

const readers = new Set([
  'charAt',
  'getBytes',
  'toCharArray',
  'encodeToByteArray',
  'parseInt',
  'chunked',
  'decode',
  'decode$default',
])
const makers = new Set([
  'concatToString',
  'decodeToString',
  'joinToString',
  'joinToString$default',
  'toChars',
  'setCharAt',
])

/** The same for the methods of .NET. */
const ofAssemblies: Readonly<Record<string, number>> = {
  Replace: calls.replaces,
  GetString: calls.makesText,
  Concat: calls.makesText,
  Join: calls.makesText,
  ToArray: calls.makesText,
  Append: calls.makesText,
  Aggregate: calls.makesText,
  CreateString: calls.makesText,
  '<init>': calls.makesText,
  Reverse: calls.makesText | calls.readsCharacters,
  get_Chars: calls.readsCharacters,
  Split: calls.replaces | calls.readsCharacters,
  ToCharArray: calls.readsCharacters,
  GetBytes: calls.readsCharacters,
  FromBase64String: calls.readsCharacters,
  Select: calls.readsCharacters,
}

/** An array that is shorter cannot hold a key. */
const leastElements = 12
const leastAppended = 6
/** Characters that are put before and behind a word of the prefix. */
const leastBesidePart = 2

export interface Signs {
  /** Begins anew, for another method. */
  clear(): void
  text(signs: number): void
  /** Each instruction that calls, or all of them that call the same. */
  call(signs: number, times?: number): void
  /** So many elements are put into an array of numbers; a boxed number counts as one. */
  elements(count: number): void
  /** Says whether it loads a piece. Then its results and fields may be pieces as well. */
  hasPiece(): boolean
  /** Says whether it loads what may be a key once another method has changed it. */
  hasMasked(): boolean
  /** Says whether it makes texts at all. */
  makesText(): boolean
  /** Says whether it makes a text of the characters or numbers that it is given. */
  isDecoder(descriptorOf: () => string): boolean
  /** `hasCodes` says whether it has as many characters as it would append, where that is known. */
  isWorth(hasCodes?: () => boolean): boolean
}

/** Counts the different characters that a method has at least that appends the prefix one by one, but for a part of it. */
export function leastCodesOf(prefix: string): number {
  return new Set(prefix).size - Math.max(0, prefix.length - leastAppended)
}

export function createSigns(): Signs {
  let [texts, called, filled, appended] = [0, 0, 0, 0]
  const has = (all: number, sign: number) => (all & sign) !== 0
  const hasPiece = () => has(texts, signs.piece)
  return {
    clear() {
      texts = 0
      called = 0
      filled = 0
      appended = 0
    },
    text(some) {
      texts |= some
    },
    call(some, times = 1) {
      called |= some
      if (has(some, calls.appendsCharacter)) appended += times
      if (has(some, calls.boxes)) filled += times
    },
    elements(count) {
      filled += count
    },
    hasPiece,
    hasMasked: () => has(texts, signs.shaped),
    makesText: () => has(called, calls.makesText),
    isDecoder: (descriptorOf) =>
      has(called, calls.makesText) &&
      (has(called, calls.readsCharacters) || /^\([^)]*\[/.test(descriptorOf())),
    isWorth: (hasCodes = () => true) =>
      hasPiece() ||
      (has(texts, signs.changed) && has(called, calls.replaces)) ||
      (has(texts, signs.part) && appended >= leastBesidePart) ||
      (has(called, calls.makesText) &&
        (filled >= leastElements ||
          (filled >= leastAppended && has(texts, signs.masked)) ||
          (appended >= leastAppended && (has(called, calls.readsCharacters) || hasCodes())) ||
          (has(texts, signs.masked) && has(called, calls.readsCharacters)))),
  }
}
