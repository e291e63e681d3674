import type { Extent, StringTable } from '../search/string-table.ts'
import type { MarkedFormat } from './audited-format.ts'
import { assertHoldable } from './most-strings.ts'
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

/** The heap of the texts that code loads; `null` without one. */
function heapOf(bytes: Buffer, metadata: number): { readonly start: number; readonly end: number } | null {
  let at = metadata + 16 + align(bytes.readUInt32LE(metadata + 12))
  const count = bytes.readUInt16LE(at + 2)
  at += 4
  for (let index = 0; index < count; index++) {
    const zero = bytes.subarray(at + 8, at + 8 + longestStreamName).indexOf(0)
    if (zero === -1) throw new RangeError('the name of a heap does not end')
    if (bytes.toString('latin1', at + 8, at + 8 + zero) === '#US') {
      const start = metadata + bytes.readUInt32LE(at)
      const end = start + bytes.readUInt32LE(at + 4)
      if (end > bytes.length) throw new RangeError('the heap of texts is cut off')
      return { start, end }
    }
    at += 8 + align(zero + 1)
  }
  return null
}

function align(length: number): number {
  return Math.ceil(length / 4) * 4
}

/** The texts that code loads: each with its length in one, two or four bytes, and a byte of flags behind it. */
function readTexts(bytes: Buffer): StringTable {
  const metadata = metadataOf(bytes)
  const heap = metadata === null ? null : heapOf(bytes, metadata)
  if (heap === null) return { extents: [], regions: [] }
  const extents: Extent[] = []
  for (let at = heap.start + 1; at < heap.end; ) {
    const first = bytes.readUInt8(at)
    const width = first < 0x80 ? 1 : first < 0xc0 ? 2 : 4
    const length = bytes.readUIntBE(at, width) - (width === 1 ? 0 : width === 2 ? 0x8000 : 0xc000_0000)
    const start = at + width
    at = start + length
    if (at > heap.end) throw new RangeError('a text is longer than its heap')
    assertHoldable(extents.length)
    if (length > 1) extents.push({ start, end: at - 1, view: 'utf-16le', role: 'value' })
  }
  return { extents, regions: [heap] }
}
