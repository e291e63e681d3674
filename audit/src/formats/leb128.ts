/** Numbers in little endian, seven bits a byte; `null` of one that does not end. A signed one is skipped as well. */
export function varint(bytes: Buffer, from: number, to: number): { value: number; next: number } | null {
  let value = 0
  for (let at = from; at < Math.min(to, from + 10); at++) {
    const byte = bytes[at] ?? 0
    value += (byte & 0x7f) * 2 ** (7 * (at - from))
    if (byte < 0x80) return { value, next: at + 1 }
  }
  return null
}

/** Reads bytes one after the other. @throws RangeError at their end */
export interface Cursor {
  byte(): number
  /** LEB128, unsigned; a signed one is skipped as well. */
  number(): number
  vector(): { start: number; end: number }
  isAtEnd(): boolean
  place(): number
}

export function cursorAt(bytes: Buffer, from: number, to: number): Cursor {
  let at = from
  const byte = () => {
    if (at >= to) throw new RangeError('a section is cut off')
    at += 1
    return bytes.readUInt8(at - 1)
  }
  const number = () => {
    const read = varint(bytes, at, to)
    if (read === null) throw new RangeError('a number does not end')
    at = read.next
    return read.value
  }
  const vector = () => {
    const length = number()
    const start = at
    if (start + length > to) throw new RangeError('a vector is longer than its section')
    at = start + length
    return { start, end: at }
  }
  return { byte, number, vector, isAtEnd: () => at >= to, place: () => at }
}
