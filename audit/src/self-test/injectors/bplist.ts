import { textEncodings } from '../encodings.ts'
import { type Injector, refuseAll, textOf, type Wish } from '../injector.ts'

/** Where an object is, and its marker. */
interface ObjectAt {
  readonly index: number
  readonly offset: number
}

/**
 * Values that are there become new strings, which are behind the other objects: the offset table points at them.
 * A string with a character beyond ASCII is kept in UTF-16.
 */
export const binaryPropertyList: Injector = {
  format: 'binary-plist',
  by: 'mark',
  recognises: (_, bytes) => bytes.length > 40 && bytes.toString('latin1', 0, 7) === 'bplist0',
  slots: [
    { slot: 'ASCII string', encodings: textEncodings },
    { slot: 'UTF-16 string', encodings: textEncodings.slice(0, 1) },
  ],
  inject(bytes, wishes) {
    const trailer = bytes.length - 32
    const offsetSize = bytes.readUInt8(trailer + 6)
    const count = Number(bytes.readBigUInt64BE(trailer + 8))
    const table = Number(bytes.readBigUInt64BE(trailer + 24))
    const offsets = Array.from({ length: count }, (_, index) =>
      bytes.readUIntBE(table + index * offsetSize, offsetSize),
    )
    const values = valuesOf(bytes, offsets)
    if (values.length === 0) return refuseAll(bytes, wishes, 'it has no value to replace')
    const objects: Buffer[] = []
    let end = table
    const taken = wishes.slice(0, values.length)
    taken.forEach((wish, at) => {
      const object = stringObject(wish)
      offsets[values[at] ?? 0] = end
      objects.push(object)
      end += object.length
    })
    const width = Math.max(offsetSize, end < 0x1_0000 ? 2 : 4)
    const written = Buffer.alloc(count * width)
    offsets.forEach((offset, index) => {
      written.writeUIntBE(offset, index * width, width)
    })
    const ending = Buffer.from(bytes.subarray(trailer))
    ending.writeUInt8(width, 6)
    ending.writeBigUInt64BE(BigInt(end), 24)
    const refused = new Map<Wish, string>(
      wishes.slice(values.length).map((wish) => [wish, 'it has no more values to replace']),
    )
    return { bytes: Buffer.concat([bytes.subarray(0, table), ...objects, written, ending]), refused }
  },
}

function stringObject(wish: Wish): Buffer {
  if (wish.slot === 'ASCII string')
    return Buffer.concat([Buffer.from([0x5f, 0x10, wish.payload.length]), wish.payload])
  const text = `\u00fc ${textOf(wish)}`
  return Buffer.concat([Buffer.from([0x6f, 0x10, text.length]), Buffer.from(text, 'utf16le').swap16()])
}

/** Scalars that are a value in a dictionary and as a key in none; strings first. */
function valuesOf(bytes: Buffer, offsets: readonly number[]): number[] {
  const referenceSize = bytes.readUInt8(bytes.length - 32 + 7)
  const keys = new Set<number>()
  const values = new Set<number>()
  for (const offset of offsets) {
    const marker = bytes.readUInt8(offset)
    if (marker >> 4 !== 0xd) continue
    const isLong = (marker & 0xf) === 0xf
    const size = isLong ? 1 << (bytes.readUInt8(offset + 1) & 0xf) : 0
    const length = isLong ? bytes.readUIntBE(offset + 2, size) : marker & 0xf
    const first = offset + 1 + (isLong ? 1 + size : 0)
    for (let item = 0; item < length * 2; item++)
      (item < length ? keys : values).add(bytes.readUIntBE(first + item * referenceSize, referenceSize))
  }
  const kind = ({ offset }: ObjectAt) => bytes.readUInt8(offset) >> 4
  return [...values]
    .filter((index) => !keys.has(index))
    .map((index): ObjectAt => ({ index, offset: offsets[index] ?? 0 }))
    .filter((object) => kind(object) < 0xa)
    .sort((a, b) => Number(kind(b) === 5) - Number(kind(a) === 5))
    .map(({ index }) => index)
}
