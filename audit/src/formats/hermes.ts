import type { Extent, StringTable } from '../search/string-table.ts'
import type { MarkedFormat } from './audited-format.ts'
import { align, assertHoldable } from './fields.ts'

const magic = Buffer.from('c61fbc03c103191f', 'hex')

export const hermes: MarkedFormat = {
  by: 'mark',
  name: 'hermes',
  marks: [magic.readUInt32BE()],
  isMeant: (bytes) => bytes.subarray(0, 8).equals(magic),
  lengthAt: 32,
  read: readStrings,
}

const overflowed = 0xff
const identifierKind = 1

/**
 * Hermes bytecode, versions 84 to 99: strings are packed back to back and may overlap, so only the small string table
 * knows where one begins and ends. @throws RangeError for another version, or where the tables do not parse.
 */
function readStrings(bytes: Buffer): StringTable {
  const layout = layoutOf(bytes)
  const { strings, runs, overflow, storageAt, storageEnd } = layout
  assertHoldable(strings)
  const extents: Extent[] = []
  let run = 0
  let long = 0
  for (let index = 0; index < strings; index++) {
    const { start, end, view, isLong } = stringAt(bytes, layout, index)
    if (end > storageEnd) throw new RangeError('a string is cut off')
    if (isLong) long += 1
    while (run < runs.length && index >= (runs[run]?.[0] ?? 0)) run += 1
    extents.push({ start, end, view, role: runs[run]?.[1] === identifierKind ? 'name' : 'value' })
  }
  // Each long string has a row of its own: with any other number of rows, the storage begins somewhere else.
  if (long !== overflow) throw new RangeError('the rows are not those of the long strings')
  return { extents, regions: [{ start: storageAt, end: storageEnd }] }
}

/** Where the parts of a file are. @throws RangeError where it does not parse */
function layoutOf(bytes: Buffer) {
  const { version, functions, kinds, identifiers, strings, overflow, storage } = fieldsOf(bytes)
  // Function headers were widened along the way; the runs of kinds must add up to the number of strings.
  for (const functionSize of version >= 98 ? [12, 16] : [16, 12]) {
    const kindsAt = headerSize + functions * functionSize
    const runs = runsOf(bytes, kindsAt, kinds, strings)
    if (runs === null) continue
    const stringsAt = kindsAt + kinds * 4 + identifiers * 4
    const overflowAt = stringsAt + strings * 4
    const storageAt = align(overflowAt + overflow * 8)
    const storageEnd = storageAt + storage
    if (storageEnd <= bytes.length)
      return { runs, strings, stringsAt, overflow, overflowAt, storageAt, storageEnd }
  }
  throw new RangeError('the string table is corrupt')
}

function fieldsOf(bytes: Buffer) {
  const version = bytes.readUInt32LE(8)
  if (version < 84 || version > 99) throw new RangeError(`unknown bytecode version ${version}`)
  // Where bytes were put in, the strings are not where the tables say: some of them would end in the middle.
  if (bytes.readUInt32LE(32) !== bytes.length)
    throw new RangeError('the file does not have the length that its header declares')
  // The header: magic 8, version 4, source hash 20, file length 4, global code 4, then counts.
  const [functions = 0, kinds = 0, identifiers = 0, strings = 0, overflow = 0, storage = 0] = [
    40, 44, 48, 52, 56, 60,
  ].map((at) => bytes.readUInt32LE(at))
  return { version, functions, kinds, identifiers, strings, overflow, storage }
}

const headerSize = 128

/** Runs of one kind each: the top bit says identifier, the rest how many. Returns the end of each run. */
function runsOf(
  bytes: Buffer,
  at: number,
  count: number,
  strings: number,
): [end: number, kind: number][] | null {
  if (at + count * 4 > bytes.length) return null
  const runs: [number, number][] = []
  let total = 0
  for (let run = 0; run < count; run++) {
    const entry = bytes.readUInt32LE(at + run * 4)
    total += entry & 0x7fff_ffff
    runs.push([total, entry >>> 31])
  }
  return total === strings ? runs : null
}

/** Where a string is in the file. @throws RangeError for one that the table does not have */
function stringAt(
  bytes: Buffer,
  { stringsAt, overflowAt, overflow, storageAt }: ReturnType<typeof layoutOf>,
  index: number,
): Omit<Extent, 'role'> & { readonly isLong: boolean } {
  const entry = bytes.readUInt32LE(stringsAt + index * 4)
  const isUtf16 = (entry & 1) === 1
  let offset = (entry >>> 1) & 0x7f_ffff
  let length = entry >>> 24
  const isLong = length === overflowed
  if (isLong) {
    if (offset >= overflow) throw new RangeError('a long string has no row')
    const row = overflowAt + offset * 8
    offset = bytes.readUInt32LE(row)
    length = bytes.readUInt32LE(row + 4)
  }
  const start = storageAt + offset
  return { start, end: start + length * (isUtf16 ? 2 : 1), view: isUtf16 ? 'utf-16le' : 'utf-8', isLong }
}
