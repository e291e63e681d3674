/** Bytes after the tag of a constant, and the kinds that have so many; of a text, those before its characters. */
const kinds = [
  [2, [1, 7, 8, 16, 19, 20]],
  [3, [15]],
  [4, [3, 4, 9, 10, 11, 12, 17, 18]],
  [8, [5, 6]],
] as const
const widths = new Map<number, number>(kinds.flatMap(([width, tags]) => tags.map((tag) => [tag, width])))

/** Finds the constants of a class file by their numbers. @throws RangeError where they do not parse */
export function readPool(bytes: Buffer): { readonly places: readonly number[]; readonly end: number } {
  const count = bytes.readUInt16BE(8)
  const places: number[] = []
  let at = 10
  for (let index = 1; index < count; index++) {
    const tag = bytes.readUInt8(at)
    const width = widths.get(tag)
    if (width === undefined) throw new RangeError('a constant is of an unknown kind')
    places[index] = at
    at += 1 + width + (tag === 1 ? bytes.readUInt16BE(at + 1) : 0)
    // A constant of eight bytes counts twice.
    if (tag === 5 || tag === 6) index += 1
  }
  if (at > bytes.length) throw new RangeError('the constant pool is cut off')
  return { places, end: at }
}
