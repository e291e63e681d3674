/** Bytes after the tag of each kind of constant; of a text, those before its characters. */
const widths: Readonly<Record<number, number>> = {
  1: 2,
  3: 4,
  4: 4,
  5: 8,
  6: 8,
  7: 2,
  8: 2,
  9: 4,
  10: 4,
  11: 4,
  12: 4,
  15: 3,
  16: 2,
  17: 4,
  18: 4,
  19: 2,
  20: 2,
}

/** Finds the constants of a class file by their numbers. @throws RangeError where they do not parse */
export function readPool(bytes: Buffer): { readonly places: readonly number[]; readonly end: number } {
  const count = bytes.readUInt16BE(8)
  const places: number[] = []
  let at = 10
  for (let index = 1; index < count; index++) {
    const tag = bytes.readUInt8(at)
    const width = widths[tag]
    if (width === undefined) throw new RangeError('a constant is of an unknown kind')
    places[index] = at
    at += 1 + width + (tag === 1 ? bytes.readUInt16BE(at + 1) : 0)
    // A constant of eight bytes counts twice.
    if (tag === 5 || tag === 6) index += 1
  }
  if (at > bytes.length) throw new RangeError('the constant pool is cut off')
  return { places, end: at }
}
