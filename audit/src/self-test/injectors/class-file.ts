import { textEncodings } from '../encodings.ts'
import { type Injector, none, spliced } from '../injector.ts'

const utf8Constant = 1
const stringConstant = 8
/** Bytes behind the tag, by tag; a `Utf8` states its own. */
const sizes: Readonly<Record<number, number>> = {
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

/** A Java class has no offsets, so that its constant pool may grow at its end. */
export const classFile: Injector = {
  format: 'class',
  by: 'mark',
  recognises: (_, bytes) =>
    bytes.length > 10 && bytes.readUInt32BE(0) === 0xcafebabe && bytes.readUInt16BE(6) >= 45,
  slots: [{ slot: 'string constant', encodings: textEncodings }],
  inject(bytes, wishes) {
    const count = bytes.readUInt16BE(8)
    const added = wishes.map(({ payload }, index) => {
      const header = Buffer.alloc(3)
      header.writeUInt8(utf8Constant)
      header.writeUInt16BE(payload.length, 1)
      const string = Buffer.alloc(3)
      string.writeUInt8(stringConstant)
      string.writeUInt16BE(count + index * 2, 1)
      return Buffer.concat([header, payload, string])
    })
    const copy = spliced(bytes, poolEnd(bytes, count), 0, Buffer.concat(added))
    copy.writeUInt16BE(count + wishes.length * 2, 8)
    return { bytes: copy, refused: none }
  },
}

function poolEnd(bytes: Buffer, count: number): number {
  let at = 10
  for (let index = 1; index < count; index++) {
    const tag = bytes.readUInt8(at)
    const size = tag === utf8Constant ? 2 + bytes.readUInt16BE(at + 1) : sizes[tag]
    if (size === undefined) throw new RangeError(`constant ${index} has the unknown tag ${tag}`)
    at += 1 + size
    // A long and a double take two places.
    if (tag === 5 || tag === 6) index += 1
  }
  return at
}
