import { deflateSync, gzipSync } from 'node:zlib'

/** A piece of an encoded text, and the character of the secret that it tells; null where it only separates. */
export interface Atom {
  readonly text: string
  readonly source: number | null
}

export type Random = () => number

/** One step of a chain. */
export interface Transformation {
  readonly name: string
  readonly apply: (atoms: readonly Atom[], random: Random) => Atom[]
}

/** Each character on its own. */
function each(name: string, encode: (character: string, index: number) => string): Transformation {
  return {
    name,
    apply: (atoms) =>
      atoms.flatMap(({ text, source }) =>
        [...text].map((character, index) => ({ text: encode(character, index), source })),
      ),
  }
}

/** The text as a whole: each part of what comes of it tells the part of the secret at its place. */
function whole(name: string, encode: (text: string) => string): Transformation {
  return {
    name,
    apply(atoms) {
      const sources = atoms.flatMap(({ text, source }) => [...Buffer.from(text)].map(() => source))
      const encoded = [...encode(textOf(atoms))]
      return encoded.map((text, index) => ({
        text,
        source: sources[Math.floor((index * sources.length) / encoded.length)] ?? null,
      }))
    },
  }
}

/** Something between the characters, or between pieces of several. */
function between(name: string, separator: string): Transformation {
  return {
    name: `with ${name}`,
    apply(atoms, random) {
      const width = 1 + Math.floor(random() * 6)
      return atoms.flatMap((atom, index) =>
        index > 0 && index % width === 0 ? [{ text: separator, source: null }, atom] : [atom],
      )
    },
  }
}

function reorder(name: string, order: (atoms: readonly Atom[]) => Atom[]): Transformation {
  return { name, apply: (atoms) => order(atoms.flatMap(split)) }
}

function split({ text, source }: Atom): Atom[] {
  return [...text].map((character) => ({ text: character, source }))
}

export function textOf(atoms: readonly Atom[]): string {
  return atoms.map(({ text }) => text).join('')
}

/** Letters and digits from elsewhere; what is none of them stays. */
function letters(name: string, upper: number, lower: number, digit: number): Transformation {
  return each(name, (character) => {
    const code = character.charCodeAt(0)
    if (character.length === 1 && code >= 65 && code <= 90) return String.fromCodePoint(upper + code - 65)
    if (character.length === 1 && code >= 97 && code <= 122) return String.fromCodePoint(lower + code - 97)
    if (character.length === 1 && code >= 48 && code <= 57) return String.fromCodePoint(digit + code - 48)
    return character
  })
}

function shifted(name: string, by: number): Transformation {
  return each(name, (character) => {
    const code = character.charCodeAt(0)
    const start = code >= 97 && code <= 122 ? 97 : code >= 65 && code <= 90 ? 65 : null
    return start === null ? character : String.fromCharCode(start + ((code - start + by) % 26))
  })
}

const codeOf = (character: string) => character.codePointAt(0) ?? 0
const base32Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const morse =
  '.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..'.split(
    ' ',
  )

function base32(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => base32Letters[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}

/** Ways to write something otherwise. */
export const transformations: readonly Transformation[] = [
  each('in capitals', (one) => one.toUpperCase()),
  each('in small letters', (one) => one.toLowerCase()),
  each('with capitals exchanged', (one) =>
    one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase(),
  ),
  shifted('shifted by 13', 13),
  shifted('shifted by 1', 1),
  each('with digits for letters', (one) => ({ a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' })[one] ?? one),
  letters('in full width', 0xff21, 0xff41, 0xff10),
  letters('in bold of mathematics', 0x1d400, 0x1d41a, 0x1d7ce),
  letters('as flags', 0x1f1e6, 0x1f1e6, 0x30),
  letters('in Chinese', 0x4e00, 0x4e20, 0x4e40),
  letters('in private signs', 0xe000, 0xe020, 0xe040),
  each('in tags of Unicode', (one) =>
    codeOf(one) < 128 ? String.fromCodePoint(0xe0000 + codeOf(one)) : one,
  ),
  each('in braille', (one) => (codeOf(one) < 256 ? String.fromCodePoint(0x2800 + codeOf(one)) : one)),
  each('in hexadecimal', (one) => Buffer.from(one).toString('hex')),
  each('in hexadecimal capitals', (one) => Buffer.from(one).toString('hex').toUpperCase()),
  each('in hexadecimal with 0x', (one) => `0x${codeOf(one).toString(16)},`),
  each('in decimal', (one) => `${codeOf(one)},`),
  each('in decimal, added to', (one) => `${codeOf(one) + 1000} `),
  each('in octal', (one) => `\\${codeOf(one).toString(8)}`),
  each('in binary', (one) => codeOf(one).toString(2).padStart(8, '0')),
  each('in escapes of JavaScript', (one) =>
    codeOf(one) < 256 ? `\\x${codeOf(one).toString(16).padStart(2, '0')}` : one,
  ),
  each('in escapes of JSON', (one) =>
    one.length === 1 ? `\\u${codeOf(one).toString(16).padStart(4, '0')}` : one,
  ),
  each('in entities', (one) => `&#${codeOf(one)};`),
  each('in hexadecimal entities', (one) => `&#x${codeOf(one).toString(16)};`),
  each('in escapes of addresses', (one) =>
    [...Buffer.from(one)].map((byte) => `%${byte.toString(16)}`).join(''),
  ),
  each('in Morse code', (one) => `${morse[one.toLowerCase().charCodeAt(0) - 97] ?? one} `),
  each('with accents', (one) => `${one}\u0301`),
  each('with selectors', (one) => `${one}\u{fe0f}`),
  each('twice', (one) => one + one),
  whole('in base64', (text) => Buffer.from(text).toString('base64')),
  whole('in base64 of addresses', (text) => Buffer.from(text).toString('base64url')),
  whole('in base64 of UTF-16', (text) => Buffer.from(text, 'utf16le').toString('base64')),
  whole('in base32', base32),
  whole('in gzip', (text) => gzipSync(text).toString('base64')),
  whole('in deflate', (text) => deflateSync(text).toString('hex')),
  whole('in wrapped base64', (text) => Buffer.from(text).toString('base64').replace(/.{12}/g, '$&\n')),
  whole('as JSON', (text) => JSON.stringify(text)),
  reorder('backwards', (atoms) => atoms.toReversed()),
  reorder('in two halves', (atoms) => [
    ...atoms.slice(atoms.length / 2),
    ...atoms.slice(0, atoms.length / 2),
  ]),
  reorder('with neighbours exchanged', (atoms) => atoms.map((atom, at) => atoms[at ^ 1] ?? atom)),
  between('blanks', ' '),
  between('dashes', '-'),
  between('colons', ':'),
  between('commas', ', '),
  between('ends of lines', '\r\n'),
  between('tabulators', '\t'),
  between('signs that are not shown', '\u200b'),
  between('hyphens that are not shown', '\u00ad'),
  between('bold tags', '</b><b>'),
  between('places to break', '<wbr>'),
  between('quotes', '","'),
  between('objects', '"},{"error":"'),
  between('comments', '<!-- -->'),
  between('words', ' is '),
]
