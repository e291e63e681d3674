import { readPool } from '../../formats/constant-pool.ts'
import { textEncodings } from '../encodings.ts'
import { type Injector, none, spliced } from '../injector.ts'

const utf8Constant = 1
const stringConstant = 8

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
    const copy = spliced(bytes, readPool(bytes).end, 0, Buffer.concat(added))
    copy.writeUInt16BE(count + wishes.length * 2, 8)
    return { bytes: copy, refused: none }
  },
}
