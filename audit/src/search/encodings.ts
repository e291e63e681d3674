import { base64Around, codesAround, type Decoded, escapedFrom, hexAround, reversedAround } from './decode.ts'

/** One way in which a text reads in an encoding: the characters that the text alone decides. */
export interface Spelling {
  readonly text: string
  /** For base64: which character of a group of four it begins with. */
  readonly phase: number
  /** The text in the inner one of two encodings around each other; absent in a single one. */
  readonly inner?: Spelling
}

/** How a text is written down, and how that is undone around a place where it was found. */
export interface Encoding {
  /** In the words of `Finding.decoder`, the outermost first. */
  readonly name: string
  /** The rule of a key in it: baselines name it. */
  readonly rule: 'plain' | 'folded' | 'encoded'
  spellings(text: string): readonly Spelling[]
  /** `null` where something else reads the same. */
  undo(text: string, at: number, spelling: Spelling): Decoded | null
}

export const plain: Encoding = {
  name: 'plain',
  rule: 'plain',
  spellings: (text) => [plainly(text)],
  undo: (text, at) => ({ text, at }),
}

export const reversed: Encoding = {
  name: 'reversed',
  rule: 'folded',
  spellings: (text) => [plainly([...text].reverse().join(''))],
  undo: (text, at, { text: needle }) => reversedAround(text, at, needle.length),
}

export const hex: Encoding = {
  name: 'hex',
  rule: 'encoded',
  spellings: (text) => bothCases(codesOf(text).map(hexOf).join('')).map(plainly),
  undo: hexAround,
}

export const base64: Encoding = {
  name: 'base64',
  rule: 'encoded',
  spellings: (text) => [0, 1, 2].map((shift) => base64At(text, shift)),
  undo: (text, at, { phase }) => base64Around(text, at, phase),
}

/** A list of numbers, as minifiers and formatters write it. */
const codes: Encoding = {
  name: 'codes',
  rule: 'folded',
  spellings(text) {
    const decimal = codesOf(text).map(String)
    const hexadecimal = bothCases(codesOf(text).map(hexOf).join(',')).map((list) =>
      list.split(',').map((digits) => `0x${digits}`),
    )
    return [decimal, ...hexadecimal].flatMap((list) => [',', ', ', ' '].map((by) => plainly(list.join(by))))
  },
  undo: codesAround,
}

/** A text of which each character is escaped. */
export const escaped: Encoding = {
  name: 'escape',
  rule: 'encoded',
  spellings: (text) =>
    ['\\x', '\\u00', '%'].flatMap((mark) =>
      [...new Set([hexOf, (code: number) => hexOf(code).toUpperCase()])].map((digits) =>
        plainly(
          codesOf(text)
            .map((code) => mark + digits(code))
            .join(''),
        ),
      ),
    ),
  undo(text, at) {
    const [before = ''] = escapesBefore.exec(text.slice(Math.max(0, at - 32), at)) ?? []
    const { text: decoded } = escapedFrom(text, at - before.length)
    return { text: decoded, at: before.match(/[\\%]/g)?.length ?? 0 }
  },
}

/** Escapes before a hit: of base64, a group of four may begin there. */
const escapesBefore = /(?:\\x[0-9a-f]{2}|\\u00[0-9a-f]{2}|%[0-9a-f]{2}){0,4}$/i

/** Plain and escaped characters in turn, which `escapes.ts` finds: they have no spellings of their own. */
export const mixed: Encoding = {
  name: 'escape',
  rule: 'encoded',
  spellings: () => [],
  undo: escapedFrom,
}

/** Texts of Windows before they are encoded, such as the commands of PowerShell. */
const utf16: Encoding = {
  name: 'utf-16le',
  rule: 'encoded',
  spellings: (text) => [plainly(Buffer.from(text, 'utf16le').toString('latin1'))],
  undo(text, at) {
    const even = Buffer.from(text.slice(at % 2), 'latin1')
    return { text: even.toString('utf16le'), at: Math.floor(at / 2) }
  },
}

/** An encoding of a text that is encoded already. */
function around(outer: Encoding, inner: Encoding): Encoding {
  return {
    name: `${outer.name}, ${inner.name}`,
    rule: 'encoded',
    spellings: (text) =>
      inner
        .spellings(text)
        .flatMap((own) => outer.spellings(own.text).map((spelling) => ({ ...spelling, inner: own }))),
    undo(text, at, spelling) {
      const half = outer.undo(text, at, spelling)
      return half === null || spelling.inner === undefined
        ? null
        : inner.undo(half.text, half.at, spelling.inner)
    },
  }
}

/** Encodings in which text is found whose views are those of UTF-8 alone. */
export const narrowEncodings: readonly Encoding[] = [
  codes,
  around(base64, base64),
  around(hex, base64),
  around(base64, hex),
  around(escaped, base64),
  around(base64, utf16),
]

/** The characters that the text alone decides, when so many bytes are before it in the same base64 text. */
export function base64At(text: string, shift: number): Spelling {
  const whole = Buffer.from('\0'.repeat(shift) + text, 'latin1').toString('base64')
  const first = Math.ceil((shift * 8) / 6)
  return { text: whole.slice(first, Math.floor(((shift + text.length) * 8) / 6)), phase: first % 4 }
}

function plainly(text: string): Spelling {
  return { text, phase: 0 }
}

function codesOf(text: string): number[] {
  return [...Buffer.from(text, 'latin1')]
}

function hexOf(code: number): string {
  return code.toString(16).padStart(2, '0')
}

function bothCases(text: string): string[] {
  return [...new Set([text, text.toUpperCase()])]
}
