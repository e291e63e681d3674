/** Reads numbers of a native binary in its own byte order and width. */
export interface Fields {
  u32(at: number): number
  /** An address or a size: 64 bits where the file is of that width. */
  word(at: number): number
}

export function fieldsOf(bytes: Buffer, isLittle: boolean, isWide: boolean): Fields {
  const u32 = (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  const u64 = (at: number) => Number(isLittle ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at))
  return { u32, word: isWide ? u64 : u32 }
}

/** The place at or behind an offset that is a multiple of a number. */
export function align(offset: number, unit = 4): number {
  // Not by bits, which would make a place behind two gigabytes one before the file.
  return Math.ceil(offset / unit) * unit
}

/** More than any real file has; a table of more would take more memory than there is for it. */
const mostStrings = 1_000_000

/** @throws RangeError where a table says that it has more strings, or references to them, than can be held */
export function assertHoldable(count: number): void {
  if (count > mostStrings) throw new RangeError('more strings than fit into memory')
}

/** Returns what is read, or something else where the bytes do not parse. */
export function parsed<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return otherwise
    throw error
  }
}

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
