import { base64At } from '../../scan/needles.ts'
import { disguiseSigns, disguisesIn } from './disguised.ts'
import { hidesByWord, wordAsMask } from './masked-by-word.ts'
import { hasListedCodes, hasMaskedCodes, pickedFromTable } from './masked-codes.ts'
import { withoutMentions } from './mentioned-prefix.ts'
import { isObfuscated, obfuscatorOf, obfuscatorSigns, swappedAlphabet, turning } from './obfuscated.ts'
import {
  decoding,
  decodingBase64,
  encodedScriptsIn,
  marksOfDecoding,
  randomEndOf,
  randomLiteralsIn,
} from './random-literals.ts'
import { scriptInData } from './script-addresses.ts'
import { closers, createSpelling, literally, openers, shortest, type Writing } from './spelling.ts'
import { wordsApartOf } from './words-apart.ts'

/** Something that a script has to hold before it is worth parsing. */
export interface Clue {
  /** Is in every script that has the clue, in a stretch of at most `signLength` characters. */
  readonly sign: RegExp
  /** Every sign holds one of these: four characters, each by what it may be. `null` where a sign need not. */
  readonly marks: readonly Mark[] | null
  /** Says whether a script with a sign has the clue. @param places has those of all its marks, where they are known */
  confirms(script: ReadScript, places?: readonly number[]): boolean
  /** An escape: whether it matters is told by what the script says without its escapes. */
  readonly isEscape?: true
  /** A literal that is a piece of the prefix: with those of other scripts it may be all of it. */
  readonly piece?: RegExp | undefined
  /** The prefix in literals, and no guess that any numbers or random texts are a reason for. */
  readonly isSpelled?: true
  /** An address, or a script in one: no piece of a key or a token. */
  readonly isAddress?: true
}

/** A script with a character for each byte. Making one out of the other costs more than most looks at it. */
export interface ReadScript {
  bytes(): Buffer
  text(): string
}

export type Mark = readonly [string, string, string, string]

export const signLength = 160

/** All that betrays a key, a token or an address that a script puts together. */
export function cluesFor(prefix: string): Clue[] {
  const clues = [...literalClues(prefix), random]
  return [...clues, encodedScript(clues)]
}

function literalClues(prefix: string): Clue[] {
  return [
    ...spelled(prefix),
    ...separated(prefix),
    ...apart(prefix),
    interspersed(prefix),
    interspersed([...prefix].reverse().join('')),
    ...ending(prefix),
    numbered(prefix),
    alternating(prefix),
    escaped(prefix),
    wideEscaped(prefix),
    ...coded(prefix),
    ...codedApart(prefix),
    words(prefix),
    masked(prefix),
    listed,
    maskedByWord,
    disguised(prefix),
    zipped(prefix),
    cut(prefix),
    beginning(prefix),
    madeToken,
    token,
    tokenInside,
    mintPath,
    obfuscated,
    hidden,
    scriptAddress,
  ]
}

const quotes = '"\'`'
const any = String.fromCharCode(...Array.from({ length: 256 }, (_, code) => code))
const blanks = ' \t\n\r'
const gap = `[${blanks}]{0,40}`
/** Separators between the characters of a text until it is split there, or in place of its underscores. */
const separators = '!#$%&()*+,-./:;<=>?@[]^{|}~'

function always(): boolean {
  return true
}

function mark(...classes: readonly (string | undefined)[]): Mark {
  const [first = any, second = any, third = any, fourth = any] = classes
  return [first, second, third, fourth]
}

/** A text that literals may spell, and how it is written. */
export interface Written {
  readonly text: string
  readonly writing: Writing
}

/** The prefix in and against its direction, in the other case, and in the encodings that scripts decode. */
export function writingsOf(prefix: string): Written[] {
  const percent = (code: (hex: string) => string) =>
    prefix.replace(/[^a-z0-9]/gi, (char) => `%${code(char.charCodeAt(0).toString(16))}`)
  const hex = Buffer.from(prefix).toString('hex')
  const reversed = [...prefix].reverse().join('')
  const plain = [prefix, reversed, prefix.toUpperCase(), prefix.toLowerCase()]
  const encoded = [
    percent((code) => code),
    percent((code) => code.toUpperCase()),
    hex,
    hex.toUpperCase(),
    ...[0, 1, 2].map((shift) => base64At(prefix, shift)[0]),
    ...[0, 1, 2].map((shift) => [...base64At(prefix, shift)[0]].reverse().join('')),
  ]
  return [
    ...[...new Set(plain)].map(
      (text): Written => ({ text, writing: text === reversed ? 'reversed' : 'forward' }),
    ),
    ...[...new Set(encoded)]
      .filter((text) => !plain.includes(text))
      .map((text): Written => ({ text, writing: 'encoded' })),
  ]
}

/** The prefix in literals. */
function spelled(prefix: string): Clue[] {
  return writingsOf(prefix).map(({ text, writing }): Clue => {
    const spelling = createSpelling(text, writing)
    const literals = spelling.shortPieces.map((piece) => mark(openers, ...piece, closers))
    const isMarked = text.length >= shortest
    return {
      get sign() {
        return spelling.sign
      },
      piece: text === prefix ? pieceOf(prefix) : undefined,
      isSpelled: true,
      marks: isMarked ? [...spelling.grams.map((gram) => mark(...gram)), ...literals] : null,
      confirms: (script) =>
        spelling.canBeSpelledIn(text === prefix ? withoutMentions(script.text(), prefix) : script.text()),
    }
  })
}

const leastPiece = 4

/** A literal that is a piece of the prefix, and no word. */
function pieceOf(prefix: string): RegExp {
  const pieces = Array.from({ length: prefix.length }, (_, from) =>
    Array.from({ length: prefix.length - from }, (_, more) => prefix.slice(from, from + more + 1)),
  )
  const told = pieces.flat().filter((piece) => piece.length >= leastPiece && /[^a-z0-9]/i.test(piece))
  // A literal may begin otherwise, and go on behind the prefix by less than a key has.
  return new RegExp(
    `(?:[${openers}](?:${told.map(literally).join('|')})|${literally(prefix)}[\\w-]{0,15})[${literally(closers)}]`,
  )
}

/** The prefix with a mark between its characters, or with other marks than its own. */
function separated(prefix: string): Clue[] {
  const [first = '', second = '', ...others] = [...prefix.slice(0, 4)].map(literally)
  const separator = `[${literally(separators)}]`
  const words = prefix.split(/[^a-z0-9]/i).filter((word) => word !== '')
  const [before = '', after = ''] = words
  const between: Clue = {
    // Fewer characters are also the names of parameters.
    sign: new RegExp(`${first}(${separator})${second}${others.map((char) => `\\1${char}`).join('')}`),
    marks: [mark(prefix[0] ?? '', separators, prefix[1] ?? '', separators)],
    confirms: always,
  }
  if (words.length < 2) return [between]
  return [
    between,
    {
      sign: new RegExp(`${before}${separator}${after}`),
      marks: [mark(before.slice(-1), separators, ...after.slice(0, 2))],
      confirms: always,
    },
  ]
}

/** The words of the prefix and a random part in one text, which the script takes apart. */
function apart(prefix: string): Clue[] {
  const words = wordsApartOf(prefix)
  if (words === null) return []
  const { sign, longest, isIn } = words
  const marks = [mark(...longest.slice(0, 4))]
  return [{ sign, isSpelled: true, marks, confirms: (script) => isIn(script.text()) }]
}

/** Characters that `replace` removes from a text. */
const fillers = '~#@%^*|!$- .:;/+='

/** The prefix with fillers at any places. */
function interspersed(prefix: string): Clue {
  const filler = `[${literally(fillers)}]`
  const letters = [...prefix]
  return {
    sign: new RegExp(`(?!${literally(prefix)})${letters.map(literally).join(`${filler}?`)}`),
    marks: letters
      .slice(0, -1)
      .map((letter, at) => mark((letters[at - 1] ?? any) + fillers, letter, fillers, letters[at + 1] ?? any)),
    confirms: always,
  }
}

const made = new Map<string, RegExp>()

/** A pattern for the prefix as every other character of a text. */
export function alternatingIn(prefix: string): RegExp {
  const known = made.get(prefix) ?? new RegExp([...prefix].map(literally).join('[^"\'`\\n]'))
  made.set(prefix, known)
  return known
}

/** The prefix as every other character of a text, of which a script takes no others. */
function alternating(prefix: string): Clue {
  const letters = [...prefix]
  const rare = Math.max(
    1,
    letters.findIndex((char) => !/[a-z0-9]/i.test(char)),
  )
  return {
    sign: alternatingIn(prefix),
    marks: [mark(letters[rare - 1], any, letters[rare])],
    confirms: always,
  }
}

/** A character of the prefix as an escape. */
function escaped(prefix: string): Clue {
  const hexes = [...new Set(Buffer.from(prefix))].map((code) => code.toString(16))
  const digits = [0, 1].map((at) => hexes.map((hex) => eitherCase(hex[at] ?? '')).join(''))
  const written = hexes.map((hex) => {
    const octal = Number.parseInt(hex, 16).toString(8)
    return `x${hex}|u00${hex}|u\\{0*${hex}\\}|${octal}(?!\\d)`
  })
  return {
    sign: new RegExp(`\\\\(?:${written.join('|')})`, 'i'),
    marks: [
      mark('\\', 'xX', ...digits),
      mark('\\', 'uU', '0', '0'),
      mark('\\', 'uU', '{'),
      mark('\\', '1', '0123456789', '0123456789'),
    ],
    confirms: always,
    isEscape: true,
  }
}

/** A character of the prefix as only `unescape` reads it. */
function wideEscaped(prefix: string): Clue {
  const hexes = [...new Set(Buffer.from(prefix))].map((code) => code.toString(16))
  return {
    sign: new RegExp(`%u00(?:${hexes.join('|')})`, 'i'),
    marks: [mark('%', 'uU', '0', '0')],
    confirms: always,
  }
}

/** The codes of three characters of the prefix in a row, in or against its direction. */
function coded(prefix: string): Clue[] {
  const codes = [...prefix].map((char) => char.charCodeAt(0))
  const word = prefix.search(/[^a-z0-9]/i) + 1
  const starts = [codes.slice(0, 3), codes.toReversed().slice(0, 3), codes.slice(word, word + 3)]
  return starts.flatMap((three) =>
    [three.map(String), three.map((code) => `0x${code.toString(16)}`)].map((written): Clue => {
      const first = [...(written[0] ?? '').replace('0x', 'x')].map(eitherCase)
      return {
        sign: new RegExp(`(?<!\\w)${written.join(`${gap},${gap}`)}(?!\\w)`, 'i'),
        marks: [mark(...[...first, `${blanks},`].slice(0, 4))],
        confirms: always,
      }
    }),
  )
}

/** Between codes in one text, which is split there. */
const partings = ' -_.|:;/~#+*x%$!&@^'

/** The same codes in one text, with another mark than a comma between them. */
function codedApart(prefix: string): Clue[] {
  const written = [10, 36, 16, 8, 2].map((radix) =>
    [...prefix].map((char) => char.charCodeAt(0).toString(radix)),
  )
  const orders = written.flatMap((codes) => [codes, codes.toReversed()])
  return orders.map(([first = '', second = '', third = '']): Clue => {
    const parting = `(?<parting>[${literally(partings)}])`
    return {
      sign: new RegExp(`(?<!\\w)${first}${parting}${second}\\k<parting>${third}(?!\\d)`),
      marks: [mark(...[...first, partings, second[0] ?? ''].slice(0, 4))],
      confirms: always,
    }
  })
}

function masked(prefix: string): Clue {
  return {
    sign: /fromCharCode|fromCodePoint|TextDecoder|Buffer\.from/,
    marks: ['mCha', 'mCod', 'xtDe', 'r.fr'].map((text) => mark(...text)),
    confirms: (script) => hasMaskedCodes(script.bytes(), prefix),
  }
}

/** The first four characters of the prefix as one number. */
function words(prefix: string): Clue {
  const bytes = Buffer.from(prefix.padEnd(4).slice(0, 4))
  const numbers = [bytes.readUInt32BE(0), bytes.readUInt32LE(0)]
  const written = numbers.flatMap((number) => [String(number), `0x${number.toString(16)}`])
  return {
    sign: new RegExp(`(?<!\\w)(?:${written.join('|')})(?!\\w)`, 'i'),
    marks: written.map((text) => mark(...[...text.replace('0x', 'x').slice(0, 4)].map(eitherCase))),
    confirms: always,
  }
}

/** Numbers that a text is made of, in whatever way. */
const listed: Clue = {
  sign: new RegExp(`(?:\\d{1,3}\\s{0,9},\\s{0,9}){13}|${pickedFromTable.source}`),
  marks: ['mCha', 'mCod', 'xtDe', 'r.fr', 'arAt', '].ma', '].re', ']).j', '}).j'].map((text) =>
    mark(...text),
  ),
  confirms: (script) => hasListedCodes(script.text()),
}

/** Larger scripts take too long to parse for what may be anything. */
const largestGuessed = 512 * 1024

/** Random texts and numbers near what decodes them, in whatever way. */
const random: Clue = {
  sign: decoding,
  marks: marksOfDecoding.map((text) => mark(...text)),
  confirms(script) {
    if (script.bytes().length > largestGuessed) return false
    const { texts, lists } = randomLiteralsIn(script.text())
    return texts.size + lists.size > 0
  },
}

/** A random text behind the last mark of the prefix, before which a script computes the rest. */
function ending(prefix: string): Clue[] {
  const end = randomEndOf(prefix)
  if (end === null) return []
  const every = new RegExp(end.sign.source, 'g')
  return [
    {
      sign: end.sign,
      marks: [mark(openers, prefix.at(-1), alphanumeric, alphanumeric)],
      confirms: (script) =>
        script.bytes().length <= largestGuessed &&
        [...script.text().matchAll(every)].some(([found]) => end.is(found.slice(1, -1))),
    },
  ]
}

const digits = '0123456789'
const alphanumeric = `${digits}abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ`

/** A `BigInt` whose bytes have the prefix. */
function numbered(prefix: string): Clue {
  return {
    sign: largeNumber,
    marks: [mark(digits, digits, digits, 'n')],
    confirms: (script) =>
      [...script.text().matchAll(everyLargeNumber)].some(([, number = '']) =>
        isNumberOf(BigInt(number), prefix),
      ),
  }
}

const largeNumber = /(?<![\w.])(\d{40,400})n\b/
const everyLargeNumber = new RegExp(largeNumber.source, 'g')

/** Says whether the bytes of a number have the prefix, in or against its direction. */
export function isNumberOf(number: bigint, prefix: string): boolean {
  const bytes = Buffer.from(prefix)
  const hex = number.toString(16)
  return hex.includes(bytes.toString('hex')) || hex.includes(bytes.reverse().toString('hex'))
}

/** A script in base64 that has one of other clues. */
function encodedScript(clues: readonly Clue[]): Clue {
  const isWorth = (text: string) => {
    const script: ReadScript = { bytes: () => Buffer.from(text, 'latin1'), text: () => text }
    return clues.some(
      ({ sign, confirms, isAddress }) => isAddress !== true && sign.test(text) && confirms(script),
    )
  }
  return {
    sign: decodingBase64,
    marks: [mark(...'atob'), mark(...'se64')],
    confirms: (script) => encodedScriptsIn(script.text(), isWorth).size > 0,
  }
}

/** An encoded text that is masked by a word, character for character, as often as the word is long. */
const maskedByWord: Clue = {
  sign: wordAsMask,
  marks: [mark(...'deAt')],
  confirms: (script) => hidesByWord(script.text()),
}

/** The prefix in a text that is replaced, split or shifted. */
function disguised(prefix: string): Clue {
  return {
    sign: disguiseSigns(prefix),
    marks: [
      mark(' ,(', quotes, quotes, ')'),
      mark(' ,(', quotes, prefix, quotes),
      mark(quotes, prefix, prefix, prefix + quotes),
      mark('e', 'A', 't', '('),
      mark('n', 't', 'A', 't'),
    ],
    confirms: (script, places) => disguisesIn(script.text(), prefix, places) !== null,
  }
}

/** Every other character of the prefix, from the first and from the second on. */
export function zippedOf(prefix: string): string[] {
  return [0, 1].map((from) => [...prefix].filter((_, at) => at % 2 === from).join(''))
}

/** Most of the prefix in a text that is cut afterwards. */
function cut(prefix: string): Clue {
  const most = prefix.slice(0, mostOf)
  return {
    sign: new RegExp(`${literally(most)}(?!${literally(prefix.slice(mostOf))})`),
    marks: [mark(...most.slice(0, 4))],
    confirms: always,
  }
}

const mostOf = 6

/** Says whether a text holds most of the prefix, and goes on otherwise. */
export function holdsMost(text: string, prefix: string): boolean {
  const at = text.indexOf(prefix.slice(0, mostOf))
  return at !== -1 && !text.startsWith(prefix, at)
}

/** The two texts that give the prefix when their characters take turns. */
function zipped(prefix: string): Clue {
  const [one = '', other = ''] = zippedOf(prefix)
  return {
    sign: new RegExp(`["'\`]${literally(one)}`),
    marks: [mark(...one.slice(0, 4))],
    confirms: (script) => new RegExp(`["'\`]${literally(other)}`).test(script.text()),
  }
}

/** A literal that is the beginning of the prefix in base64. */
function beginning(prefix: string): Clue {
  const start = Buffer.from(prefix.slice(0, 3)).toString('base64')
  const more = Buffer.from(prefix.slice(0, 6)).toString('base64')
  return {
    sign: new RegExp(`["'\`](?:${literally(start)}["'\`]|${literally(more)})`),
    marks: [mark(...start.slice(0, 4))],
    confirms: always,
  }
}

const algorithm = `\\balg["']?\\s{0,3}:\\s{0,3}["'\`](?:HS|RS|ES|PS)(?:256|384|512)["'\`]`
const type = `\\btyp["']?\\s{0,3}:\\s{0,3}["'\`]JWT["'\`]`

/** The head of a token that a script encodes itself. */
const madeToken: Clue = {
  sign: new RegExp(`${algorithm}\\s{0,9}(?:,\\s{0,9}${type}|\\})|${type}\\s{0,9},\\s{0,9}["']?${algorithm}`),
  marks: [mark('l', 'g', ':"\' ', '"\'` :')],
  confirms: (script) => encodesToken(script.text()),
}

/** Says whether a script encodes the head of a token. */
export function encodesToken(script: string): boolean {
  return madeToken.sign.test(script) && /\bbtoa\b|base64/.test(script)
}

/** A literal that begins like a token, and ends before the token does. */
const token: Clue = {
  sign: /(?<![\w$])eyJ/,
  marks: [mark('e', 'y', 'J')],
  confirms: (script) => endsAsToken(script.text()),
}

/** Says whether a literal ends in the beginning of a token, or in its second part. */
function endsAsToken(script: string): boolean {
  const runEnd = (from: number) => {
    let end = from
    while (isOfToken(script.charCodeAt(end))) end += 1
    return end
  }
  const endsAt = (end: number) =>
    closers.includes(script[end] ?? ' ') || (script[end] === '.' && closers.includes(script[end + 1] ?? ' '))
  let known = 0
  for (let at = script.indexOf('eyJ'); at !== -1; at = script.indexOf('eyJ', at + 1)) {
    // All that begins in one run ends as it does.
    if (at < known || /[\w$]/.test(script[at - 1] ?? ' ')) continue
    const end = runEnd(at)
    known = end
    if (endsAt(end)) return true
    if (script[end] !== '.') continue
    const second = runEnd(end + 1)
    if (second > end + 1 && endsAt(second)) return true
  }
  return false
}

/** Accepts the characters of base64url: letters, digits, `-` and `_`. */
function isOfToken(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 45 ||
    code === 95
  )
}

/** A literal that is the beginning of a token in base64, or of one that is turned around. */
const tokenInside: Clue = {
  sign: /["'`]ZXlK[\w+/-]{16}|[\w-]{16}Jye["'`]/,
  marks: [mark(quotes, 'Z', 'X', 'l'), mark('J', 'y', 'e', quotes)],
  confirms: always,
}

/** Says whether a text begins as a token in base64, or ends as one that is turned around. */
export function holdsTokenInside(text: string): boolean {
  return tokenInside.sign.test(`"${text}"`)
}

const mintPath: Clue = {
  sign: /calling(?:(?:\/|%2f|\\u002f)token|\/?["'`$\\]|\/[{:<%])/i,
  marks: [mark('l', 'l', 'i', 'n')],
  confirms: always,
  isAddress: true,
  piece: /calling\/token/,
}

/** Says whether a script holds pieces of the mint's path, and not only a word of it. */
export function holdsMintPath(script: string): boolean {
  return script.includes('calling') && mintPath.sign.test(script)
}

/** Strings that only the running script decodes: the rest of them is no clue. */
const obfuscated: Clue = {
  sign: new RegExp(`${turning.source}|${swappedAlphabet.source}`),
  marks: [mark('s', 'h', 'i', 'f'), mark('z', 'A', 'B', 'C')],
  confirms: (script) => isObfuscated(script.text()),
}

/** The same of other obfuscators. */
const hidden: Clue = {
  sign: obfuscatorSigns.sign,
  marks: obfuscatorSigns.marks.map((text) => mark(...text)),
  confirms: (script) => obfuscatorOf(script.text()) !== null,
}

/** A script in an address, which is encoded there, and long enough for a secret. */
const scriptAddress: Clue = {
  sign: new RegExp(`${scriptInData.source}[^"'\`<>\\s$]{24}`, 'i'),
  marks: [mark('a', ':', 'tTaA', 'eEpP')],
  confirms: always,
  isAddress: true,
}

function eitherCase(char: string): string {
  return char.toLowerCase() + char.toUpperCase()
}
