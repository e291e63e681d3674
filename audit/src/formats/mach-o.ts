import type { ScanContext } from '../search/scan-context.ts'
import type { Extent, Stretch, StringTable } from '../search/string-table.ts'
import type { MarkedFormat } from './audited-format.ts'
import { fieldsOf, parsed } from './fields.ts'
import { createNulReader } from './nul-strings.ts'

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
  const stringsIn = createNulReader(bytes)
  const extents: Extent[] = []
  const regions: Stretch[] = []
  for (const start of partsOf(bytes))
    for (const section of sectionsIn(bytes, start)) {
      for (const extent of stringsIn(section, section.role, section.view)) extents.push(extent)
      regions.push(section)
    }
  return { extents, regions }
}

interface Section extends Stretch {
  readonly role: Extent['role']
  readonly view?: Extent['view']
}

/** Sections of a part that consist of strings, and its table of symbols. */
function* sectionsIn(bytes: Buffer, base: number): Generator<Section> {
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
    if (kind === segment32 || kind === segment64) yield* sectionsOf(at, size, kind === segment64)
    if (kind === symbols) {
      const start = base + fields.u32(at + 16)
      yield { start, end: start + fields.u32(at + 20), role: 'name' }
    }
    at += size
  }

  /** The headers of its sections are in the command of a segment. */
  function* sectionsOf(segment: number, commandSize: number, isLong: boolean): Generator<Section> {
    const sections = fields.u32(segment + (isLong ? 64 : 48))
    const [head, width] = isLong ? [72, 80] : [56, 68]
    if (head + sections * width > commandSize) throw new RangeError('a load command is corrupt')
    for (let section = segment + head; section < segment + head + sections * width; section += width) {
      const name = bytes.toString('latin1', section, section + 16).replace(/\0.*$/s, '')
      const start = base + fields.u32(section + (isLong ? 48 : 40))
      const end = start + fields.word(section + (isLong ? 40 : 36))
      const flags = fields.u32(section + (isLong ? 64 : 56))
      if (name === '__ustring') yield { start, end, role: 'value', view: isLittle ? 'utf-16le' : 'utf-16be' }
      else if (names.test(name)) yield { start, end, role: 'name' }
      else if ((flags & 0xff) === cstringLiterals) yield { start, end, role: 'value' }
    }
  }
}

const encryptionInfo = new Set([0x21, 0x2c])

/** Where the parts of a fat Mach-O begin, which may say that there are any number; a thin one is its only part. */
function partsOf(bytes: Buffer): number[] {
  const magic = bytes.readUInt32BE(0)
  if (magic !== 0xcafebabe && magic !== 0xcafebabf) return [0]
  const isWide = magic === 0xcafebabf
  return Array.from({ length: Math.min(32, bytes.readUInt32BE(4)) }, (_, index) => {
    const at = 8 + index * (isWide ? 32 : 20) + 8
    return isWide ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at)
  })
}

/** Says whether a Mach-O, thin or fat, states that a part of it is encrypted for the store. */
function isFairPlayEncrypted(bytes: Buffer): boolean {
  const isEncrypted = (start: number) => start < bytes.length && isThinEncrypted(bytes.subarray(start))
  return parsed(() => partsOf(bytes).some(isEncrypted), false)
}

function isThinEncrypted(bytes: Buffer): boolean {
  const magic = bytes.readUInt32BE(0)
  const isLittle = magic === 0xcefaedfe || magic === 0xcffaedfe
  const read = (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  let at = magic === 0xcffaedfe || magic === 0xfeedfacf ? 32 : 28
  const count = Math.min(read(16), 10_000)
  for (let command = 0; command < count; command++) {
    const size = read(at + 4)
    if (encryptionInfo.has(read(at)) && read(at + 16) !== 0) return true
    if (size < 8) return false
    at += size
  }
  return false
}
