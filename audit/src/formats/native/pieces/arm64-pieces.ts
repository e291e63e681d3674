import { addressOf, type Image, offsetOf } from '../image.ts'
import { createMemory, type TextAt, type Used } from './memory.ts'

/** Instructions of code before a place, and behind it. */
const [before, behind] = [40, 160]
const page = 4096

/** The texts that code around a place uses, in order: those that it refers to, and those that it stores number by number. */
export function piecesInArm64(bytes: Buffer, image: Image, place: number, textAt: TextAt): Used[] {
  const used: Used[] = []
  const step = createSteps(bytes, image, textAt, (one) => used.push(one))
  const last = Math.min(bytes.length - 4, place + 4 * behind)
  for (let at = Math.max(place % 4, place - 4 * before); at <= last; at += 4) step(bytes.readUInt32LE(at), at)
  step(ret, last)
  return used
}

const ret = 0xd65f03c0

/** A number, or the address of something in the program. */
type Value = Buffer | number

function createSteps(bytes: Buffer, image: Image, textAt: TextAt, tell: (used: Used) => void) {
  const general = new Map<number, Value>()
  const wide = new Map<number, Buffer>()
  const memory = createMemory(tell)
  const set = (register: number, value: Value | undefined) => {
    if (register !== stack) memory.flush(`${register} `)
    if (value === undefined) general.delete(register)
    else general.set(register, value)
  }
  const bytesIn = (register: number): Buffer | undefined => {
    const value = register === stack ? Buffer.alloc(8) : general.get(register)
    return typeof value === 'number' ? undefined : value
  }
  const transfer = (
    base: number,
    distance: number,
    { register, size, isVector, isLoad }: Transfer,
    at: number,
  ) => {
    if (!isLoad) {
      const value = isVector ? wide.get(register) : bytesIn(register)
      memory.store({ base: `${base} `, distance, at }, value?.subarray(0, size))
      return
    }
    const address = general.get(base)
    const start = typeof address === 'number' ? offsetOf(image, address + distance) : -1
    const value =
      start > 0 && start + size <= bytes.length ? padded(bytes.subarray(start, start + size)) : undefined
    if (!isVector) set(register, value)
    else if (value === undefined) wide.delete(register)
    else wide.set(register, value)
  }
  return (word: number, at: number): void => {
    const register = word & 31
    const other = (word >>> 5) & 31
    const transfers = transfersOf(word)
    const moved = movedNumber(word, bytesIn(register))
    if (isCall(word) || word === ret) {
      memory.flush('')
      for (let one = 0; one <= 18; one++) general.delete(one)
    } else if (transfers !== null) {
      for (const one of transfers) transfer(other, one.distance, one, at)
    } else if (moved !== undefined) set(register, moved)
    else if ((word & 0x9f000000) >>> 0 === 0x90000000)
      set(register, Math.floor(addressOf(image, at) / page) * page + pagesIn(word) * page)
    else if ((word & 0xffc00000) >>> 0 === 0x91000000) {
      const address = general.get(other)
      const target = typeof address === 'number' ? address + ((word >>> 10) & 0xfff) : undefined
      const start = target === undefined ? -1 : offsetOf(image, target)
      const text = start > 0 ? textAt(start, at) : ''
      if (text !== '') tell({ text, offset: start, at, isStored: false })
      set(register, target)
    } else if ((word & 0x7fe0ffe0) >>> 0 === 0x2a0003e0) set(register, general.get((word >>> 16) & 31))
    else if ((word & 0x0e000000) >>> 0 === 0x0e000000) wide.delete(register)
    else if ((word & 0x1c000000) >>> 0 !== 0x14000000) set(register, undefined)
  }
}

const stack = 31

function isCall(word: number): boolean {
  return (word & 0xfc000000) >>> 0 === 0x94000000 || (word & 0xfffffc1f) >>> 0 === 0xd63f0000
}

function padded(value: Buffer): Buffer {
  return value.length >= 8 ? value : Buffer.concat([value, Buffer.alloc(8 - value.length)])
}

/** The distance to the page of `adrp`, in pages. */
export function pagesIn(word: number): number {
  return (((((word >>> 5) & 0x7ffff) << 2) | ((word >>> 29) & 3)) << 11) >> 11
}

interface Transfer {
  readonly register: number
  readonly size: number
  readonly isVector: boolean
  readonly isLoad: boolean
  readonly distance: number
}

/** The registers that a load or a store moves; `null` for another instruction. */
function transfersOf(word: number): Transfer[] | null {
  const isVector = ((word >>> 26) & 1) === 1
  const register = word & 31
  const isUnscaled = (word & 0x3b200c00) >>> 0 === 0x38000000
  if (isUnscaled || (word & 0x3b000000) >>> 0 === 0x39000000) {
    const kind = (word >>> 22) & 3
    const isQuad = isVector && kind >= 2
    const size = isQuad ? 16 : 1 << (word >>> 30)
    const distance = isUnscaled ? (word << 11) >> 23 : ((word >>> 10) & 0xfff) * size
    return [{ register, size, isVector, isLoad: (isQuad ? kind - 2 : kind) !== 0, distance }]
  }
  if ((word & 0x3a000000) >>> 0 !== 0x28000000) return null
  const size = isVector ? 4 << (word >>> 30) : word >>> 30 === 0 ? 4 : 8
  const isBehind = ((word >>> 23) & 3) === 1
  const distance = isBehind ? 0 : ((word << 10) >> 25) * size
  const both = { size, isVector, isLoad: ((word >>> 22) & 1) === 1 }
  return [
    { ...both, register, distance },
    { ...both, register: (word >>> 10) & 31, distance: distance + size },
  ]
}

/** The number that `movz`, `movn`, `movk` or `orr` with nothing gives a register; `undefined` for another instruction. */
function movedNumber(word: number, value: Buffer | undefined): Buffer | undefined {
  const kind = (word & 0x7f800000) >>> 0
  const at = ((word >>> 21) & 3) * 2
  const number = (word >>> 5) & 0xffff
  if (kind === 0x72800000) {
    if (value === undefined) return undefined
    const changed = Buffer.from(value)
    changed.writeUInt16LE(number, at)
    return changed
  }
  if (kind === 0x52800000 || kind === 0x12800000) {
    const filled = Buffer.alloc(8, kind === 0x12800000 ? 0xff : 0)
    filled.writeUInt16LE(kind === 0x12800000 ? ~number & 0xffff : number, at)
    return filled
  }
  return kind === 0x32000000 && ((word >>> 5) & 31) === stack ? patternIn(word) : undefined
}

/** A run of ones, turned, that repeats. */
function patternIn(word: number): Buffer | undefined {
  const [isLong, turn, ones] = [(word >>> 22) & 1, (word >>> 16) & 63, (word >>> 10) & 63]
  const width = isLong === 1 ? 64 : 32 >>> Math.clz32((~ones & 63) << 26)
  if (width < 2) return undefined
  const run = (ones & (width - 1)) + 1
  const value = Buffer.alloc(8)
  for (let bit = 0; bit < 64; bit++)
    if ((bit + turn) % width < run) value[bit >> 3] = (value[bit >> 3] ?? 0) | (1 << (bit & 7))
  return value
}
