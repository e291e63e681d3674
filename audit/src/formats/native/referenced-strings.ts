import type { Extent } from '../../scan/string-table.ts'
import { mostStrings } from '../most-strings.ts'
import { lengthsInArm64 } from './arm64.ts'
import { type Image, offsetOf, type Reference, type Segment } from './image.ts'
import { lengthsInX64 } from './x64.ts'

const [shortest, longest] = [8, 4096]

/**
 * Strings of languages that end none with a zero, such as Go and Rust: an address with the length behind it, in the data
 * or in the registers that code loads them into.
 */
export function referencedStrings(bytes: Buffer, { segments, ...rest }: Image): Extent[] {
  const image = { ...rest, segments: apart(segments, bytes.length) }
  const strings = new Map<number, Set<number>>()
  const short = new Set<number>()
  // Strings do not overlap much: more than several times what the file holds is a trap.
  let room = bytes.length * 4
  let count = 0
  for (const [address, length] of referencesIn(bytes, image)) {
    if (length < 1 || length > longest) continue
    const start = offsetOf(image, address)
    if (length < shortest) {
      if (short.size < mostStrings) short.add(start)
      continue
    }
    const end = start + length
    if (start < 1 || end > bytes.length || strings.get(start)?.has(end) === true) continue
    room -= length
    if (room < 0 || count === mostStrings) break
    if (!isText(bytes, start, end)) continue
    count += 1
    strings.set(start, (strings.get(start) ?? new Set()).add(end))
  }
  return withoutGuesses(bytes, strings, short)
}

/**
 * A number beside an address may mean something else than its length: the text would go over the start of others. In C no
 * other text begins where it would end, and where two lengths are known, only one ends there. Texts too short to hold a key
 * count as well.
 */
function withoutGuesses(
  bytes: Buffer,
  strings: ReadonlyMap<number, ReadonlySet<number>>,
  short: ReadonlySet<number>,
): Extent[] {
  const starts = [...strings.keys()].sort((a, b) => a - b)
  return starts.flatMap((start, index) => {
    const ends = [...(strings.get(start) ?? [])].filter((end) => end <= (starts[index + 1] ?? end))
    const packed = ends.filter((end) => strings.has(end) || short.has(end))
    const alone = packed.length > 0 ? packed : ends.filter((end) => !mayBeOfC(bytes, start, end))
    return alone.map((end): Extent => ({ start, end, view: 'utf-8', role: 'value' }))
  })
}

/** Segments of a program hardly share bytes; those of a trap all do. */
export function apart(segments: readonly Segment[], size: number): Segment[] {
  let room = 2 * size
  const within = segments.filter(({ start, end }) => {
    room -= Math.max(0, end - start)
    return end > start && end <= size && room >= 0
  })
  return within.sort((a, b) => a.address - b.address)
}

function* referencesIn(bytes: Buffer, image: Image): Generator<Reference> {
  for (const { at, address } of image.relocated ?? []) yield [address, lengthAt(bytes, at, image)]
  yield* image.loaded ?? []
  yield* pairsIn(bytes, image)
  if (image.machine === 'x86-64') yield* lengthsInX64(bytes, image)
  if (image.machine === 'arm64') yield* lengthsInArm64(bytes, image)
}

function lengthAt(bytes: Buffer, pointer: number, { isLittle, isWide }: Image): number {
  const at = pointer + (isWide ? 8 : 4)
  if (at + (isWide ? 8 : 4) > bytes.length) return 0
  const low = isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(isWide ? at + 4 : at)
  const high = isWide ? bytes.readUInt32LE(isLittle ? at + 4 : at) : 0
  return high === 0 ? low : 0
}

/** Each aligned word that may be an address, with the word behind it. */
export function* pairsIn(bytes: Buffer, image: Image): Generator<Reference> {
  const width = image.isWide ? 8 : 4
  for (const { start, end, address: first } of image.segments) {
    const last = Math.min(end, bytes.length) - 2 * width
    for (let at = start + ((width - (first % width)) % width); at <= last; at += width) {
      const length = lengthAt(bytes, at, image)
      if (length < shortest || length > longest) continue
      for (const address of addressesAt(bytes, at, image)) yield [address, length]
    }
  }
}

function addressesAt(bytes: Buffer, at: number, { isLittle, isWide, segments }: Image): number[] {
  const u32 = (place: number) => (isLittle ? bytes.readUInt32LE(place) : bytes.readUInt32BE(place))
  if (!isWide) return [u32(at)]
  const [low, high] = isLittle ? [u32(at), u32(at + 4)] : [u32(at + 4), u32(at)]
  if (high < 0x10_0000) return high === 0 && low === 0 ? [] : [high * 2 ** 32 + low]
  // Apple's linker keeps the next place to be relocated in the upper bits, and an address or an offset in the lower 36.
  const address = (high & 0xf) * 2 ** 32 + low
  return [address, address + (segments[0]?.address ?? 0)]
}

/** In C a text begins behind a zero and goes on to the next. */
function mayBeOfC(bytes: Buffer, start: number, end: number): boolean {
  return bytes[start - 1] === 0 && end < bytes.length && bytes[end] !== 0
}

function isText(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return false
  }
  return true
}
