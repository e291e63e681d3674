import type { Image, Reference } from './image.ts'

/** Instructions on each side of an address in which its length may be loaded. */
const reach = 12
const page = 4096

interface Code {
  readonly start: number
  readonly last: number
}

/** Addresses of `adrp` and `add`, with the length that is loaded into the next register or stored behind the address. */
export function* lengthsInArm64(bytes: Buffer, { segments }: Image): Generator<Reference> {
  for (const { start, end, address } of segments) {
    const last = Math.min(end, bytes.length) - 4
    for (let at = Math.ceil(start / 4) * 4; at <= last; at += 4) {
      const word = bytes.readUInt32LE(at)
      if ((word & 0x9f000000) >>> 0 !== 0x90000000) continue
      const added = addedBehind(bytes, at, last, word & 31)
      if (added === null) continue
      const pages = (((((word >>> 5) & 0x7ffff) << 2) | ((word >>> 29) & 3)) << 11) >> 11
      const from = Math.floor((address + at - start) / page) * page
      const length = lengthBeside(bytes, added.at, { start, last }, added.register)
      if (length !== 0) yield [from + pages * page + added.distance, length]
    }
  }
}

/** Gives the length beside the address that an `add` at a place loads; 0 where there is none. */
export function createLengthsInArm64(bytes: Buffer): (at: number) => number {
  const code = { start: 0, last: bytes.length - 4 }
  return (at) => lengthBeside(bytes, at, code, bytes.readUInt32LE(at) & 31)
}

/** The `add` of the lower bits to a register that an instruction before it has loaded. */
function addedBehind(bytes: Buffer, at: number, last: number, loaded: number) {
  for (let place = at + 4; place <= Math.min(last, at + 4 * reach); place += 4) {
    const word = bytes.readUInt32LE(place)
    if ((word & 0xffc00000) >>> 0 === 0x91000000 && ((word >>> 5) & 31) === loaded)
      return { at: place, register: word & 31, distance: (word >>> 10) & 0xfff }
  }
  return null
}

function lengthBeside(bytes: Buffer, at: number, { start, last }: Code, register: number): number {
  const stored = storedWith(bytes, at, { start, last }, register)
  for (let distance = 1; distance <= reach; distance++)
    for (const place of [at + 4 * distance, at - 4 * distance]) {
      if (place < start || place > last) continue
      const word = bytes.readUInt32LE(place)
      const loaded = word & 31
      const length = loaded === register + 1 || loaded === stored ? numberIn(word) : 0
      if (length !== 0) return length
    }
  return 0
}

/** The register that is stored behind another in memory, by one instruction or two; -1 where there is none. */
function storedWith(bytes: Buffer, at: number, { start, last }: Code, register: number): number {
  for (let place = at + 4; place <= Math.min(last, at + 4 * reach); place += 4) {
    const word = bytes.readUInt32LE(place)
    if ((word & 31) !== register) continue
    if ((word & 0xfe400000) >>> 0 === 0xa8000000) return (word >>> 10) & 31
    if (isStore(word))
      return storedAt(bytes, Math.max(start, place - 4 * reach), place + 4 * reach, last, word + besides)
  }
  return -1
}

/** The same instruction, eight bytes further on in memory. */
const besides = 1 << 10

function isStore(word: number): boolean {
  return (word & 0xffc00000) >>> 0 === 0xf9000000
}

function storedAt(bytes: Buffer, from: number, to: number, last: number, like: number): number {
  for (let place = from; place <= Math.min(last, to); place += 4) {
    const word = bytes.readUInt32LE(place)
    if (isStore(word) && word >>> 5 === like >>> 5) return word & 31
  }
  return -1
}

/** The number that `movz`, or `orr` with nothing, loads; 0 where it is another instruction. */
function numberIn(word: number): number {
  if ((word & 0x7fe00000) >>> 0 === 0x52800000) return (word >>> 5) & 0xffff
  if ((word & 0x7f8003e0) >>> 0 !== 0x320003e0) return 0
  const [ones, turned, isLong] = [((word >>> 10) & 63) + 1, (word >>> 16) & 63, ((word >>> 22) & 1) === 1]
  const width = isLong ? 64 : 32
  // A pattern that repeats, or that goes over the end, is no length.
  if (ones > 16 || (turned !== 0 && turned + ones <= width - 16)) return 0
  const shift = turned === 0 ? 0 : width - turned
  return shift + ones > 16 ? 0 : (2 ** ones - 1) * 2 ** shift
}
