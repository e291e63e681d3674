/** A text that stood in another form in the file, and where in it the hit is. */
export interface Decoded {
  readonly text: string
  /** Index in `text` of the prefix. */
  readonly at: number
}

/** Base64 and base64url around an index; `phase` is the place of that character in its group of four. */
export function base64Around(text: string, at: number, phase: number): Decoded {
  const isDigit = (char: string | undefined) => char !== undefined && /[A-Za-z0-9+/_-]/.test(char)
  let start = at - phase
  for (const index of range(Math.max(0, start), at))
    if (!isDigit(text[index])) return base64From(text, at, phase)
  while (start >= 4 && [1, 2, 3, 4].every((back) => isDigit(text[start - back]))) start -= 4
  let end = at
  while (isDigit(text[end])) end += 1
  const decoded = Buffer.from(text.slice(start, end), 'base64').toString('latin1')
  return { text: decoded, at: Math.floor(((at - start) * 6) / 8) }
}

/** The characters before the hit are no base64: the group is filled up, and what fills it is not the hit's. */
function base64From(text: string, at: number, phase: number): Decoded {
  const rest = /^[A-Za-z0-9+/_-]*/.exec(text.slice(at))?.[0] ?? ''
  return {
    text: Buffer.from('A'.repeat(phase) + rest, 'base64').toString('latin1'),
    at: Math.floor((phase * 6) / 8),
  }
}

function* range(from: number, to: number): Generator<number> {
  for (let index = from; index < to; index++) yield index
}

export function hexAround(text: string, at: number): Decoded {
  const run = /^(?:[0-9a-fA-F]{2})*/.exec(text.slice(at))?.[0] ?? ''
  return { text: Buffer.from(run, 'hex').toString('latin1'), at: 0 }
}

export function reversedAround(text: string, at: number, prefix: string): Decoded {
  const end = at + prefix.length
  const run = /[A-Za-z0-9_-]*$/.exec(text.slice(Math.max(0, end - 1024), end))?.[0] ?? ''
  return { text: [...run].reverse().join(''), at: 0 }
}

const escapeForm =
  /%([0-9a-f]{2})|\\x([0-9a-f]{2})|\\u([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|\\([0-3][0-7]{2}|[0-7]{2})|&#x([0-9a-f]{1,6});|&#([0-9]{1,7});|&(?:lowbar|UnderBar);/giy

/** Resolves percent, `\x`, `\u`, octal and entity escapes from an index on, as far as a key could reach. */
export function escapedFrom(text: string, at: number): Decoded {
  let decoded = ''
  for (let index = at; index < text.length && decoded.length < 1024; ) {
    escapeForm.lastIndex = index
    const match = escapeForm.exec(text)
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

function unescaped([, percent, x, u, braced, octal, entity, decimal]: RegExpExecArray): string {
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
