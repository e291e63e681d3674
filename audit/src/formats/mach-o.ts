import type { ScanContext } from '../search/scan-context.ts'
import type { Extent, StringTable } from '../search/string-table.ts'
import type { MarkedFormat } from './audited-format.ts'
import { isFairPlayEncrypted, partsOf } from './fairplay.ts'
import { type Fields, fieldsOf } from './fields.ts'
import { createNulReader, type Place } from './nul-strings.ts'

const segment32 = 0x1
const symbols = 0x2
const segment64 = 0x19
const cstringLiterals = 2
/** Sections whose strings are names of the program: selectors, classes, types, fields. */
const names = /^__objc_(?:methname|classname|methtype)$|^__swift5_reflstr$/

/** Says where a part of the code is encrypted for the store. */
function inspectEncryption(
  { collector }: Pick<ScanContext, 'collector'>,
  location: string,
  bytes: Buffer,
): void {
  if (isFairPlayEncrypted(bytes)) collector.gap('fairplay', location, 'the code is FairPlay-encrypted')
}

export const machO: MarkedFormat = {
  by: 'mark',
  name: 'mach-o',
  marks: [0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe],
  packsStrings: true,
  mayHide: isFairPlayEncrypted,
  inspect: inspectEncryption,
  read: readMachO,
}

/** Parts for several processors. A class file has its version where this has the number of its parts. */
export const fatMachO: MarkedFormat = {
  ...machO,
  name: 'mach-o-fat',
  marks: [0xcafebabe, 0xcafebabf],
  isMeant: (bytes) => bytes.length > 8 && bytes.readUInt32BE(4) < 45,
}

/**
 * Mach-O, thin in either byte order or fat: C strings and constant strings of Foundation (which point at them) are
 * values, names of Objective-C and Swift and the symbol table are names.
 */
function readMachO(bytes: Buffer): StringTable {
  const table: Table = { extents: [], regions: [], stringsIn: createNulReader(bytes) }
  for (const start of partsOf(bytes)) readSlice(bytes, start, table)
  return { extents: table.extents, regions: table.regions }
}

interface Table {
  readonly extents: Extent[]
  readonly regions: Place[]
  readonly stringsIn: ReturnType<typeof createNulReader>
}

function readSlice(bytes: Buffer, base: number, table: Table): void {
  const magic = bytes.readUInt32BE(base)
  const isLittle = magic === 0xcefaedfe || magic === 0xcffaedfe
  const isWide = magic === 0xcffaedfe || magic === 0xfeedfacf
  // A fat file may hold static libraries, which have no load commands.
  if (!isLittle && !isWide && magic !== 0xfeedface) return
  const fields = fieldsOf(bytes, isLittle, isWide)
  let at = base + (isWide ? 32 : 28)
  const count = fields.u32(base + 16)
  for (let command = 0; command < count; command++) {
    const [kind, size] = [fields.u32(at), fields.u32(at + 4)]
    if (size < 8) throw new RangeError('a load command is corrupt')
    if (kind === segment32 || kind === segment64)
      readSegment(bytes, { base, at, size, isLittle, isWide: kind === segment64 }, fields, table)
    if (kind === symbols) {
      const start = base + fields.u32(at + 16)
      add({ start, end: start + fields.u32(at + 20) }, table, 'name')
    }
    at += size
  }
}

interface SegmentCommand {
  readonly base: number
  readonly at: number
  /** The size of the command, which has the headers of its sections in it. */
  readonly size: number
  readonly isLittle: boolean
  readonly isWide: boolean
}

function readSegment(
  bytes: Buffer,
  { base, at, size: commandSize, isLittle, isWide }: SegmentCommand,
  fields: Fields,
  table: Table,
): void {
  const count = fields.u32(at + (isWide ? 64 : 48))
  const width = isWide ? 80 : 68
  if ((isWide ? 72 : 56) + count * width > commandSize) throw new RangeError('a load command is corrupt')
  for (let index = 0; index < count; index++) {
    const section = at + (isWide ? 72 : 56) + index * width
    const name = bytes.toString('latin1', section, section + 16).replace(/\0.*$/s, '')
    const size = fields.word(section + (isWide ? 40 : 36))
    const start = base + fields.u32(section + (isWide ? 48 : 40))
    const flags = fields.u32(section + (isWide ? 64 : 56))
    const place = { start, end: start + size }
    if (name === '__ustring') add(place, table, 'value', isLittle ? 'utf-16le' : 'utf-16be')
    else if ((flags & 0xff) === cstringLiterals || names.test(name))
      add(place, table, names.test(name) ? 'name' : 'value')
  }
}

function add(
  place: Place,
  { extents, regions, stringsIn }: Table,
  role: Extent['role'],
  view: Extent['view'] = 'utf-8',
): void {
  for (const extent of stringsIn(place, role, view)) extents.push(extent)
  regions.push(place)
}
