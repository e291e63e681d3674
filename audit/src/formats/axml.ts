import type { Extent, StringTable } from '../search/string-table.ts'
import { nameIn } from '../search/window.ts'
import type { MarkedFormat } from './audited-format.ts'
import { readStringPool } from './string-pool.ts'

const [poolChunk, startElement, text] = [0x0001, 0x0102, 0x0104]
const none = 0xffff_ffff

export const binaryXml: MarkedFormat = {
  by: 'mark',
  name: 'binary-xml',
  marks: [0x03000800],
  lengthAt: 4,
  read: readAxml,
}

/**
 * Binary XML: a string of its pool is a value where an attribute or a text refers to it, and a name otherwise. A value
 * is named by its attribute; one that is called `value`, by the `name` beside it, as in `<meta-data>`.
 */
function readAxml(bytes: Buffer): StringTable {
  let pool = -1
  for (const { type, at } of chunksIn(bytes)) if (type === poolChunk) pool = at
  if (pool === -1) throw new RangeError('the document has no string pool')
  const strings = readStringPool(bytes, pool, 'name')
  const names = namesOf(bytes, strings)
  const extents = strings.map((extent, index): Extent => {
    const name = names.get(index)
    return name === undefined ? extent : { ...extent, role: 'value', named: strings[name] }
  })
  return { extents, regions: [{ start: pool, end: pool + bytes.readUInt32LE(pool + 4) }] }
}

/** Values with their names, by the numbers of both; a text has none. */
function namesOf(bytes: Buffer, strings: readonly Extent[]): Map<number, number> {
  const names = new Map<number, number>()
  const numbersOf = (word: string) =>
    new Set(strings.flatMap((extent, index) => (nameIn(bytes, extent) === word ? [index] : [])))
  const [calledName, calledValue] = [numbersOf('name'), numbersOf('value')]
  for (const { type, at, size } of chunksIn(bytes)) {
    if (type === text) names.set(bytes.readUInt32LE(at + 16), none)
    if (type !== startElement) continue
    const attributes = [...attributesOf(bytes, at, size)]
    const beside = attributes.find(({ name }) => calledName.has(name))?.value
    for (const { name, value } of attributes)
      names.set(value, calledValue.has(name) ? (beside ?? name) : name)
  }
  return names
}

function* chunksIn(bytes: Buffer) {
  const end = bytes.readUInt32LE(4)
  if (end > bytes.length) throw new RangeError('the document is cut off')
  for (let at = 8; at + 8 <= end; ) {
    const size = bytes.readUInt32LE(at + 4)
    if (size < 8 || at + size > end) throw new RangeError('a chunk is longer than the file')
    yield { type: bytes.readUInt16LE(at), at, size }
    at += size
  }
}

const leastAttribute = 20

/** Strings that attributes of an element have, by their numbers. */
function* attributesOf(bytes: Buffer, element: number, elementSize: number) {
  const first = element + 16 + bytes.readUInt16LE(element + 24)
  const size = bytes.readUInt16LE(element + 26)
  const count = bytes.readUInt16LE(element + 28)
  if (count > 0 && (size < leastAttribute || first + count * size > element + elementSize))
    throw new RangeError('attributes are longer than their element')
  for (let index = 0; index < count; index++) {
    const at = first + index * size
    const [name, value] = [bytes.readUInt32LE(at + 4), bytes.readUInt32LE(at + 8)]
    if (value !== none) yield { name, value }
    if (bytes.readUInt8(at + 15) === 3) yield { name, value: bytes.readUInt32LE(at + 16) }
  }
}
