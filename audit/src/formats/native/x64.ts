import type { Image, Reference } from './image.ts'

/** Begins the description of a build of Go. */
const markOfGo = Buffer.from('\xff Go buildinf:', 'latin1')

/** Numbers of the registers in the order in which arguments fill them. */
const orders = {
  go: [0, 3, 1, 7, 6, 8, 9, 10, 11],
  windows: [1, 2, 8, 9],
  others: [7, 6, 2, 1, 8, 9],
}

/** Bytes of code on each side of an address in which its length may be loaded. */
const reach = 48
/** Bytes of code behind an address in which a register that calls keep may be copied to one of an argument; others are copied sooner. */
const reachOfCopies = 128
const keptInCalls = new Set([3, 5, 12, 13, 14, 15])

/** Addresses that `lea` loads relative to the code, with the length that is loaded into the next register or place. */
export function* lengthsInX64(bytes: Buffer, image: Image): Generator<Reference> {
  const lengthOf = createLengths(bytes, image)
  for (const { start, end, address } of image.segments) {
    const last = Math.min(end, bytes.length) - 6
    for (let at = bytes.indexOf(0x8d, start + 1); at !== -1 && at < last; at = bytes.indexOf(0x8d, at + 1)) {
      const length = lengthOf(at, { start, end: last })
      if (length !== 0) yield [address + (at + 6 - start) + bytes.readInt32LE(at + 2), length]
    }
  }
}

/** Gives the length beside the address that the `lea` at a place loads; 0 where there is no such instruction, or no length. */
export function createLengths(bytes: Buffer, image: Image): (at: number, code?: Code) => number {
  const next = nextRegisters(bytes, image)
  return (at, code = { start: 0, end: bytes.length - 6 }) => {
    const [prefix = 0, opcode, operand = 0] = [bytes[at - 1], bytes[at], bytes[at + 1]]
    if (opcode !== 0x8d || (prefix & 0xfb) !== 0x48 || (operand & 0xc7) !== 0x05) return 0
    const register = ((operand >> 3) & 7) | ((prefix & 4) << 1)
    const stored = storedBehind(bytes, at, code.end, register)
    const lea = { from: at - 1, to: at + 6, next: next.get(register), stored }
    return lengthBeside(bytes, lea, code) || lengthBesideCopy(bytes, at, code, register, next)
  }
}

function nextRegisters(bytes: Buffer, { isWindows }: Image): Map<number, number> {
  const isGo = isOfGo(bytes)
  const order = orders[isGo ? 'go' : isWindows === true ? 'windows' : 'others']
  const next = new Map<number, number>()
  for (const [index, register] of order.entries()) next.set(register, order[index + 1] ?? -1)
  // A result is in these two.
  if (!isGo) next.set(0, 2)
  return next
}

export function isOfGo(bytes: Buffer): boolean {
  return bytes.includes(markOfGo)
}

interface Code {
  readonly start: number
  readonly end: number
}

/** An instruction that gives a register an address. */
interface Loading {
  readonly from: number
  readonly to: number
  /** The register that has the length. */
  readonly next: number | undefined
  /** Where the address is stored. */
  readonly stored: Stored | null
}

/** The nearest length; 0 where there is none. */
function lengthBeside(bytes: Buffer, { from, to, next, stored }: Loading, code: Code): number {
  for (let distance = 1; distance <= reach; distance++)
    for (const place of [to - 1 + distance, from - distance]) {
      if (place <= code.start || place >= code.end) continue
      if (next !== undefined && loadedAt(bytes, place) === next) return numberAt(bytes, place)
      if (stored !== null && place + 12 < bytes.length) {
        const length = storedAt(bytes, place, stored)
        if (length !== 0) return length
      }
    }
  return 0
}

/** The length beside the first instruction that copies a register, as loops and branches do with what they pass. */
function lengthBesideCopy(
  bytes: Buffer,
  at: number,
  code: Code,
  register: number,
  nextOf: ReadonlyMap<number, number>,
): number {
  const copies = keptInCalls.has(register) ? reachOfCopies : reach
  for (let place = at + 6; place < Math.min(code.end, at + 6 + copies); place++) {
    const [prefix = 0, opcode, operand = 0] = [bytes[place], bytes[place + 1], bytes[place + 2]]
    if ((prefix & 0xfa) !== 0x48 || opcode !== 0x89 || operand < 0xc0) continue
    if ((((operand >> 3) & 7) | ((prefix & 4) << 1)) !== register) continue
    const next = nextOf.get((operand & 7) | ((prefix & 1) << 3))
    if (next === undefined) return 0
    // A branch chooses the address and the length: both are copied where its ways meet.
    const chosen = copiedBeside(bytes, place, next)
    const from = chosen === -1 ? place : at - 1
    const to = chosen === -1 ? place + 3 : at + 6
    return lengthBeside(bytes, { from, to, next: chosen === -1 ? next : chosen, stored: null }, code)
  }
  return 0
}

/** The register that an instruction beside a copy copies to another one; -1 where none does. */
function copiedBeside(bytes: Buffer, at: number, to: number): number {
  for (const place of [at - 3, at + 3]) {
    const [prefix = 0, opcode, operand = 0] = [bytes[place], bytes[place + 1], bytes[place + 2]]
    if ((prefix & 0xfa) !== 0x48 || opcode !== 0x89 || operand < 0xc0) continue
    if (((operand & 7) | ((prefix & 1) << 3)) === to) return ((operand >> 3) & 7) | ((prefix & 4) << 1)
  }
  return -1
}

/** The register that is loaded with a number at a place, by `mov` or by `push` and `pop`; -1 where none is. */
function loadedAt(bytes: Buffer, at: number): number {
  const [before = 0, opcode = 0] = [bytes[at - 1], bytes[at]]
  if (opcode === push) {
    const extended = bytes[at + 2] === 0x41 ? 1 : 0
    const pop = bytes[at + 2 + extended] ?? 0
    return (pop & 0xf8) === 0x58 ? (pop & 7) | (extended << 3) : -1
  }
  if ((opcode & 0xf8) !== 0xb8 || before === 0x48 || before === 0x49) {
    const isSigned = (opcode & 0xf8) === 0xc0 && before === 0xc7 && ((bytes[at - 2] ?? 0) & 0xfe) === 0x48
    return isSigned ? (opcode & 7) | (((bytes[at - 2] ?? 0) & 1) << 3) : -1
  }
  return (opcode & 7) | (before === 0x41 ? 8 : 0)
}

/** With a number of one byte. */
const push = 0x6a

function numberAt(bytes: Buffer, at: number): number {
  return bytes[at] === push ? bytes.readUInt8(at + 1) : bytes.readUInt32LE(at + 1)
}

/** A place in memory: what it is relative to, and the distance from there. */
interface Stored {
  readonly base: number
  readonly distance: number
}

/** Where the register is stored behind the instruction that loads it. */
function storedBehind(bytes: Buffer, at: number, end: number, register: number): Stored | null {
  for (let place = at + 6; place < Math.min(end, at + 6 + reach); place++) {
    const prefix = bytes[place] ?? 0
    if ((prefix & 0xfa) !== 0x48 || bytes[place + 1] !== 0x89) continue
    const operand = bytes[place + 2] ?? 0
    if ((((operand >> 3) & 7) | ((prefix & 4) << 1)) === register)
      return memoryAt(bytes, place)?.stored ?? null
  }
  return null
}

/** The number that is stored eight bytes behind another place. */
function storedAt(bytes: Buffer, at: number, { base, distance }: Stored): number {
  if (((bytes[at] ?? 0) & 0xfe) !== 0x48 || bytes[at + 1] !== 0xc7) return 0
  const memory = memoryAt(bytes, at)
  if (memory === null || memory.stored.base !== base || memory.stored.distance !== distance + 8) return 0
  return memory.end + 4 <= bytes.length ? bytes.readUInt32LE(memory.end) : 0
}

/** The operand in memory of an instruction with one byte before its opcode. */
function memoryAt(bytes: Buffer, at: number): { readonly stored: Stored; readonly end: number } | null {
  const [prefix = 0, operand = 0] = [bytes[at], bytes[at + 2]]
  const mode = operand >> 6
  const isScaled = (operand & 7) === 4
  if (mode === 3 || (mode === 0 && (operand & 7) === 5) || (isScaled && bytes[at + 3] !== 0x24)) return null
  const end = at + 3 + (isScaled ? 1 : 0)
  if (end + 4 > bytes.length) return null
  const base = (operand & 7) | ((prefix & 1) << 3)
  const distance = mode === 0 ? 0 : mode === 1 ? bytes.readInt8(end) : bytes.readInt32LE(end)
  return { stored: { base, distance }, end: end + (mode === 0 ? 0 : mode === 1 ? 1 : 4) }
}
