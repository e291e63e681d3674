/** A copy of a file in which one field is not true. */
export interface Lie {
  /** Where it is, and the bytes that are there now. */
  readonly at: number
  readonly bytes: Buffer
}

/** A varint that goes on, and one that ends with the largest group of seven bits. */
const [unending, endless] = [0x80, 0x7f]

/**
 * Tells a lie about every field that a file can have: each byte, and each aligned word of two, four and eight bytes in both
 * orders, becomes nothing, one, half of the most, the most (which is minus one), its own offset (a cycle), and a place behind
 * the end. Long runs of one byte are padding; of these, the beginning and the end are fields.
 */
export function* liesAbout(file: Buffer): Generator<Lie> {
  const isPadding = paddingOf(file)
  for (let at = 0; at < file.length; at++) {
    if (isPadding(at)) continue
    const seen = new Set<string>()
    for (const bytes of liesAt(file, at)) {
      const isTrue = file.subarray(at, at + bytes.length).equals(bytes)
      const shown = bytes.toString('latin1')
      if (isTrue || seen.has(shown)) continue
      seen.add(shown)
      yield { at, bytes }
    }
  }
}

export function told({ at, bytes }: Lie, file: Buffer): Buffer {
  const copy = Buffer.from(file)
  bytes.copy(copy, at)
  return copy
}

function* liesAt(file: Buffer, at: number): Generator<Buffer> {
  for (const value of [0, 1, endless, unending, 0xff]) yield Buffer.from([value])
  for (const width of [2, 4, 8] as const) {
    if (at % width !== 0 || at + width > file.length) continue
    const most = 2n ** BigInt(8 * width) - 1n
    for (const value of [0n, 1n, most / 2n, most, BigInt(at), BigInt(file.length + 1)])
      if (value <= most) yield* inBothOrders(width, value)
  }
}

function inBothOrders(width: number, value: bigint): [Buffer, Buffer] {
  const big = Buffer.from(value.toString(16).padStart(width * 2, '0'), 'hex')
  return [big, Buffer.from(big).reverse()]
}

const longRun = 48
const edge = 8

function paddingOf(file: Buffer): (at: number) => boolean {
  const isPadding = new Uint8Array(file.length)
  for (let start = 0; start < file.length; ) {
    let end = start + 1
    while (end < file.length && file[end] === file[start]) end += 1
    if (end - start >= longRun) isPadding.fill(1, start + edge, end - edge)
    start = end
  }
  return (at) => isPadding[at] === 1
}
