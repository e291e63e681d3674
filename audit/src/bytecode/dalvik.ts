import type { DexFile, DexMethod } from './dex-file.ts'
import {
  type Action,
  type Binary,
  type Condition,
  createMethod,
  type Decoded,
  type Method,
  type Place,
  resolveTargets,
  type Step,
  type Unary,
} from './step.ts'
import { signatureOf } from './value.ts'

/** Code units of two bytes that an instruction takes, from `0x00` on: how many opcodes, and how long each is. */
const runs: readonly (readonly [count: number, units: number])[] = [
  [2, 1],
  [1, 2],
  [1, 3],
  [1, 1],
  [1, 2],
  [1, 3],
  [1, 1],
  [1, 2],
  [1, 3],
  [9, 1],
  [1, 2],
  [1, 3],
  [2, 2],
  [1, 3],
  [1, 5],
  [2, 2],
  [1, 3],
  [1, 2],
  [2, 1],
  [2, 2],
  [1, 1],
  [2, 2],
  [3, 3],
  [2, 1],
  [1, 2],
  [3, 3],
  [17, 2],
  [6, 1],
  [42, 2],
  [5, 3],
  [1, 1],
  [5, 3],
  [2, 1],
  [21, 1],
  [32, 2],
  [32, 1],
  [19, 2],
  [23, 1],
  [2, 4],
  [2, 3],
  [2, 2],
]
/** By opcode. */
export const lengths = Uint8Array.from(
  runs.flatMap(([count, units]) => new Array<number>(count).fill(units * 2)),
)

/** Data of switches and arrays, which stands between instructions: its length in bytes, or 0 for an instruction. */
export function payloadLength(bytes: Buffer, at: number): number {
  if (bytes[at] !== 0) return 0
  const count = bytes.readUInt16LE(at + 2)
  switch (bytes[at + 1]) {
    case 1:
      return 8 + count * 4
    case 2:
      return 4 + count * 8
    case 3:
      return 8 + 2 * Math.ceil((count * bytes.readUInt32LE(at + 4)) / 2)
    default:
      return 0
  }
}

/** Makes a method of a DEX file one that the machine runs. */
export function methodOf(file: DexFile, code: DexMethod): Method {
  const method = { ...file.method(code.index), isStatic: code.isStatic }
  return createMethod(method, code.registers - code.ins, () => decode(file, code))
}

function decode(file: DexFile, { start, end }: DexMethod): Step[] {
  const { bytes } = file
  const decoded: Decoded[] = []
  for (let at = start; at + 2 <= end; ) {
    const data = payloadLength(bytes, at)
    const length = data === 0 ? (lengths[bytes[at] ?? 0] ?? 2) : data
    if (at + length > end) break
    if (data === 0) decoded.push({ ...readAction(file, at, nextResult(bytes, at + length, end)), at })
    at += length
  }
  return resolveTargets(decoded)
}

/** The register that the instruction behind a call moves its result to; `null` where there is none. */
function nextResult(bytes: Buffer, at: number, end: number): number | null {
  const opcode = bytes[at] ?? 0
  return at + 2 <= end && opcode >= 0x0a && opcode <= 0x0c ? (bytes[at + 1] ?? 0) : null
}

const conditions: readonly Condition[] = ['==', '!=', '<', '>=', '>', '<=']
const operators: readonly Binary[] = ['+', '-', '*', '/', '%', '&', '|', '^', '<<', '>>', '>>>']
const reversed = 'reversed'
/** Operators of the instructions with a literal; the second subtracts the register from it. */
const literalOperators: readonly (Binary | typeof reversed)[] = [
  '+',
  reversed,
  '*',
  '/',
  '%',
  '&',
  '|',
  '^',
  '<<',
  '>>',
  '>>>',
]
const nothing: Action = { kind: 'other', from: [], to: null, type: 'V' }

/** Ends a method where an instruction refers to something that is not there. */
function readAction(file: DexFile, at: number, result: number | null): Action {
  try {
    return actionAt(file, at, result)
  } catch (error) {
    if (error instanceof RangeError) return { kind: 'throw' }
    throw error
  }
}

/** `unknown` is the action of an instruction whose value is not followed. */
function operandsAt(bytes: Buffer, at: number) {
  const byte = bytes[at + 1] ?? 0
  return {
    opcode: bytes[at] ?? 0,
    byte,
    low: byte & 15,
    high: byte >> 4,
    half: (units: number) => bytes.readUInt16LE(at + units * 2),
    unknown: (to: Place): Action => ({ kind: 'other', from: [], to, type: 'I' }),
  }
}

function actionAt(file: DexFile, at: number, result: number | null): Action {
  const { bytes } = file
  const { opcode, byte, low, high, half, unknown } = operandsAt(bytes, at)
  switch (opcode) {
    case 0x01:
    case 0x04:
    case 0x07:
      return { kind: 'move', from: high, to: low }
    case 0x02:
    case 0x05:
    case 0x08:
      return { kind: 'move', from: half(1), to: byte }
    case 0x03:
    case 0x06:
    case 0x09:
      return { kind: 'move', from: half(2), to: half(1) }
    case 0x0d:
      return unknown(byte)
    case 0x0e:
      return { kind: 'return', from: null }
    case 0x0f:
    case 0x10:
    case 0x11:
      return { kind: 'return', from: byte }
    case 0x12:
      return { kind: 'constant', to: low, value: (high << 28) >> 28 }
    case 0x13:
      return { kind: 'constant', to: byte, value: bytes.readInt16LE(at + 2) }
    case 0x14:
      return { kind: 'constant', to: byte, value: bytes.readInt32LE(at + 2) }
    case 0x15:
      return { kind: 'constant', to: byte, value: half(1) << 16 }
    case 0x16:
      return { kind: 'constant', to: byte, value: { wide: BigInt(bytes.readInt16LE(at + 2)) } }
    case 0x17:
      return { kind: 'constant', to: byte, value: { wide: BigInt(bytes.readInt32LE(at + 2)) } }
    case 0x18:
      return { kind: 'constant', to: byte, value: { wide: bytes.readBigInt64LE(at + 2) } }
    case 0x19:
      return { kind: 'constant', to: byte, value: { wide: BigInt.asIntN(64, BigInt(half(1)) << 48n) } }
    case 0x1a:
      return { kind: 'constant', to: byte, value: file.text(half(1)) }
    case 0x1b:
      return { kind: 'constant', to: byte, value: file.text(bytes.readUInt32LE(at + 2)) }
    case 0x1c:
      return unknown(byte)
    case 0x20:
      return { kind: 'is of', type: file.typeName(half(1)), from: high, to: low }
    case 0x21:
      return { kind: 'length', array: high, to: low }
    case 0x22:
      return { kind: 'new', type: file.typeName(half(1)), to: byte }
    case 0x23:
      return { kind: 'new array', element: file.typeDescriptor(half(1)).slice(1), size: high, to: low }
    case 0x24:
    case 0x25: {
      if (result === null) return nothing
      const items = opcode === 0x24 ? registersAt(bytes, at) : rangeAt(bytes, at)
      return { kind: 'array of', element: file.typeDescriptor(half(1)).slice(1), items, to: result }
    }
    case 0x26:
      return { kind: 'fill', array: byte, values: valuesAt(bytes, at + bytes.readInt32LE(at + 2) * 2) }
    case 0x27:
      return { kind: 'throw' }
    case 0x28:
      return { kind: 'jump', target: at + bytes.readInt8(at + 1) * 2 }
    case 0x29:
      return { kind: 'jump', target: at + bytes.readInt16LE(at + 2) * 2 }
    case 0x2a:
      return { kind: 'jump', target: at + bytes.readInt32LE(at + 2) * 2 }
    case 0x2b:
    case 0x2c:
      return switchAt(bytes, at, byte, opcode === 0x2b)
    case 0x31:
      return { kind: 'compare', left: half(1) & 255, right: half(1) >> 8, to: byte }
  }
  return actionOfRange(file, at, result)
}

/** Reads an instruction that shares its form with those whose numbers are next to its own. */
function actionOfRange(file: DexFile, at: number, result: number | null): Action {
  const { bytes } = file
  const { opcode, byte, low, high, half, unknown } = operandsAt(bytes, at)
  if (opcode >= 0x2d && opcode <= 0x30) return unknown(byte)
  if (opcode >= 0x32 && opcode <= 0x37) {
    const target = at + bytes.readInt16LE(at + 2) * 2
    return { kind: 'branch', condition: conditions[opcode - 0x32] ?? '==', left: low, right: high, target }
  }
  if (opcode >= 0x38 && opcode <= 0x3d) {
    const target = at + bytes.readInt16LE(at + 2) * 2
    const right = { literal: 0 }
    return { kind: 'branch', condition: conditions[opcode - 0x38] ?? '==', left: byte, right, target }
  }
  if (opcode >= 0x44 && opcode <= 0x51) {
    const [array, index] = [half(1) & 255, half(1) >> 8]
    return opcode <= 0x4a
      ? { kind: 'load', array, index, to: byte, isWide: opcode === 0x45 }
      : { kind: 'store', array, index, value: byte }
  }
  if (opcode >= 0x52 && opcode <= 0x5f) {
    const field = file.field(half(1))
    return opcode <= 0x58
      ? { kind: 'get field', field, of: high, to: low }
      : { kind: 'put field', field, of: high, value: low }
  }
  if (opcode >= 0x60 && opcode <= 0x6d) {
    const field = file.field(half(1))
    return opcode <= 0x66
      ? { kind: 'get field', field, of: null, to: byte }
      : { kind: 'put field', field, of: null, value: byte }
  }
  if ((opcode >= 0x6e && opcode <= 0x72) || (opcode >= 0x74 && opcode <= 0x78))
    return invokeAt(file, at, opcode, result)
  if (opcode >= 0x7b && opcode <= 0x8f) return unaryAt(opcode, low, high)
  if (opcode >= 0x90 && opcode <= 0xaf) {
    const right = half(1) >> 8
    return binaryAction(opcode - 0x90, half(1) & 255, right, byte)
  }
  if (opcode >= 0xb0 && opcode <= 0xcf) return binaryAction(opcode - 0xb0, low, high, low)
  if (opcode >= 0xd0 && opcode <= 0xd7)
    return literalAction(opcode - 0xd0, high, bytes.readInt16LE(at + 2), low)
  if (opcode >= 0xd8 && opcode <= 0xe2)
    return literalAction(opcode - 0xd8, half(1) & 255, bytes.readInt8(at + 3), byte)
  if (opcode >= 0xfa && result !== null) return unknown(result)
  return nothing
}

function invokeAt(file: DexFile, at: number, opcode: number, result: number | null): Action {
  const { bytes } = file
  const method = file.method(bytes.readUInt16LE(at + 2))
  const isRange = opcode >= 0x74
  const kind = isRange ? opcode - 0x74 : opcode - 0x6e
  const slots = isRange ? rangeAt(bytes, at) : registersAt(bytes, at)
  const { parameters } = signatureOf(method.descriptor)
  const isStatic = kind === 3
  const args: number[] = isStatic ? [] : slots.slice(0, 1)
  let slot = args.length
  for (const type of parameters) {
    const register = slots[slot]
    if (register !== undefined) args.push(register)
    // A long takes two registers, of which the first is read.
    slot += type === 'J' || type === 'D' ? 2 : 1
  }
  return { kind: 'invoke', method, args, isVirtual: kind === 0 || kind === 4, to: result }
}

function registersAt(bytes: Buffer, at: number): number[] {
  const head = bytes[at + 1] ?? 0
  const packed = bytes.readUInt16LE(at + 4)
  const all = [packed & 15, (packed >> 4) & 15, (packed >> 8) & 15, packed >> 12, head & 15]
  return all.slice(0, head >> 4)
}

function rangeAt(bytes: Buffer, at: number): number[] {
  const first = bytes.readUInt16LE(at + 4)
  return Array.from({ length: bytes[at + 1] ?? 0 }, (_, index) => first + index)
}

const mostValues = 65_536

/** Reads the data that an array is filled with. */
function valuesAt(bytes: Buffer, at: number): number[] {
  if (bytes.readUInt16LE(at) !== 0x0300) return []
  const width = bytes.readUInt16LE(at + 2)
  const count = bytes.readUInt32LE(at + 4)
  if (count > mostValues || ![1, 2, 4].includes(width)) return []
  return Array.from({ length: count }, (_, index) => bytes.readIntLE(at + 8 + index * width, width))
}

function switchAt(bytes: Buffer, at: number, value: number, isPacked: boolean): Action {
  const data = at + bytes.readInt32LE(at + 2) * 2
  const count = bytes.readUInt16LE(data + 2)
  const cases = new Map<number, number>()
  for (let index = 0; index < count; index++) {
    const key = isPacked ? bytes.readInt32LE(data + 4) + index : bytes.readInt32LE(data + 4 + index * 4)
    const targets = data + (isPacked ? 8 : 4 + count * 4)
    cases.set(key, at + bytes.readInt32LE(targets + index * 4) * 2)
  }
  return { kind: 'switch', value, cases, otherwise: at + 6 }
}

const unaries: Readonly<Record<number, Unary>> = {
  123: 'negate',
  124: 'not',
  125: 'negate',
  126: 'not',
  129: 'long',
  132: 'int',
  141: 'byte',
  142: 'char',
  143: 'short',
}
/** Conversions to long and double from other types. */
const toWide = new Set([0x80, 0x83, 0x86, 0x88, 0x89, 0x8b])

function unaryAt(opcode: number, to: number, from: number): Action {
  const operator = unaries[opcode]
  if (operator !== undefined) return { kind: 'unary', operator, from, to }
  return { kind: 'other', from: [], to, type: toWide.has(opcode) ? 'D' : 'I' }
}

/** Reads an operator by its place among those for int, long, float and double. */
function binaryAction(place: number, left: number, right: number, to: number): Action {
  if (place >= 22) return { kind: 'other', from: [], to, type: place >= 27 ? 'D' : 'F' }
  const operator = operators[place % 11] ?? '+'
  return { kind: 'binary', operator, left, right, to, isLong: place >= 11 }
}

function literalAction(place: number, register: number, literal: number, to: number): Action {
  const operator = literalOperators[place] ?? '+'
  if (operator === reversed)
    return { kind: 'binary', operator: '-', left: { literal }, right: register, to, isLong: false }
  return { kind: 'binary', operator, left: register, right: { literal }, to, isLong: false }
}
