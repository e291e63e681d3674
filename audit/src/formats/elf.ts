import type { Extent, StringTable } from '../scan/string-table.ts'
import type { MarkedFormat } from './audited-format.ts'
import { type Fields, fieldsOf } from './fields.ts'
import { type Image, offsetOf, type Relocated, type Segment } from './native/image.ts'
import { mayHidePieces, readPieces } from './native/pieces/read-pieces.ts'
import { referencedStrings } from './native/referenced-strings.ts'
import { createNulReader, type Place } from './nul-strings.ts'
import { readWideCharacters } from './wide-characters.ts'

const stringTable = 3
const noBits = 8
const holdsStrings = 0x20
const relocations = 4
const relocationSize = 24
/** A part of the program, of which its headers say that it is loaded. */
const loaded = 1
const machines = new Map<number, Image['machine']>([
  [62, 'x86-64'],
  [183, 'arm64'],
])

export const elf: MarkedFormat = {
  by: 'mark',
  name: 'elf',
  marks: [0x7f454c46],
  packsStrings: true,
  mayHide: mayHidePieces,
  read: readElf,
  async readMore(audit, file) {
    readWideCharacters(audit, file)
    await readPieces(audit, file, (bytes) => [imageOf(bytes)])
  },
  injectors: async () => [(await import('../self-test/injectors/native.ts')).elf],
}

/**
 * ELF: names of symbols and sections, and sections that say of themselves that they consist of strings. Languages other
 * than C pack their strings into other data without an end, and refer to each with its length.
 */
function readElf(bytes: Buffer): StringTable {
  const isWide = bytes.readUInt8(4) === 2
  const isLittle = bytes.readUInt8(5) === 1
  const { u32, word } = fieldsOf(bytes, isLittle, isWide)
  const u16 = (at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const stringsIn = createNulReader(bytes)
  const headers = word(isWide ? 40 : 32)
  const width = u16(isWide ? 58 : 46)
  const count = headers === 0 ? 0 : u16(isWide ? 60 : 48)
  const extents: Extent[] = []
  const regions: { start: number; end: number }[] = []
  const relocated: Place[] = []
  for (let index = 0; index < count; index++) {
    const at = headers + index * width
    const kind = u32(at + 4)
    const flags = word(at + 8)
    const start = word(at + (isWide ? 24 : 16))
    const end = start + word(at + (isWide ? 32 : 20))
    const unit = word(at + (isWide ? 56 : 36))
    if (kind === relocations && isWide) relocated.push({ start, end })
    const isStrings = Math.floor(flags / holdsStrings) % 2 === 1 && unit === 1
    if (kind === noBits || (kind !== stringTable && !isStrings)) continue
    for (const extent of stringsIn({ start, end }, kind === stringTable ? 'name' : 'value'))
      extents.push(extent)
    regions.push({ start, end })
  }
  const image = imageOf(bytes)
  const withoutEnds = referencedStrings(bytes, { ...image, relocated: relocatedIn(relocated, image, word) })
  return { extents: [...extents, ...withoutEnds], regions }
}

function imageOf(bytes: Buffer): Image {
  const isWide = bytes.readUInt8(4) === 2
  const isLittle = bytes.readUInt8(5) === 1
  const u16 = (at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const segments = segmentsOf(isWide, u16, fieldsOf(bytes, isLittle, isWide))
  return { segments, machine: machines.get(u16(18)) ?? null, isLittle, isWide }
}

/** The parts that are loaded, by the headers of the program. */
function segmentsOf(isWide: boolean, u16: (at: number) => number, { u32, word }: Fields): Segment[] {
  const headers = word(isWide ? 32 : 28)
  const count = headers === 0 ? 0 : u16(isWide ? 56 : 44)
  const width = u16(isWide ? 54 : 42)
  return Array.from({ length: count }, (_, index) => headers + index * width).flatMap((at) => {
    const start = word(at + (isWide ? 8 : 4))
    const end = start + word(at + (isWide ? 32 : 16))
    return u32(at) === loaded ? [{ start, end, address: word(at + (isWide ? 16 : 8)) }] : []
  })
}

/** Addresses that the loader writes, relative to where it loads the program. */
function* relocatedIn(places: readonly Place[], image: Image, word: Fields['word']): Generator<Relocated> {
  for (const { start, end } of places)
    for (let at = start; at + relocationSize <= end; at += relocationSize) {
      const place = word(at + 8) < 2 ** 32 ? offsetOf(image, word(at)) : -1
      if (place !== -1) yield { at: place, address: word(at + 16) }
    }
}
