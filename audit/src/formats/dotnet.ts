import type { Extent, Stretch, StringTable } from '../search/string-table.ts'
import type { MarkedFormat } from './audited-format.ts'
import { fieldsIn } from './dotnet-fields.ts'
import { resourcesIn } from './dotnet-resources.ts'
import { align } from './fields.ts'
import { parsed } from './parsed.ts'

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
