/** A text that stood in another form in the file, and where in it the hit is. */
export interface Decoded {
  readonly text: string
  /** Index in `text` of the prefix. */
  readonly at: number
}

/** In characters: more than the longest candidate for a key, in each direction. */
const mostBefore = 64
const mostBehind = 1024

/** Base64 and base64url around an index; `phase` is the place of that character in its group of four. */
export function base64Around(text: string, at: number, phase: number): Decoded {
  const isDigit = (index: number) => isBase64[text.charCodeAt(index)] === 1
  let start = at - phase
  for (let index = Math.max(0, start); index < at; index++)
    if (!isDigit(index)) return base64From(text, at, phase)
  while (start >= 4 && at - start < mostBefore && [1, 2, 3, 4].every((back) => isDigit(start - back)))
    start -= 4
  const decoded = Buffer.from(text.slice(start, base64End(text, at)), 'base64').toString('latin1')
  return { text: decoded, at: Math.floor(((at - start) * 6) / 8) }
}

/** The characters before the hit are no base64: the group is filled up, and what fills it is not the hit's. */
function base64From(text: string, at: number, phase: number): Decoded {
  const rest = text.slice(at, base64End(text, at))
  return {
    text: Buffer.from('A'.repeat(phase) + rest, 'base64').toString('latin1'),
    at: Math.floor((phase * 6) / 8),
  }
}

function base64End(text: string, at: number): number {
  const isDigit = (index: number) => isBase64[text.charCodeAt(index)] === 1
  let end = at
  for (let next = at; next < at + mostBehind && isDigit(next); next = behindLineEnd(text, end)) {
    end = next
    while (end < at + mostBehind && isDigit(end)) end += 1
  }
  return end
}

/** As `wrapped-values.ts` joins them. */
const shortestLine = 60
const lineEnd = /[\t ]*\r?\n[\t ]*/y

/** Where base64 that is wrapped goes on behind a line of whole groups; the same index where it does not. */
function behindLineEnd(text: string, end: number): number {
  let start = end
  while (isBase64[text.charCodeAt(start - 1)] === 1 && end - start < mostBehind) start -= 1
  if (end - start < shortestLine || (end - start) % 4 !== 0) return end
  lineEnd.lastIndex = end
  return end + (lineEnd.exec(text)?.[0].length ?? 0)
}

const isBase64 = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9+/_-]/.test(String.fromCharCode(code)) ? 1 : 0,
)

export function hexAround(text: string, at: number): Decoded {
  // Up to where no two digits follow each other.
  return { text: Buffer.from(text.slice(at, at + mostBehind), 'hex').toString('latin1'), at: 0 }
}

export function reversedAround(text: string, at: number, prefix: string): Decoded {
  const end = at + prefix.length
  const run = /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]*$/.exec(text.slice(Math.max(0, end - 1024), end))?.[0] ?? ''
  return { text: [...run].reverse().join(''), at: 0 }
}

const escapeForm =
  /\\\r?\n[ \t]*(?![\w.-]{1,64}\s{0,8}[=:])|%([0-9a-f]{2})|\\x([0-9a-f]{2})|\\u([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|\\([0-3][0-7]{2}|[0-7]{2})|&#x([0-9a-f]{1,6});|&#([0-9]{1,7});|&(?:lowbar|UnderBar);/giy

const escapeMarks = '%\\&'

/**
 * Resolves percent, `\x`, `\u`, octal and entity escapes, and lines that a backslash continues (not where the next one begins
 * with a name and `=`), from an index on, as far as a key could reach. */
export function escapedFrom(text: string, at: number): Decoded {
  let decoded = ''
  for (let index = at; index < text.length && decoded.length < 1024; ) {
    escapeForm.lastIndex = index
    const match = escapeMarks.includes(text[index] ?? ' ') ? escapeForm.exec(text) : null
    if (match === null) {
      decoded += text[index] ?? ''
      index += 1
      continue
    }
    decoded += unescaped(match)
    index += match[0].length
  }
  return { text: decoded, at: 0 }
}

const anyEscape = new RegExp(`${escapeForm.source}|\\\\([nrt\\\\/"'])|&amp;`, 'gi')
const letters: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }
/** Escapes around escapes. */
const mostRounds = 3

/** The whole text without its escapes, also those that come about when others are resolved. */
export function unescapedWhole(text: string): string {
  let before = ''
  let plain = text
  for (let round = 0; round < mostRounds && plain !== before; round++) {
    before = plain
    plain = unescapedOnce(before)
  }
  return plain
}

const piecesTogether = 16_384

/** One after the other: replacing them all at once would hold millions of matches, in several hundred megabytes. */
function unescapedOnce(text: string): string {
  const parts: string[] = []
  let pieces: string[] = []
  let done = 0
  anyEscape.lastIndex = 0
  for (let match = anyEscape.exec(text); match !== null; match = anyEscape.exec(text)) {
    pieces.push(text.slice(done, match.index), charOf(match))
    done = anyEscape.lastIndex
    if (pieces.length < piecesTogether) continue
    parts.push(pieces.join(''))
    pieces = []
  }
  return done === 0 ? text : parts.join('') + pieces.join('') + text.slice(done)
}

function charOf(match: RegExpExecArray): string {
  if (match[0] === '&amp;') return '&'
  const letter = match[8]
  return letter === undefined ? unescaped(match) : (letters[letter] ?? letter)
}

function unescaped([match, percent, x, u, braced, octal, entity, decimal]: RegExpExecArray): string {
  if (/^\\\r?\n/.test(match)) return ''
  const hex = percent ?? x ?? u ?? braced ?? entity
  if (hex === undefined && octal === undefined && decimal === undefined) return '_'
  const code =
    hex !== undefined
      ? Number.parseInt(hex, 16)
      : octal !== undefined
        ? Number.parseInt(octal, 8)
        : Number(decimal)
  return code <= 0x10_ffff ? String.fromCodePoint(code) : '\ufffd'
}

export function decodeXored(bytes: Uint8Array, offset: number, key: number): string {
  let text = ''
  for (let at = offset; at < Math.min(bytes.length, offset + 1024); at++) {
    const char = String.fromCharCode((bytes[at] ?? 0) ^ key)
    if (!/[A-Za-z0-9_-]/.test(char)) break
    text += char
  }
  return text
}
