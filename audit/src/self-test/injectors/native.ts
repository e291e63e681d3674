import { plain, textEncodings, utf16le } from '../encodings.ts'
import { type Injector, refuseAll } from '../injector.ts'
import { overwriteStrings, type Region } from '../overwrite.ts'

/** Compiled code: strings that are there are overwritten in place, since code refers to them by address. */

const nativeEncodings = [...textEncodings.filter(({ name }) => !/percent/.test(name)), utf16le]

export const elf: Injector = {
  format: 'elf',
  by: 'mark',
  recognises: (_, bytes) => bytes.length > 64 && bytes.readUInt32BE(0) === 0x7f454c46,
  slots: [{ slot: 'read-only data', encodings: nativeEncodings }],
  inject(bytes, wishes) {
    const regions = elfSections(bytes).filter(({ name }) => /^\.rodata/.test(name))
    if (regions.length === 0) return refuseAll(bytes, wishes, 'it has no .rodata section')
    return overwriteStrings(bytes, regions, wishes, 'zero')
  },
}

function elfSections(bytes: Buffer): (Region & { name: string })[] {
  const isWide = bytes[4] === 2
  const isLittle = bytes[5] === 1
  const u16 = (at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const u32 = (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  const word = (at: number) =>
    isWide ? Number(isLittle ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at)) : u32(at)
  const table = word(isWide ? 40 : 32)
  const [size, count, names] = isWide ? [58, 60, 62].map(u16) : [46, 48, 50].map(u16)
  const extent = (index: number) => {
    const at = table + index * (size ?? 0)
    const start = word(at + (isWide ? 24 : 16))
    return { start, end: start + word(at + (isWide ? 32 : 20)), nameAt: u32(at) }
  }
  if (table === 0) return []
  const strings = extent(names ?? 0).start
  return Array.from({ length: count ?? 0 }, (_, index) => {
    const { start, end, nameAt } = extent(index)
    const from = strings + nameAt
    return { start, end, name: bytes.toString('latin1', from, bytes.indexOf(0, from)) }
  })
}

const machMagics = [0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe]

export const machO: Injector = {
  format: 'mach-o',
  by: 'mark',
  recognises: (_, bytes) => bytes.length > 64 && (machMagics.includes(bytes.readUInt32BE(0)) || isFat(bytes)),
  slots: [{ slot: '__cstring', encodings: nativeEncodings }],
  inject(bytes, wishes) {
    const regions = slices(bytes).flatMap((slice) => cstrings(bytes, slice))
    if (regions.length === 0)
      return refuseAll(bytes, wishes, 'it has no __cstring section that is not encrypted')
    return overwriteStrings(bytes, regions, wishes, 'zero')
  },
}

function isFat(bytes: Buffer): boolean {
  return bytes.readUInt32BE(0) === 0xcafebabe && bytes.readUInt32BE(4) < 32
}

function slices(bytes: Buffer): number[] {
  if (!isFat(bytes)) return [0]
  return Array.from({ length: bytes.readUInt32BE(4) }, (_, index) => bytes.readUInt32BE(8 + index * 20 + 8))
}

function cstrings(bytes: Buffer, base: number): Region[] {
  const magic = bytes.readUInt32BE(base)
  // Big-endian machines are gone; their slices are left alone.
  if (magic !== 0xcefaedfe && magic !== 0xcffaedfe) return []
  const isWide = magic === 0xcffaedfe
  const [segment, sections, sectionSize] = isWide ? [0x19, 72, 80] : [0x01, 56, 68]
  const found: Region[] = []
  let at = base + (isWide ? 32 : 28)
  let size = 0
  for (let left = bytes.readUInt32LE(base + 16); left > 0; left--, at += size) {
    size = bytes.readUInt32LE(at + 4)
    if (size < 8) throw new RangeError('a load command has no size')
    const command = bytes.readUInt32LE(at)
    if ((command === 0x21 || command === 0x2c) && bytes.readUInt32LE(at + 16) !== 0) return []
    if (command !== segment) continue
    for (let index = 0; index < bytes.readUInt32LE(at + sections - 8); index++) {
      const section = at + sections + index * sectionSize
      if (section + sectionSize > bytes.length) throw new RangeError('the sections are cut off')
      if (bytes.toString('latin1', section, section + 9) !== '__cstring') continue
      const size = isWide ? Number(bytes.readBigUInt64LE(section + 40)) : bytes.readUInt32LE(section + 36)
      const start = base + bytes.readUInt32LE(section + (isWide ? 48 : 40))
      found.push({ start, end: start + size })
    }
  }
  return found
}

/** The first page holds the schema, which has to stay as it is; rows are overwritten to the same length. */
export const sqlite: Injector = {
  format: 'sqlite',
  by: 'mark',
  recognises: (_, bytes) => bytes.toString('latin1', 0, 16) === 'SQLite format 3\0',
  slots: [{ slot: 'text of a row', encodings: [plain] }],
  inject(bytes, wishes) {
    if (bytes.readUInt32BE(56) !== 1) return refuseAll(bytes, wishes, 'its strings are in UTF-16')
    const stated = bytes.readUInt16BE(16)
    const page = stated === 1 ? 65_536 : stated
    return overwriteStrings(bytes, [{ start: page, end: bytes.length }], wishes, 'quotes')
  },
}
