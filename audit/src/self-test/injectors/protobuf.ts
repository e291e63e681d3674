import { textEncodings } from '../encodings.ts'
import { type Injector, none, textOf } from '../injector.ts'

/** A field of a protobuf message that holds bytes, another message or a string. */
function field(number: number, ...contents: readonly (string | Buffer)[]): Buffer {
  const content = Buffer.concat(contents.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...varint(content.length)]), content])
}

/** A number in groups of seven bits, the lowest first; DEX files write it in the same way. */
export function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)]
}

/**
 * Compiled resources of an app bundle: a message may be followed by more of its fields, which then belong to it as well.
 * A package (field 2) of one type with one entry, whose value is an item (7, 1, 4, 2, 2) with a string (2).
 */
export const resourceProtobuf: Injector = {
  format: 'protobuf resources',
  by: 'mark',
  recognises: (name, bytes) => name === 'resources.pb' && bytes[0] === 0x0a,
  slots: [{ slot: 'string value', encodings: textEncodings }],
  inject(bytes, wishes) {
    const entries = wishes.map((wish, at) => {
      const item = field(4, field(2, field(1, textOf(wish))))
      return field(3, field(2, `canary${at}`), field(6, field(2, item)))
    })
    const added = field(
      2,
      field(1, Buffer.from([0x08, 0x7e])),
      field(2, 'canary.of.twotoken'),
      field(3, field(2, 'string'), ...entries),
    )
    return { bytes: Buffer.concat([bytes, added]), refused: none }
  },
}

/** XML of an app bundle: the root element (1) gets more attributes (4) with a name (2) and a value (3). */
export const xmlProtobuf: Injector = {
  format: 'protobuf XML',
  by: 'mark',
  recognises: (name, bytes) =>
    /\.xml$/i.test(name) && bytes[0] === 0x0a && bytes.subarray(0, 512).includes('android'),
  slots: [{ slot: 'attribute value', encodings: textEncodings }],
  inject(bytes, wishes) {
    const attributes = wishes.map((wish, at) => field(4, field(2, `canary${at}`), field(3, textOf(wish))))
    return { bytes: Buffer.concat([bytes, field(1, ...attributes)]), refused: none }
  },
}
