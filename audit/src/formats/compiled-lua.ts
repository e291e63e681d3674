import type { Piece } from './join-pieces.ts'

/** Types of short and long strings, by the version. */
const types = new Set([0x04, 0x14])
const longest = 512
/** Other constants may be between two texts. */
const apart = 24

export function isCompiledLua(bytes: Buffer): boolean {
  return bytes.length > 8 && bytes.readUInt32BE(0) === 0x1b4c7561
}

/** Texts that lie beside each other, as the constants of a function do. */
export function* constantsOfLua(bytes: Buffer): Generator<Piece[]> {
  let group: Piece[] = []
  let last = 0
  for (let at = 4; at < bytes.length; ) {
    const piece = textAt(bytes, at)
    if (piece === null) {
      at += 1
      continue
    }
    if (at - last > apart) {
      yield group
      group = []
    }
    group.push(piece)
    at = piece.offset + piece.text.length
    last = at
  }
  yield group
}

/** A type, a length that counts one more, and the text. */
function textAt(bytes: Buffer, at: number): Piece | null {
  if (!types.has(bytes[at] ?? 0)) return null
  for (const [length, offset] of lengthsAt(bytes, at + 1)) {
    if (length < 1 || length > longest || offset + length > bytes.length) continue
    const text = bytes.toString('latin1', offset, offset + length)
    if (/^[\x20-\x7e]+$/.test(text)) return { text, offset }
  }
  return null
}

/** Lua 5.4 ends a length with the highest bit; Lua 5.3 has one byte, and the versions before it four or eight. */
function* lengthsAt(bytes: Buffer, at: number): Generator<readonly [length: number, offset: number]> {
  const [first = 0, second = 0] = [bytes[at], bytes[at + 1]]
  if (first >= 0x80) yield [(first & 0x7f) - 1, at + 1]
  else if (second >= 0x80) yield [first * 128 + (second & 0x7f) - 1, at + 2]
  else if (first > 1) {
    yield [first - 1, at + 1]
    if (bytes[at + 4] === 0 && second === 0) yield [first - 1, at + 8]
    if (second === 0) yield [first - 1, at + 4]
  }
}
