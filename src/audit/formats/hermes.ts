import type { Extent, StringTable } from '../scan/string-table.ts'
import type { MarkedFormat } from './audited-format.ts'
import { assertHoldable } from './most-strings.ts'

const overflowed = 0xff
const identifierKind = 1

const magic = Buffer.from('c61fbc03c103191f', 'hex')

export const hermes: MarkedFormat = {
  by: 'mark',
  name: 'hermes',
  marks: [magic.readUInt32BE()],
  isMeant: (bytes) => bytes.subarray(0, 8).equals(magic),
  lengthAt: 32,
  read: readHermes,
  injectors: async () => [(await import('../self-test/injectors/hermes.ts')).hermes],
}

/**
 * Hermes bytecode, versions 84 to 99: strings are packed back to back and may overlap, so only the small string table
 * knows where one begins and ends. @throws RangeError for another version, or where the tables do not parse.
 */
function readHermes(bytes: Buffer): StringTable {
  const version = bytes.readUInt32LE(8)
  if (version < 84 || version > 99) throw new RangeError(`unknown bytecode version ${version}`)
  // Where bytes were put in, the strings are not where the tables say: some of them would end in the middle.
  if (bytes.readUInt32LE(32) !== bytes.length)
    throw new RangeError('the file does not have the length that its header declares')
  const table = tableOf(bytes, fieldsOf(bytes), version)
  if (table !== null) return table
  throw new RangeError('the string table is corrupt')
}

interface Fields {
  readonly functions: number
  readonly kinds: number
  readonly identifiers: number
  readonly strings: number
  readonly overflow: number
  readonly storage: number
}

/** The header: magic 8, version 4, source hash 20, file length 4, global code 4, then counts. */
function fieldsOf(bytes: Buffer): Fields {
  const [functions = 0, kinds = 0, identifiers = 0, strings = 0, overflow = 0, storage = 0] = [
    40, 44, 48, 52, 56, 60,
  ].map((at) => bytes.readUInt32LE(at))
  return { functions, kinds, identifiers, strings, overflow, storage }
}

const headerSize = 128

function tableOf(bytes: Buffer, fields: Fields, version: number): StringTable | null {
  const { functions, kinds, identifiers, strings, overflow, storage } = fields
  // Function headers were widened along the way; the runs of kinds must add up to the number of strings.
  for (const functionSize of version >= 98 ? [12, 16] : [16, 12]) {
    const kindsAt = headerSize + functions * functionSize
    const runs = runsOf(bytes, kindsAt, kinds, strings)
    if (runs === null) continue
    const stringsAt = kindsAt + kinds * 4 + identifiers * 4
    const overflowAt = stringsAt + strings * 4
    const storageAt = align(overflowAt + overflow * 8)
    if (storageAt + storage > bytes.length) continue
    assertHoldable(strings)
    const extents: Extent[] = []
    let run = 0
    let long = 0
    for (let index = 0; index < strings; index++) {
      const extent = stringAt(bytes, stringsAt + index * 4, overflowAt, overflow)
      if (extent === null || extent.end > storage) return null
      if (extent.isLong) long += 1
      while (run < runs.length && index >= (runs[run]?.[0] ?? 0)) run += 1
      const role = runs[run]?.[1] === identifierKind ? 'name' : 'value'
      const { start, end, view } = extent
      extents.push({ start: storageAt + start, end: storageAt + end, view, role })
    }
    // Each long string has a row of its own: with any other number of rows, the storage begins somewhere else.
    if (long !== overflow) return null
    return { extents, regions: [{ start: storageAt, end: storageAt + storage }] }
  }
  return null
}

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

function stringAt(
  bytes: Buffer,
  at: number,
  overflowAt: number,
  overflow: number,
): (Omit<Extent, 'role'> & { readonly isLong: boolean }) | null {
  const entry = bytes.readUInt32LE(at)
  const isUtf16 = (entry & 1) === 1
  let start = (entry >>> 1) & 0x7f_ffff
  let length = entry >>> 24
  const isLong = length === overflowed
  if (isLong) {
    if (start >= overflow) return null
    const row = overflowAt + start * 8
    start = bytes.readUInt32LE(row)
    length = bytes.readUInt32LE(row + 4)
  }
  return { start, end: start + length * (isUtf16 ? 2 : 1), view: isUtf16 ? 'utf-16le' : 'utf-8', isLong }
}

function align(offset: number): number {
  return (offset + 3) & ~3
}
