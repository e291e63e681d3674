import type { StringTable } from '../scan/string-table.ts'
import { type MarkedFormat, noInjectors } from './audited-format.ts'
import type { Image, Segment } from './native/image.ts'
import { mayHidePieces, readPieces } from './native/pieces/read-pieces.ts'
import { referencedStrings } from './native/referenced-strings.ts'
import { readWideCharacters } from './wide-characters.ts'

/** Native programs and libraries of Windows. */
export const pe: MarkedFormat = {
  by: 'mark',
  name: 'pe',
  marks: [0x4d5a9000, 0x4d5a7800],
  isMeant: (bytes) => headerOf(bytes) !== -1,
  packsStrings: true,
  mayHide: mayHidePieces,
  read: readPe,
  async readMore(audit, file) {
    readWideCharacters(audit, file)
    await readPieces(audit, file, (bytes) => [imageOf(bytes)])
  },
  injectors: noInjectors,
}

const signature = 0x4550

function headerOf(bytes: Buffer): number {
  const at = bytes.length < 64 ? bytes.length : bytes.readUInt32LE(60)
  return at + 264 < bytes.length && bytes.readUInt32LE(at) === signature ? at : -1
}

/** Programs of Go and Rust end no string with a zero; those of C do, and what surrounds them tells their ends. */
function readPe(bytes: Buffer): StringTable {
  return { extents: referencedStrings(bytes, imageOf(bytes)), regions: [] }
}

function imageOf(bytes: Buffer): Image {
  const at = headerOf(bytes)
  const machine = bytes.readUInt16LE(at + 4)
  const isWide = bytes.readUInt16LE(at + 24) === 0x20b
  const base = isWide ? Number(bytes.readBigUInt64LE(at + 48)) : bytes.readUInt32LE(at + 52)
  const sections = at + 24 + bytes.readUInt16LE(at + 20)
  const segments: Segment[] = []
  for (let index = 0; index < bytes.readUInt16LE(at + 6); index++) {
    const section = sections + index * 40
    const start = bytes.readUInt32LE(section + 20)
    const end = start + bytes.readUInt32LE(section + 16)
    segments.push({ start, end, address: base + bytes.readUInt32LE(section + 12) })
  }
  return {
    segments,
    machine: machine === 0x8664 ? 'x86-64' : machine === 0xaa64 ? 'arm64' : null,
    isLittle: true,
    isWide,
    isWindows: true,
  }
}
