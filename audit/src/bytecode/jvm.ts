import type { ClassFile, CodeOfMethod } from './class-file.ts'
import {
  type Action,
  type Binary,
  type Condition,
  createMethod,
  type Decoded,
  type Method,
  type Place,
  resolveTargets,
  type Shuffle,
  type Step,
  type Unary,
} from './step.ts'
import { signatureOf, unknownWide } from './value.ts'

const top = 'stack'

/** Makes a method of a class file one that the machine runs. */
export function methodOf(file: ClassFile, code: CodeOfMethod): Method {
  return createMethod(code, 0, () => decode(file, code))
}

/** An action, and where the instruction behind it begins. */
interface Instruction {
  readonly action: Action
  readonly next: number
}

/** Decodes instructions up to the first that is none. */
function decode(file: ClassFile, { start, end }: CodeOfMethod): Step[] {
  const decoded: Decoded[] = []
  try {
    for (let at = start; at < end; ) {
      const { action, next } = decodeAt(file, start, at)
      decoded.push({ ...action, at })
      at = next
    }
  } catch (error) {
    // Behind what is no instruction there is nothing to run.
    if (!(error instanceof RangeError)) throw error
  }
  return resolveTargets(decoded)
}

const conditions: readonly Condition[] = ['==', '!=', '<', '>=', '>', '<=']
const operators: readonly Binary[] = ['+', '-', '*', '/', '%']
const bitOperators: readonly Binary[] = ['<<', '>>', '>>>', '&', '|', '^']
const shuffles: readonly Shuffle[] = [
  'pop',
  'pop2',
  'dup',
  'dup_x1',
  'dup_x2',
  'dup2',
  'dup2_x1',
  'dup2_x2',
  'swap',
]
const conversions: readonly Unary[] = [
  'long', // i2l
  'unknown', // i2f
  'unknown', // i2d
  'int', // l2i
  'unknown',
  'unknown',
  'unknown',
  'unknown',
  'unknown',
  'unknown',
  'unknown',
  'unknown',
  'byte',
  'char',
  'short',
]
/** True where the result of a conversion takes two slots, from `i2l` on. */
const wideConversions = [true, false, true, false, false, true, false, true, true, false, true, false]
const arrayTypes: Readonly<Record<number, string>> = {
  4: 'Z',
  5: 'C',
  6: 'F',
  7: 'D',
  8: 'B',
  9: 'S',
  10: 'I',
  11: 'J',
}

function decodeAt(file: ClassFile, start: number, at: number): Instruction {
  const { bytes } = file
  const opcode = bytes.readUInt8(at)
  const one = (action: Action, length = 1): Instruction => ({ action, next: at + length })
  const constant = (value: number | null) => one({ kind: 'constant', to: top, value })
  const other = (pops: number, type: string, length = 1) =>
    one({ kind: 'other', from: stackOf(pops), to: type === 'V' ? null : top, type }, length)
  if (opcode === 0x00) return other(0, 'V')
  if (opcode === 0x01) return constant(null)
  if (opcode <= 0x08) return constant(opcode - 3)
  if (opcode <= 0x0a) return one({ kind: 'constant', to: top, value: { wide: BigInt(opcode - 9) } })
  if (opcode <= 0x0d) return one({ kind: 'constant', to: top, value: undefined })
  if (opcode <= 0x0f) return one({ kind: 'constant', to: top, value: unknownWide })
  if (opcode === 0x10) return one({ kind: 'constant', to: top, value: bytes.readInt8(at + 1) }, 2)
  if (opcode === 0x11) return one({ kind: 'constant', to: top, value: bytes.readInt16BE(at + 1) }, 3)
  if (opcode <= 0x14) {
    const isShort = opcode === 0x12
    const index = isShort ? bytes.readUInt8(at + 1) : bytes.readUInt16BE(at + 1)
    return one({ kind: 'constant', to: top, value: file.constant(index) }, isShort ? 2 : 3)
  }
  if (opcode <= 0x19) return one({ kind: 'move', from: bytes.readUInt8(at + 1), to: top }, 2)
  if (opcode <= 0x2d) return one({ kind: 'move', from: (opcode - 0x1a) & 3, to: top })
  if (opcode <= 0x35) {
    const isWide = opcode === 0x2f || opcode === 0x31
    return one({ kind: 'load', array: top, index: top, to: top, isWide })
  }
  if (opcode <= 0x3a) return one({ kind: 'move', from: top, to: bytes.readUInt8(at + 1) }, 2)
  if (opcode <= 0x4e) return one({ kind: 'move', from: top, to: (opcode - 0x3b) & 3 })
  if (opcode <= 0x56) return one({ kind: 'store', array: top, index: top, value: top })
  if (opcode <= 0x5f) return one({ kind: 'shuffle', how: shuffles[opcode - 0x57] ?? 'pop' })
  if (opcode <= 0x73) return arithmeticAt(opcode, one)
  if (opcode <= 0x77) return one(unaryAction('negate', opcode === 0x76 || opcode === 0x77))
  if (opcode <= 0x83) {
    const isLong = (opcode & 1) === 1
    const operator = bitOperators[(opcode - 0x78) >> 1] ?? '&'
    return one({ kind: 'binary', operator, left: top, right: top, to: top, isLong })
  }
  if (opcode === 0x84) return increment(bytes.readUInt8(at + 1), bytes.readInt8(at + 2), at + 3)
  if (opcode <= 0x93) {
    const operator = conversions[opcode - 0x85] ?? 'unknown'
    if (operator === 'unknown') return other(1, wideConversions[opcode - 0x85] === true ? 'D' : 'I')
    return one({ kind: 'unary', operator, from: top, to: top })
  }
  if (opcode === 0x94) return one({ kind: 'compare', left: top, right: top, to: top })
  if (opcode <= 0x98) return other(2, 'I')
  if (opcode <= 0xa6 || opcode === 0xc6 || opcode === 0xc7) return branchAt(bytes, opcode, at)
  if (opcode === 0xa7) return one({ kind: 'jump', target: at + bytes.readInt16BE(at + 1) }, 3)
  if (opcode === 0xaa || opcode === 0xab) return switchAt(bytes, start, at, opcode === 0xaa)
  if (opcode === 0xb1) return one({ kind: 'return', from: null })
  if (opcode >= 0xac && opcode <= 0xb0) return one({ kind: 'return', from: top })
  if (opcode >= 0xb2 && opcode <= 0xb5) {
    const field = file.member(bytes.readUInt16BE(at + 1))
    const of: Place | null = opcode >= 0xb4 ? top : null
    return one(
      (opcode & 1) === 0
        ? { kind: 'get field', field, of, to: top }
        : { kind: 'put field', field, of, value: top },
      3,
    )
  }
  if (opcode >= 0xb6 && opcode <= 0xb9) return invokeAt(file, at, one)
  if (opcode === 0xba) return invokeDynamicAt(file, at, one)
  if (opcode === 0xbb)
    return one({ kind: 'new', type: file.className(bytes.readUInt16BE(at + 1)), to: top }, 3)
  if (opcode === 0xbc) {
    const element = arrayTypes[bytes.readUInt8(at + 1)] ?? 'I'
    return one({ kind: 'new array', element, size: top, to: top }, 2)
  }
  if (opcode === 0xbd) {
    const name = file.className(bytes.readUInt16BE(at + 1))
    return one(
      { kind: 'new array', element: name.startsWith('[') ? name : `L${name};`, size: top, to: top },
      3,
    )
  }
  if (opcode === 0xbe) return one({ kind: 'length', array: top, to: top })
  if (opcode === 0xbf) return one({ kind: 'throw' })
  if (opcode === 0xc0) return one({ kind: 'move', from: top, to: top }, 3)
  if (opcode === 0xc1)
    return one({ kind: 'is of', type: file.className(bytes.readUInt16BE(at + 1)), from: top, to: top }, 3)
  if (opcode === 0xc2 || opcode === 0xc3) return other(1, 'V')
  if (opcode === 0xc4) return widenedAt(bytes, at)
  if (opcode === 0xc5) return other(bytes.readUInt8(at + 3), 'A', 4)
  if (opcode === 0xc8) return one({ kind: 'jump', target: at + bytes.readInt32BE(at + 1) }, 5)
  throw new RangeError('an instruction that is not known')
}

type One = (action: Action, length?: number) => Instruction

function invokeAt(file: ClassFile, at: number, one: One): Instruction {
  const { bytes } = file
  const opcode = bytes.readUInt8(at)
  const method = file.member(bytes.readUInt16BE(at + 1))
  const { parameters, result } = signatureOf(method.descriptor)
  const args = stackOf(parameters.length + (opcode === 0xb8 ? 0 : 1))
  const isVirtual = opcode === 0xb6 || opcode === 0xb9
  return one(
    { kind: 'invoke', method, args, isVirtual, to: result === 'V' ? null : top },
    opcode === 0xb9 ? 5 : 3,
  )
}

function invokeDynamicAt(file: ClassFile, at: number, one: One): Instruction {
  const { bytes } = file
  const index = bytes.readUInt16BE(at + 1)
  const concatenation = file.concatenation(index)
  const { parameters, result } = signatureOf(file.site(index).descriptor)
  const args = stackOf(parameters.length)
  const lambda = concatenation === null ? file.lambda(index) : null
  if (lambda !== null) return one({ kind: 'lambda', method: lambda, args, to: top }, 5)
  if (concatenation === null) return one({ kind: 'other', from: args, to: top, type: result }, 5)
  const { recipe } = concatenation
  return one({ kind: 'concatenate', recipe, types: parameters, args, to: top }, 5)
}

function stackOf(count: number): Place[] {
  return new Array<Place>(count).fill(top)
}

function unaryAction(operator: Unary, isFloat: boolean): Action {
  return isFloat
    ? { kind: 'other', from: [top], to: top, type: 'D' }
    : { kind: 'unary', operator, from: top, to: top }
}

/** Reads `add` to `rem`, each for int, long, float and double. */
function arithmeticAt(opcode: number, one: (action: Action) => Instruction): Instruction {
  const kind = (opcode - 0x60) & 3
  const operator = operators[(opcode - 0x60) >> 2] ?? '+'
  if (kind >= 2) return one({ kind: 'other', from: [top, top], to: top, type: kind === 3 ? 'D' : 'F' })
  return one({ kind: 'binary', operator, left: top, right: top, to: top, isLong: kind === 1 })
}

function increment(register: number, literal: number, next: number): Instruction {
  return {
    action: {
      kind: 'binary',
      operator: '+',
      left: register,
      right: { literal },
      to: register,
      isLong: false,
    },
    next,
  }
}

function branchAt(bytes: Buffer, opcode: number, at: number): Instruction {
  const target = at + bytes.readInt16BE(at + 1)
  const branch = (condition: Condition, right: Place | { literal: number | null }): Instruction => ({
    action: { kind: 'branch', condition, left: top, right, target },
    next: at + 3,
  })
  if (opcode >= 0xc6) return branch(opcode === 0xc6 ? '==' : '!=', { literal: null })
  if (opcode <= 0x9e) return branch(conditions[opcode - 0x99] ?? '==', { literal: 0 })
  if (opcode <= 0xa4) return branch(conditions[opcode - 0x9f] ?? '==', top)
  return branch(opcode === 0xa5 ? '==' : '!=', top)
}

const mostCases = 10_000

function switchAt(bytes: Buffer, start: number, at: number, isTable: boolean): Instruction {
  const from = at + 4 - ((at - start) & 3)
  const otherwise = at + bytes.readInt32BE(from)
  const [first, second] = [bytes.readInt32BE(from + 4), bytes.readInt32BE(from + 8)]
  const count = isTable ? second - first + 1 : first
  if (count < 0 || count > mostCases) throw new RangeError('a switch with too many cases')
  const cases = new Map<number, number>()
  for (let index = 0; index < count; index++)
    if (isTable) cases.set(first + index, at + bytes.readInt32BE(from + 12 + index * 4))
    else cases.set(bytes.readInt32BE(from + 8 + index * 8), at + bytes.readInt32BE(from + 12 + index * 8))
  const next = from + (isTable ? 12 + count * 4 : 8 + count * 8)
  return { action: { kind: 'switch', value: top, cases, otherwise }, next }
}

/** Reads an instruction with the index of a local variable in two bytes. */
function widenedAt(bytes: Buffer, at: number): Instruction {
  const opcode = bytes.readUInt8(at + 1)
  const register = bytes.readUInt16BE(at + 2)
  if (opcode === 0x84) return increment(register, bytes.readInt16BE(at + 4), at + 6)
  const isLoad = opcode >= 0x15 && opcode <= 0x19
  return {
    action: isLoad ? { kind: 'move', from: register, to: top } : { kind: 'move', from: top, to: register },
    next: at + 4,
  }
}
