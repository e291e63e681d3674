import { pathEnd, versionedPath } from '../model/mint-call.ts'
import {
  base64,
  type Encoding,
  escaped,
  hex,
  narrowEncodings,
  plain,
  reversed,
  type Spelling,
} from './encodings.ts'

/** How the characters of a text are laid out in bytes. MUTF-8, Latin-1 and ASCII read like `utf-8` here. */
export type View = 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32le'

/** A byte sequence that betrays something, and how to read what is around it. */
export interface Needle {
  readonly bytes: Buffer
  readonly wanted: 'key' | 'jwt' | 'mint-path' | 'gzip' | 'piece' | 'map' | 'obfuscator'
  readonly view: View
  readonly encoding: Encoding
  readonly spelling: Spelling
}

/** As many bytes of a needle are looked for first. None is shorter. */
export const markLength = 4

const narrow: readonly View[] = ['utf-8']
const wide: readonly View[] = ['utf-16le', 'utf-16be']
const views: readonly View[] = [...narrow, ...wide]
/** `wchar_t` and `char32_t` of C have four bytes a character, and lists of numbers in code. */
const widest: readonly View[] = ['utf-32le']

/** How the header of a JWS or JWE begins, by its first parameter, with and without a space. */
const joseHeaders = 'alg typ kid cty enc jku jwk x5t x5u x5c zip epk cri b64 ver'
  .split(' ')
  .flatMap((name) => [`{"${name}"`, `{ "${name}`])
  .map((text) => Buffer.from(text).toString('base64').slice(0, 8))

/** Those that are looked for in base64, too: `{"alg"`, `{"typ"` and `{"kid"`. */
const usualHeaders = ['eyJhbGci', 'eyJ0eXAi', 'eyJraWQi']

const mintPaths = ['/', '\\/', '%2F', '%2f', '\\u002F', '\\u002f'].map((slash) =>
  versionedPath.replaceAll('/', slash),
)

/** The head of gzip in base64, which compressed values of settings begin with. */
const packedHead = 'H4sI'

/** The source map in the comment of a script. */
const inlineMap = 'sourceMappingURL=data:'

/** Traces that obfuscators leave; `page.ts` looks closer. */
const obfuscators = [
  '.shift())',
  "'shift']())",
  '"shift"]())',
  'xyzABCDEFGHIJKLMN',
  '![]+',
  '={___:',
  'function(p,a,c,k,e',
  '1fff)',
  '8191)',
  '0x9e3779b9',
  '2654435769',
  // The Cyrillic letter of its faces, in UTF-8.
  '\xef\xbe\x9f\xd0\x94\xef\xbe\x9f',
]

/** Shorter pieces of a prefix would be in every file. */
const leastPiece = 4

/** Ways in which a script may begin a key that it puts together, or an address of the mint. */
function piecesOf(prefix: string, mintHost: string | undefined): string[] {
  const [first = prefix] = prefix.split(/(?<=[^A-Za-z0-9])/)
  const word = first.replace(/[^A-Za-z0-9]+$/, '')
  const ends = ['"', "'", '`', '$', '\\']
  return [
    prefix.slice(0, Math.max(leastPiece, first.length + 1)),
    ...ends.map((end) => first + end),
    ...['"', "'", '`'].flatMap((quote) => [quote, '\\', '-'].map((end) => quote + word + end)),
    pathEnd,
    ...(mintHost === undefined ? [] : [`://${mintHost}`]),
  ].filter(({ length }) => length >= leastPiece)
}

/** Texts that are looked for in encodings and views. */
type Row = readonly [
  wanted: Needle['wanted'],
  texts: readonly string[],
  encodings: readonly Encoding[],
  views: readonly View[],
]

/** Every form in which a key, a token, the path of the mint endpoint or a compressed value is looked for. */
export function needlesFor(prefix: string, mintHost?: string): Needle[] {
  const rows: readonly Row[] = [
    ['key', [prefix], [plain, reversed, hex, base64], views],
    ['key', [prefix], [plain], widest],
    // In bytes, the search itself knows them, and their mixtures with plain characters.
    ['key', [prefix], [escaped], wide],
    ['key', [prefix], narrowEncodings, narrow],
    ['mint-path', mintPaths, [plain], views],
    ['mint-path', mintPaths.slice(0, 1), [base64], narrow],
    ['jwt', joseHeaders, [plain], views],
    ['jwt', usualHeaders, [base64], narrow],
    ['gzip', [packedHead], [plain, base64], narrow],
    ['piece', piecesOf(prefix, mintHost), [plain], narrow],
    ['map', [inlineMap], [plain], narrow],
    ['obfuscator', obfuscators, [plain], narrow],
  ]
  const seen = new Set<string>()
  return rows
    .flatMap(([wanted, texts, encodings, views]) =>
      texts.flatMap((text) =>
        encodings.flatMap((encoding) =>
          encoding.spellings(text).flatMap((spelling) =>
            views.map((view) => ({
              bytes: encoded(spelling.text, view),
              wanted,
              view,
              encoding,
              spelling,
            })),
          ),
        ),
      ),
    )
    .filter(({ bytes, wanted, spelling }) => {
      // Compressed data begins where its text begins.
      if (wanted === 'gzip' && spelling.phase !== 0) return false
      const key = bytes.toString('latin1')
      return seen.has(key) ? false : seen.add(key) !== undefined
    })
}

function encoded(text: string, view: View): Buffer {
  if (view === 'utf-8') return Buffer.from(text, 'latin1')
  const bytes = Buffer.from(text, 'utf16le')
  if (view === 'utf-16le') return bytes
  if (view === 'utf-16be') return bytes.swap16()
  const widened = Buffer.alloc(bytes.length * 2)
  for (let at = 0; at < bytes.length; at += 2) widened.writeUInt16LE(bytes.readUInt16LE(at), at * 2)
  return widened
}

/** The prefix with each character written plainly or in any of the usual escapes. */
export function escapedPattern(prefix: string): RegExp {
  const chars = [...prefix].map((char) => {
    const code = char.charCodeAt(0)
    const hex = code.toString(16)
    return `(?:${char}|%${hex}|\\\\x${hex}|\\\\u00${hex}|\\\\u\\{0*${hex}\\}|\\\\${code.toString(8)}|&#x0*${hex};|&#0*${code};)`
  })
  return new RegExp(chars.join(''), 'gi')
}
