/** Strings of a PDF whose bytes are not what they say: escaped, in hexadecimal, in UTF-16, or in pieces. */

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
const longest = 32_768

/** How many characters may be read for each that there is: brackets that stay open are read again and again. */
const mostReadings = 4

/**
 * The strings of a stream or of a body as text, a line each. Those that are there as they are, in one piece, are left
 * out: a search of the bytes finds them.
 */
export function stringsIn(bytes: Buffer): { readonly text: string; readonly isWhole: boolean } {
  if (!isMostlyText(bytes)) return { text: '', isWhole: true }
  const text = bytes.toString('latin1')
  const lines: string[] = []
  let left = longest + text.length * mostReadings
  let pieces: string[] = []
  const opener = /[([<\]]/g
  for (let match = opener.exec(text); match !== null && left > 0; match = opener.exec(text)) {
    const [char] = match
    if (char === '[') pieces = []
    else if (char === ']') {
      // Text that is shown in pieces, with distances between them.
      if (pieces.length > 1 && /^\s*TJ/.test(text.slice(match.index + 1, match.index + 16)))
        lines.push(pieces.join(''))
      pieces = []
    } else {
      const read = char === '(' ? literalAt(text, match.index) : hexAt(text, match.index)
      left -= (read?.end ?? Math.min(text.length, match.index + (char === '(' ? longest : 1))) - match.index
      if (read === null) continue
      opener.lastIndex = read.end
      if (pieces.length < longest) pieces.push(read.value)
      if (read.isChanged) lines.push(read.value)
    }
  }
  return { text: lines.join('\n'), isWhole: left > 0 }
}

const sample = 16_384

/** Fonts, profiles and pictures are not; strings in UTF-16 have zeros. */
function isMostlyText(bytes: Buffer): boolean {
  let others = 0
  const head = bytes.subarray(0, sample)
  for (const byte of head)
    if (byte > 0x7e || (byte < 0x20 && byte !== 0 && (byte < 9 || byte > 13))) others += 1
  return others <= head.length * 0.3
}

interface Read {
  readonly value: string
  readonly end: number
  readonly isChanged: boolean
}

/** In brackets, which may be nested. */
function literalAt(text: string, start: number): Read | null {
  let value = ''
  let depth = 1
  let isChanged = false
  let at = start + 1
  for (const limit = Math.min(text.length, start + longest); at < limit; at++) {
    const char = text[at] ?? ''
    if (char === '\\') {
      isChanged = true
      const [whole = '', digits, end, other = ''] =
        /^\\(?:([0-7]{1,3})|(\r\n|\r|\n)|(.))/s.exec(text.slice(at, at + 4)) ?? []
      if (whole === '') return null
      if (digits !== undefined) value += String.fromCharCode(Number.parseInt(digits, 8) & 0xff)
      else if (end === undefined) value += escapes[other] ?? other
      at += whole.length - 1
      continue
    }
    if (char === '(') depth += 1
    if (char === ')') depth -= 1
    if (depth === 0) return withText(value, at + 1, isChanged)
    value += char
  }
  return null
}

const hexString = /<([0-9a-fA-F\s]*)>/y

/** `null` for what begins a dictionary. */
function hexAt(text: string, start: number): Read | null {
  hexString.lastIndex = start
  const [whole, digits = ''] = hexString.exec(text) ?? []
  if (whole === undefined) return null
  const hex = digits.replace(/\s/g, '')
  return withText(
    Buffer.from(hex.length % 2 === 0 ? hex : `${hex}0`, 'hex').toString('latin1'),
    start + whole.length,
    true,
  )
}

/** With a byte order mark it is UTF-16. */
function withText(value: string, end: number, isChanged: boolean): Read {
  if (!value.startsWith('\xfe\xff')) return { value, end, isChanged }
  const bytes = Buffer.from(value.slice(2, value.length & ~1), 'latin1').swap16()
  return { value: bytes.toString('utf16le'), end, isChanged: true }
}
