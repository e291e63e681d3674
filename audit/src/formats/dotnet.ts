import type { Extent, Name, Stretch, StringTable } from '../search/string-table.ts'
import type { MarkedFormat } from './audited-format.ts'
import { align, assertHoldable, cursorAt, parsed } from './fields.ts'

/** Programs and libraries of .NET. */
export const dotnet: MarkedFormat = {
  by: 'mark',
  name: 'dotnet',
  marks: [0x4d5a9000],
  isMeant: (bytes) => parsed(() => metadataOf(bytes), null) !== null,
  read: readTexts,
}

const [peSignature, metadataSignature] = [0x4550, 0x424a5342]
const longestStreamName = 32

/** Where the metadata begins; `null` in a file that has none. @throws RangeError where the headers do not parse */
function metadataOf(bytes: Buffer): number | null {
  const start = bytes.readUInt32LE(0x3c)
  if (bytes.readUInt32LE(start) !== peSignature) return null
  const optional = start + 24
  const directories = optional + (bytes.readUInt16LE(optional) === 0x20b ? 112 : 96)
  const runtime = bytes.readUInt32LE(directories + 14 * 8)
  if (runtime === 0) return null
  const sections = optional + bytes.readUInt16LE(start + 20)
  const count = bytes.readUInt16LE(start + 6)
  const offsetOf = (address: number) => {
    for (let index = 0; index < count; index++) {
      const at = sections + index * 40
      const first = bytes.readUInt32LE(at + 12)
      if (address >= first && address < first + bytes.readUInt32LE(at + 16))
        return address - first + bytes.readUInt32LE(at + 20)
    }
    throw new RangeError('an address is in no section')
  }
  const metadata = offsetOf(bytes.readUInt32LE(offsetOf(runtime) + 8))
  return bytes.readUInt32LE(metadata) === metadataSignature ? metadata : null
}

/** Streams of the metadata, by their names. @throws RangeError where they do not parse */
function streamsOf(bytes: Buffer, metadata: number): Map<string, Stretch> {
  const streams = new Map<string, Stretch>()
  let at = metadata + 16 + align(bytes.readUInt32LE(metadata + 12))
  const count = bytes.readUInt16LE(at + 2)
  at += 4
  for (let index = 0; index < count; index++) {
    const length = bytes.subarray(at + 8, at + 8 + longestStreamName).indexOf(0)
    if (length === -1) throw new RangeError('the name of a stream does not end')
    const start = metadata + bytes.readUInt32LE(at)
    const place = { start, end: start + bytes.readUInt32LE(at + 4) }
    streams.set(bytes.toString('latin1', at + 8, at + 8 + length), place)
    at += 8 + align(length + 1)
  }
  return streams
}

/** Resources, and the texts that code loads. */
function readTexts(bytes: Buffer): StringTable {
  const metadata = metadataOf(bytes)
  const streams = metadata === null ? null : streamsOf(bytes, metadata)
  const [heap, tables, strings] = ['#US', '#~', '#Strings'].map((name) => streams?.get(name))
  if (heap === undefined) return { extents: resourcesIn(bytes), regions: [] }
  if (heap.end > bytes.length) throw new RangeError('the heap of texts is cut off')
  const fields = parsed(() => tables && strings && fieldsIn(bytes, tables, strings), undefined)
  return { extents: textsIn(bytes, heap, fields), regions: [heap] }
}

/** Each text has its length in one, two or four bytes, and a byte of flags behind it. */
function* textsIn(bytes: Buffer, heap: Stretch, fields?: ReturnType<typeof fieldsIn>): Generator<Extent> {
  yield* resourcesIn(bytes)
  for (let at = heap.start + 1; at < heap.end; ) {
    const place = at - heap.start
    const first = bytes.readUInt8(at)
    const width = first < 0x80 ? 1 : first < 0xc0 ? 2 : 4
    const length = bytes.readUIntBE(at, width) - (width === 1 ? 0 : width === 2 ? 0x8000 : 0xc000_0000)
    const start = at + width
    at = start + length
    if (at > heap.end) throw new RangeError('a text is longer than its heap')
    if (length > 1)
      yield { start, end: at - 1, view: 'utf-16le', role: 'value', named: () => fields?.(place) }
  }
}

/** Kinds of metadata, by their numbers. */
const [module, reference, definition, pointer, field, methodPointer, method] = [0, 1, 2, 3, 4, 5, 6]
const [moduleReference, specification, assembly] = [26, 27, 35]
const longestName = 256
/** `stsfld` and `stfld` right behind a text that is loaded. */
const stores = [0x80, 0x7d]

/**
 * Finds the name of the field that code gives a constant text, by the place of the text in its heap.
 * @throws RangeError where the tables do not parse
 */
function fieldsIn(bytes: Buffer, tables: Stretch, strings: Stretch): (text: number) => Name | undefined {
  let at = tables.start + 24
  const present = bytes.readBigUInt64LE(tables.start + 8)
  const rows = Array.from({ length: 64 }, (_, table) => {
    if (((present >> BigInt(table)) & 1n) === 0n) return 0
    at += 4
    return bytes.readUInt32LE(at - 4)
  })
  const widths = bytes.readUInt8(tables.start + 6)
  const ofHeap = (bit: number) => ((widths & bit) === 0 ? 2 : 4)
  const [text, guid, blob] = [ofHeap(1), ofHeap(2), ofHeap(4)]
  const rowsOf = (table: number) => rows[table] ?? 0
  const index = (bits: number, ...to: readonly number[]) =>
    Math.max(...to.map(rowsOf)) < 2 ** (16 - bits) ? 2 : 4
  at += rowsOf(module) * (2 + text + 3 * guid)
  at += rowsOf(reference) * (index(2, module, moduleReference, assembly, reference) + 2 * text)
  const members = index(0, pointer, field) + index(0, methodPointer, method)
  at += rowsOf(definition) * (4 + 2 * text + index(2, definition, reference, specification) + members)
  at += rowsOf(pointer) * index(0, field)
  const names = new Map<number, number>()
  for (const mark of stores.map((store) => Buffer.from([0x70, store])))
    for (let place = bytes.indexOf(mark, 4); place !== -1; place = bytes.indexOf(mark, place + 1)) {
      if (bytes[place - 4] !== 0x72 || bytes[place + 5] !== field) continue
      assertHoldable(names.size)
      const row = bytes.readUIntLE(place + 2, 3)
      if (row === 0 || row > rowsOf(field)) continue
      const name = bytes.readUIntLE(at + (row - 1) * (2 + text + blob) + 2, text)
      names.set(bytes.readUIntLE(place - 3, 3), strings.start + name)
    }
  return (place) => {
    const start = names.get(place) ?? bytes.length
    const length = bytes.subarray(start, start + longestName).indexOf(0)
    return length === -1 ? undefined : { start, end: start + length, view: 'utf-8' }
  }
}

/** How a `.resources` file begins, with the version of its header. */
const mark = Buffer.from('cecaefbe01000000', 'hex')
const textType = 1

/** Texts of the `.resources` files in an assembly, each with its name, up to one that does not parse. */
function* resourcesIn(bytes: Buffer): Generator<Extent> {
  let walked = 0
  // Tables of a trap share their names.
  const walk = (count: number) => {
    walked += count
    assertHoldable(walked)
  }
  try {
    for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 1))
      yield* textsOf(bytes, at, walk)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
}

/** Behind a header: hashes of the names, where each name is, the names with the places of their values, the values. */
function* textsOf(bytes: Buffer, start: number, walk: (count: number) => void): Generator<Extent> {
  const u32 = (at: number) => bytes.readUInt32LE(at)
  const cursor = (at: number) => cursorAt(bytes, at, bytes.length)
  const table = start + 12 + u32(start + 8)
  const [count, types] = [u32(table + 4), u32(table + 8)]
  walk(count + types)
  const head = cursor(table + 12)
  for (let type = 0; type < types; type++) head.vector()
  const places = start + align(head.place() - start, 8) + count * 4
  const names = places + count * 4 + 4
  const values = start + u32(names - 4)
  for (let index = 0; index < count; index++) {
    const name = cursor(names + u32(places + index * 4)).vector()
    const value = cursor(values + u32(name.end))
    if (value.number() === textType)
      yield { ...value.vector(), view: 'utf-8', role: 'value', named: { ...name, view: 'utf-16le' } }
  }
}
