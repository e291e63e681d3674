import { textEncodings } from '../encodings.ts'
import { type Injector, none, refuseAll, spliced, textOf, type Wish } from '../injector.ts'

/** A string pool with more strings at its end: every index that is in use stays what it was. */
function grownPool(pool: Buffer, texts: readonly string[]): Buffer {
  const headerSize = pool.readUInt16LE(2)
  const [strings = 0, styles = 0, flags = 0, stringsAt = 0, stylesAt = 0] = [8, 12, 16, 20, 24].map((at) =>
    pool.readUInt32LE(at),
  )
  const isUtf8 = (flags & 0x100) !== 0
  const dataEnd = styles > 0 ? stylesAt : pool.length
  const data = pool.subarray(stringsAt, dataEnd)
  const offsets: number[] = []
  const added: Buffer[] = []
  let at = data.length
  for (const text of texts) {
    const item = isUtf8
      ? Buffer.concat([Buffer.from([text.length, text.length]), Buffer.from(text, 'latin1'), Buffer.alloc(1)])
      : Buffer.concat([Buffer.from([text.length, 0]), Buffer.from(text, 'utf16le'), Buffer.alloc(2)])
    offsets.push(at)
    added.push(item)
    at += item.length
  }
  const padding = Buffer.alloc((4 - (at & 3)) & 3)
  const table = Buffer.alloc(texts.length * 4)
  offsets.forEach((offset, index) => {
    table.writeUInt32LE(offset, index * 4)
  })
  const stringOffsets = headerSize + strings * 4
  const grown = Buffer.concat([
    pool.subarray(0, stringOffsets),
    table,
    pool.subarray(stringOffsets, stringsAt),
    data,
    ...added,
    padding,
    pool.subarray(dataEnd),
  ])
  grown.writeUInt32LE(grown.length, 4)
  grown.writeUInt32LE(strings + texts.length, 8)
  // No longer sorted, whatever it was.
  grown.writeUInt32LE(flags & ~1, 16)
  grown.writeUInt32LE(stringsAt + table.length, 20)
  if (styles > 0) grown.writeUInt32LE(grown.length - (pool.length - stylesAt), 24)
  return grown
}

function chunkAt(bytes: Buffer, at: number): Buffer {
  return bytes.subarray(at, at + bytes.readUInt32LE(at + 4))
}

/** The global pool holds the values of all resources. */
export const resourceTable: Injector = {
  format: 'arsc',
  by: 'mark',
  recognises: (_, bytes) => bytes.length > 12 && bytes.readUInt32BE(0) === 0x02000c00,
  slots: [{ slot: 'string value', encodings: textEncodings }],
  inject(bytes, wishes) {
    const pool = chunkAt(bytes, 12)
    if (pool.readUInt16LE(0) !== 1) return refuseAll(bytes, wishes, 'it does not begin with its string pool')
    const copy = spliced(bytes, 12, pool.length, grownPool(pool, wishes.map(textOf)))
    copy.writeUInt32LE(copy.length, 4)
    return { bytes: copy, refused: none }
  },
}

const startElement = 0x0102
const stringType = 3

/** Attributes that are there get the new strings as their values. */
export const binaryXml: Injector = {
  format: 'binary-xml',
  by: 'mark',
  recognises: (_, bytes) => bytes.length > 16 && bytes.readUInt32BE(0) === 0x03000800,
  slots: [{ slot: 'attribute value', encodings: textEncodings }],
  inject(bytes, wishes) {
    const pool = chunkAt(bytes, 8)
    if (pool.readUInt16LE(0) !== 1) return refuseAll(bytes, wishes, 'it does not begin with its string pool')
    const count = attributesOf(bytes).length
    const taken = wishes.slice(0, count)
    const first = pool.readUInt32LE(8)
    const copy = spliced(bytes, 8, pool.length, grownPool(pool, taken.map(textOf)))
    copy.writeUInt32LE(copy.length, 4)
    attributesOf(copy)
      .slice(0, taken.length)
      .forEach((at, index) => {
        copy.writeUInt32LE(first + index, at + 8)
        copy.writeUInt8(stringType, at + 15)
        copy.writeUInt32LE(first + index, at + 16)
      })
    const refused = new Map<Wish, string>(
      wishes.slice(count).map((wish) => [wish, 'it has no more attributes']),
    )
    return { bytes: copy, refused }
  },
}

function attributesOf(bytes: Buffer): number[] {
  const found: number[] = []
  for (let at = 8; at + 8 <= bytes.length; at += Math.max(8, bytes.readUInt32LE(at + 4))) {
    if (bytes.readUInt16LE(at) !== startElement) continue
    const first = at + 16 + bytes.readUInt16LE(at + 24)
    const size = bytes.readUInt16LE(at + 26)
    if (size < 20) throw new RangeError('an attribute is too short')
    for (let index = 0; index < bytes.readUInt16LE(at + 28); index++) found.push(first + index * size)
    if (found.length > bytes.length) throw new RangeError('more attributes than the file can contain')
  }
  return found
}
