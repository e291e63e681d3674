/** A text that stood in another form in the file, and where in it the hit is. */
export interface Decoded {
  readonly text: string
  /** Index in `text` of the prefix. */
  readonly at: number
}

/** In characters: more than the host before the mint's path, and than a token behind its header. */
const mostBefore = 512
const mostBehind = 8192

/** Base64 and base64url around an index; `phase` is the place of that character in its group of four. */
export function base64Around(text: string, at: number, phase: number): Decoded {
  const isDigit = (index: number) => isBase64[text.charCodeAt(index)] === 1
  let start = at - phase
  if (start < 0) return base64From(text, at, phase)
  for (let index = start; index < at; index++) if (!isDigit(index)) return base64From(text, at, phase)
  while (start >= 4 && at - start < mostBefore && [1, 2, 3, 4].every((back) => isDigit(start - back)))
    start -= 4
  const digits = text.slice(start, base64End(text, at)).replace(escapedLineEnds, '')
  return { text: Buffer.from(digits, 'base64').toString('latin1'), at: Math.floor(((at - start) * 6) / 8) }
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

/** Encoders wrap at 60 characters or more, whole groups of them. */
const shortestLine = 60
const lineEnd = /[\t ]*(?:\r?\n|(?:\\r)?\\n)[\t ]*/y
/** A text inside a string has its line ends escaped. */
const escapedLineEnds = /\\[rn]/g

/** Where base64 that is wrapped goes on behind a line of whole groups; the same index where it does not. */
function behindLineEnd(text: string, end: number): number {
  let start = end
  while (isBase64[text.charCodeAt(start - 1)] === 1 && end - start < mostBehind) start -= 1
  if (text[start - 1] === '\\') start += 1
  if (end - start < shortestLine || (end - start) % 4 !== 0) return end
  lineEnd.lastIndex = end
  return end + (lineEnd.exec(text)?.[0].length ?? 0)
}

const isBase64 = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9+/_-]/.test(String.fromCharCode(code)) ? 1 : 0,
)

export function hexAround(text: string, at: number): Decoded {
  // Base64 inside it is read from the group on that the hit is in.
  const [before = ''] = /(?:[0-9a-f]{2}){0,8}$/i.exec(text.slice(Math.max(0, at - 16), at)) ?? []
  // Up to where no two digits follow each other.
  const digits = text.slice(at - before.length, at + 2 * longestKey)
  return { text: Buffer.from(digits, 'hex').toString('latin1'), at: before.length / 2 }
}

const code = /[\s,]{0,8}(0x[0-9a-f]{1,2}|\d{1,3})(?![\w.])/iy

/** The characters of a list of numbers; `null` where the first of them has more digits. */
export function codesAround(text: string, at: number): Decoded | null {
  if (/[\w.]/.test(text[at - 1] ?? '')) return null
  const codes: number[] = []
  code.lastIndex = at
  for (let match = code.exec(text); match !== null && codes.length < longestKey; match = code.exec(text))
    codes.push(Number(match[1]) & 0xff)
  return { text: String.fromCharCode(...codes), at: 0 }
}

/** In characters, with room for what is before it. */
const longestKey = 1024

export function reversedAround(text: string, at: number, length: number): Decoded {
  const end = at + length
  const run = /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]*$/.exec(text.slice(Math.max(0, end - 1024), end))?.[0] ?? ''
  return { text: [...run].reverse().join(''), at: 0 }
}

const escapeForm =
  /\\\r?\n[ \t]*(?![\w.-]{1,64}\s{0,8}[=:])|%([0-9a-f]{2})|\\x([0-9a-f]{2})|\\u([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|\\([0-3][0-7]{2}|[0-7]{2})|&#x([0-9a-f]{1,6});|&#([0-9]{1,7});|&(?:lowbar|UnderBar);/giy

const escapeMarks = '%\\&'

/** Characters of keys and of base64. */
const isOfValue = /[\w+/=-]/

/**
 * Resolves percent, `\x`, `\u`, octal and entity escapes, and lines that a backslash continues (not where the next one begins
 * with a name and `=`), from an index on, up to the character that ends a value.
 */
export function escapedFrom(text: string, at: number): Decoded {
  let decoded = ''
  let isOpen = true
  for (let index = at; isOpen && index < text.length && decoded.length < longestKey; ) {
    escapeForm.lastIndex = index
    const match = escapeMarks.includes(text[index] ?? ' ') ? escapeForm.exec(text) : null
    const char = match === null ? (text[index] ?? '') : unescaped(match)
    decoded += char
    isOpen = char === '' || isOfValue.test(char)
    index += match === null ? 1 : match[0].length
  }
  return { text: decoded, at: 0 }
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
