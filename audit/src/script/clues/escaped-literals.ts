/**
 * A script, in any encoding of which ASCII is a part, as it would be without the escapes of its literals, those in
 * literals inside literals included. Only marks of literals stay escaped, and what is no printable ASCII. It is written
 * byte by byte: a pattern would hold every escape at once, of which there may be millions.
 */
export function resolveEscapes(script: Buffer): Buffer {
  const resolved = Buffer.allocUnsafe(script.length)
  let size = 0
  let done = 0
  for (let at = script.indexOf(backslash); at !== -1; at = script.indexOf(backslash, done)) {
    const start = at
    while (script[at] === backslash) at++
    const read = escapeAt(script, at)
    size += script.copy(resolved, size, done, start)
    done = read?.end ?? at
    if (read !== null && isPlain(read.code)) resolved[size++] = read.code
    else size += script.copy(resolved, size, start, done)
  }
  size += script.copy(resolved, size, done)
  return resolved.subarray(0, size)
}

const backslash = 0x5c
const x = 0x78
const u = 0x75
const openingBrace = 0x7b
const closingBrace = 0x7d
const zero = 0x30
const marks = Buffer.from('"\'`\\')

function isPlain(code: number): boolean {
  return code > 0x20 && code < 0x7f && !marks.includes(code)
}

interface Escape {
  readonly code: number
  readonly end: number
}

/** Reads the escape behind backslashes; `null` where it is not a character given by its number. */
function escapeAt(script: Buffer, at: number): Escape | null {
  const kind = (script[at] ?? 0) | 0x20
  if (kind === x) return numbered(script, at + 1, 2, 16)
  if (kind === u)
    return script[at + 1] === openingBrace ? braced(script, at + 2) : numbered(script, at + 1, 4, 16)
  const long = (script[at] ?? 0) < zero + 4 ? numbered(script, at, 3, 8) : null
  if (long !== null) return long
  const short = numbered(script, at, 2, 8)
  return short === null || digitOf(script[short.end]) < 10 ? null : short
}

function numbered(script: Buffer, start: number, length: number, base: number): Escape | null {
  let code = 0
  for (let at = start; at < start + length; at++) {
    const digit = digitOf(script[at])
    if (digit >= base) return null
    code = code * base + digit
  }
  return { code, end: start + length }
}

/** Reads one or two digits behind zeros, up to the closing brace. */
function braced(script: Buffer, start: number): Escape | null {
  let at = start
  while (script[at] === zero) at++
  let code = 0
  const most = at + 2
  for (; at < most && digitOf(script[at]) < 16; at++) code = code * 16 + digitOf(script[at])
  return at > start && script[at] === closingBrace ? { code, end: at + 1 } : null
}

const noDigit = 99

function digitOf(byte = 0): number {
  if (byte >= zero && byte <= zero + 9) return byte - zero
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : noDigit
}
