import { type Assembly, type AssemblyMethod, keyOfMethod } from './assembly.ts'
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
} from './step.ts'
import { signatureOf, type Value } from './value.ts'

const top = 'stack'
/** Registers behind the variables, for what a constructor is called with. */
const mostVariables = 300

/** Makes a method of an assembly one that the machine runs. */
export function methodOf(assembly: Assembly, code: AssemblyMethod): Method {
  return createMethod(code, 0, () => decode(assembly, code))
}

/** The steps of one instruction, and where the next one is. */
interface Instruction {
  readonly actions: readonly Action[]
  readonly next: number
}

/** Notes of an instruction for those behind it. */
interface Context {
  /** The elements of the last new array. */
  element: string
  /** The bytes that the next array is filled with. */
  data: Buffer | null
  /** The type of the value that the next call is made on. */
  type: string | null
}

function decode(assembly: Assembly, code: AssemblyMethod): Step[] {
  const decoded: Decoded[] = []
  const context: Context = { element: 'I', data: null, type: null }
  try {
    for (let at = code.start; at < code.end; ) {
      const { actions, next } = decodeAt(assembly, code, at, context)
      // Steps of one instruction share its place, and a jump leads to the first of them.
      for (const [index, action] of actions.entries())
        decoded.push({ ...action, at: at + index / stepsInOne })
      at = next
    }
  } catch (error) {
    // Behind what is no instruction there is nothing to run.
    if (!(error instanceof RangeError)) throw error
  }
  return resolveTargets(decoded).map((step) => ({ ...step, at: Math.floor(step.at) }))
}

const stepsInOne = 1024

const arithmetic: readonly Binary[] = ['+', '-', '*', '/', '/', '%', '%', '&', '|', '^', '<<', '>>', '>>>']
const conditions: readonly Condition[] = ['==', '>=', '>', '<=', '<', '!=', '>=', '>', '<=', '<']
/** Instructions with an operand of four bytes, by what they leave: a token, a number or nothing that matters. */
const elements: Readonly<Record<string, string>> = {
  'System/Char': 'C',
  'System/Byte': 'B',
  'System/SByte': 'B',
  'System/Int16': 'S',
  'System/UInt16': 'S',
  'System/String': 'Ljava/lang/String;',
}

function decodeAt(assembly: Assembly, code: AssemblyMethod, at: number, context: Context): Instruction {
  const { bytes } = assembly
  const opcode = bytes.readUInt8(at)
  const one = (action: Action, length = 1): Instruction => ({ actions: [action], next: at + length })
  const several = (actions: readonly Action[], length = 1): Instruction => ({ actions, next: at + length })
  const constant = (value: Value, length = 1) => one({ kind: 'constant', to: top, value }, length)
  const other = (pops: number, type: string, length = 1) =>
    one({ kind: 'other', from: stackOf(pops), to: type === 'V' ? null : top, type }, length)
  const move = (from: Place, to: Place, length = 1) => one({ kind: 'move', from, to }, length)
  const local = (index: number) => code.args + index
  const token = (place = at + 1) => bytes.readUInt32LE(place)
  if (opcode <= 0x01) return other(0, 'V')
  if (opcode <= 0x05) return move(opcode - 0x02, top)
  if (opcode <= 0x09) return move(local(opcode - 0x06), top)
  if (opcode <= 0x0d) return move(top, local(opcode - 0x0a))
  if (opcode <= 0x0f) return move(bytes.readUInt8(at + 1), top, 2)
  if (opcode === 0x10) return move(top, bytes.readUInt8(at + 1), 2)
  if (opcode === 0x12 && fillsStructure(bytes, at + 2)) {
    const variable = local(bytes.readUInt8(at + 1))
    return several([structureAt(variable), { kind: 'move', from: variable, to: top }], 2)
  }
  if (opcode <= 0x12) return move(local(bytes.readUInt8(at + 1)), top, 2)
  if (opcode === 0x13) return move(top, local(bytes.readUInt8(at + 1)), 2)
  if (opcode === 0x14) return constant(null)
  if (opcode <= 0x1e) return constant(opcode - 0x16)
  if (opcode === 0x1f) return constant(bytes.readInt8(at + 1), 2)
  if (opcode === 0x20) return constant(bytes.readInt32LE(at + 1), 5)
  if (opcode === 0x21) return constant(Number(bytes.readBigInt64LE(at + 1)) | 0, 9)
  if (opcode === 0x22) return constant(undefined, 5)
  if (opcode === 0x23) return constant(undefined, 9)
  if (opcode === 0x25 || opcode === 0x26)
    return one({ kind: 'shuffle', how: opcode === 0x25 ? 'dup' : 'pop' })
  if (opcode === 0x28 || opcode === 0x6f) return callAt(assembly, at, opcode === 0x6f, context)
  if (opcode === 0x2a) {
    const isVoid = code.descriptor.endsWith(')V')
    return one({ kind: 'return', from: isVoid ? null : top })
  }
  if (opcode >= 0x2b && opcode <= 0x44) return branchAt(bytes, opcode, at)
  if (opcode === 0x45) return switchAt(bytes, at)
  if (opcode >= 0x46 && opcode <= 0x50) return one(addressed('get', opcode === 0x47 ? 'B' : 'I'))
  if (opcode >= 0x51 && opcode <= 0x57) return one(addressed('set', 'I'))
  if (opcode >= 0x58 && opcode <= 0x64) {
    const operator = arithmetic[opcode - 0x58] ?? '+'
    return one({ kind: 'binary', operator, left: top, right: top, to: top, isLong: false })
  }
  if (opcode === 0x65 || opcode === 0x66)
    return one({ kind: 'unary', operator: opcode === 0x65 ? 'negate' : 'not', from: top, to: top })
  if (opcode === 0x67 || opcode === 0x68)
    return one({ kind: 'unary', operator: opcode === 0x67 ? 'byte' : 'short', from: top, to: top })
  if (opcode === 0x69 || opcode === 0x6a || opcode === 0x6d || opcode === 0x6e) return move(top, top)
  if (opcode === 0x6b || opcode === 0x6c || opcode === 0x76) return other(1, 'I')
  if (opcode === 0x70) return other(2, 'V', 5)
  if (opcode === 0x72) return constant(assembly.text(token()), 5)
  if (opcode === 0x73) return constructorAt(assembly, at, code.args + mostVariables)
  if (opcode === 0x74 || opcode === 0x75 || opcode === 0x79) return move(top, top, 5)
  if (opcode === 0x7a) return one({ kind: 'throw' })
  if (opcode === 0x7b || opcode === 0x7c)
    return one({ kind: 'get field', field: assembly.member(token()), of: top, to: top }, 5)
  if (opcode === 0x7d)
    return one({ kind: 'put field', field: assembly.member(token()), of: top, value: top }, 5)
  if (opcode === 0x7e || opcode === 0x7f) return one(staticFieldAt(assembly, at), 5)
  if (opcode === 0x80)
    return one({ kind: 'put field', field: assembly.member(token()), of: null, value: top }, 5)
  if (opcode === 0x81) return one(addressed('set', 'I'), 5)
  if (opcode === 0x8c || opcode === 0xa5) return one(boxAt(assembly, at), 5)
  if (opcode === 0x8d) {
    const name = assembly.typeName(token())
    context.element = elements[name] ?? 'I'
    return one({ kind: 'new array', element: context.element, size: top, to: top }, 5)
  }
  if (opcode === 0x8e) return one({ kind: 'length', array: top, to: top })
  if (opcode === 0x8f) return one(addressed('of', 'I'), 5)
  if (opcode === 0x71) return one(addressed('get', 'I'), 5)
  if ((opcode >= 0x90 && opcode <= 0x9a) || opcode === 0xa3) {
    const load: Action = { kind: 'load', array: top, index: top, to: top, isWide: false }
    const mask = opcode === 0x91 ? 0xff : opcode === 0x93 ? 0xffff : null
    return several(mask === null ? [load] : [load, masked(mask)], opcode === 0xa3 ? 5 : 1)
  }
  if ((opcode >= 0x9b && opcode <= 0xa2) || opcode === 0xa4)
    return one({ kind: 'store', array: top, index: top, value: top }, opcode === 0xa4 ? 5 : 1)
  if (opcode === 0xb4 || opcode === 0xd2) return one(masked(0xff))
  if (opcode === 0xd1) return one(masked(0xffff))
  if (opcode >= 0xb3 && opcode <= 0xba) return move(top, top)
  if (opcode >= 0x82 && opcode <= 0x8b) return move(top, top)
  if (opcode === 0xd0) {
    context.data = token() >>> 24 === 4 ? assembly.dataOf(token()) : null
    return constant(undefined, 5)
  }
  if (opcode >= 0xd3 && opcode <= 0xd5) return move(top, top)
  if (opcode >= 0xd6 && opcode <= 0xdb) {
    const operator = (['+', '+', '*', '*', '-', '-'] as const)[opcode - 0xd6] ?? '+'
    return one({ kind: 'binary', operator, left: top, right: top, to: top, isLong: false })
  }
  if (opcode === 0xdc) return one({ kind: 'return', from: null })
  if (opcode === 0xdd) return one({ kind: 'jump', target: at + 5 + bytes.readInt32LE(at + 1) })
  if (opcode === 0xde) return one({ kind: 'jump', target: at + 2 + bytes.readInt8(at + 1) })
  if (opcode === 0xe0) return move(top, top)
  if (opcode === 0xfe) return longAt(assembly, code, at, context)
  throw new RangeError('an instruction that is not known')
}

function masked(mask: number): Action {
  return { kind: 'binary', operator: '&', left: top, right: { literal: mask }, to: top, isLong: false }
}

/** Reads a static field, or the data that an array begins with. */
function staticFieldAt(assembly: Assembly, at: number): Action {
  const token = assembly.bytes.readUInt32LE(at + 1)
  const field = assembly.member(token)
  if (field.owner === 'System/String' && field.name === 'Empty')
    return { kind: 'constant', to: top, value: '' }
  const data = assembly.bytes.readUInt8(at) === 0x7f ? assembly.dataOf(token) : null
  if (data !== null) return { kind: 'constant', to: top, value: { element: 'B', items: [...data] } }
  return { kind: 'get field', field, of: null, to: top }
}

/** Boxes a value, or takes it out of its box. A box shows whether its number is a character. */
function boxAt({ bytes, typeName }: Assembly, at: number): Action {
  const isCharacter = bytes.readUInt8(at) === 0x8c && typeName(bytes.readUInt32LE(at + 1)) === 'System/Char'
  if (!isCharacter) return { kind: 'move', from: top, to: top }
  const method = { owner: 'java/lang/Character', name: 'valueOf', descriptor: '(C)Ljava/lang/Character;' }
  return { kind: 'invoke', method, args: [top], isVirtual: false, to: top }
}

/** Works with the address of an item of an array, as a method of a library. */
function addressed(name: 'of' | 'get' | 'set', type: string): Action {
  const method = { owner: 'System/Address', name, descriptor: name === 'get' ? `(I)${type}` : '(II)I' }
  return {
    kind: 'invoke',
    method,
    args: stackOf(name === 'get' ? 1 : 2),
    isVirtual: false,
    to: name === 'set' ? null : top,
  }
}

/** Behind the address of a variable, its fields are cleared, or one of them is set to a text, an argument or a variable. */
function fillsStructure(bytes: Buffer, at: number): boolean {
  const opcode = bytes[at] ?? 0
  const next = opcode === 0x72 ? at + 5 : opcode >= 0x02 && opcode <= 0x09 ? at + 1 : -1
  return (opcode === 0xfe && bytes[at + 1] === 0x15) || bytes[next] === 0x7d
}

/** Makes the object of a variable that is a structure, unless there is one. */
function structureAt(variable: number): Action {
  const method = { owner: 'System/Address', name: 'structure', descriptor: '(A)Ljava/lang/Object;' }
  return { kind: 'invoke', method, args: [variable], isVirtual: false, to: variable }
}

function stackOf(count: number): Place[] {
  return new Array<Place>(count).fill(top)
}

function longAt(assembly: Assembly, code: AssemblyMethod, at: number, context: Context): Instruction {
  const { bytes } = assembly
  const opcode = bytes.readUInt8(at + 1)
  const one = (action: Action, length = 2): Instruction => ({ actions: [action], next: at + length })
  const index = () => bytes.readUInt16LE(at + 2)
  const comparison = comparisons[opcode]
  if (comparison !== undefined)
    return { actions: [{ kind: 'compare', left: top, right: top, to: top }, ...comparison], next: at + 2 }
  switch (opcode) {
    case 0x06:
      return one({ kind: 'constant', to: top, value: keyOfMethod(assembly, bytes.readUInt32LE(at + 2)) }, 6)
    case 0x07: {
      const value = keyOfMethod(assembly, bytes.readUInt32LE(at + 2))
      const pop: Action = { kind: 'shuffle', how: 'pop' }
      return { actions: [pop, { kind: 'constant', to: top, value }], next: at + 6 }
    }
    case 0x09:
    case 0x0a:
      return one({ kind: 'move', from: index(), to: top }, 4)
    case 0x0b:
      return one({ kind: 'move', from: top, to: index() }, 4)
    case 0x0c:
    case 0x0d:
      return one({ kind: 'move', from: code.args + index(), to: top }, 4)
    case 0x0e:
      return one({ kind: 'move', from: top, to: code.args + index() }, 4)
    case 0x12:
      return one({ kind: 'other', from: [], to: null, type: 'V' }, 3)
    case 0x15:
      return one({ kind: 'other', from: [top], to: null, type: 'V' }, 6)
    case 0x16:
      context.type = assembly.typeName(bytes.readUInt32LE(at + 2))
      return one({ kind: 'other', from: [], to: null, type: 'V' }, 6)
    case 0x1c:
      return one({ kind: 'constant', to: top, value: undefined }, 6)
    case 0x1a:
      return one({ kind: 'throw' })
    default:
      return one({ kind: 'other', from: [], to: null, type: 'V' })
  }
}

function withLiteral(operator: Binary, literal: number): Action {
  return { kind: 'binary', operator, left: top, right: { literal }, to: top, isLong: false }
}

/** Makes 1 or 0 of below 0, 0 or above: for equal, above and below. */
const isEqual = [withLiteral('&', 1), withLiteral('^', 1)]
const isAbove = [withLiteral('+', 1), withLiteral('>>', 1)]
const isBelow: readonly Action[] = [{ kind: 'unary', operator: 'negate', from: top, to: top }, ...isAbove]
const comparisons: Readonly<Record<number, readonly Action[]>> = {
  1: isEqual,
  2: isAbove,
  3: isAbove,
  4: isBelow,
  5: isBelow,
}

function callAt(assembly: Assembly, at: number, isVirtual: boolean, context: Context): Instruction {
  const token = assembly.bytes.readUInt32LE(at + 1)
  const declared = assembly.member(token)
  // A character is told from the number of its code by its type alone.
  const method = context.type === 'System/Char' ? { ...declared, owner: context.type } : declared
  context.type = null
  const { parameters, result } = signatureOf(method.descriptor)
  const next = at + 5
  if (method.name === 'InitializeArray' && context.data !== null) {
    const width = context.element === 'B' ? 1 : context.element === 'C' || context.element === 'S' ? 2 : 4
    const values = numbersIn(context.data, width, context.element === 'S')
    const handle: Action = { kind: 'other', from: [top], to: null, type: 'V' }
    return { actions: [handle, { kind: 'fill', array: top, values }], next }
  }
  const args = stackOf(parameters.length + (assembly.isStatic(token) ? 0 : 1))
  const to = result === 'V' ? null : top
  return { actions: [{ kind: 'invoke', method, args, isVirtual, to }], next }
}

function numbersIn(data: Buffer, width: number, isSigned: boolean): number[] {
  const count = Math.floor(data.length / width)
  return Array.from({ length: count }, (_, index) =>
    width === 4 || isSigned ? data.readIntLE(index * width, width) : data.readUIntLE(index * width, width),
  )
}

/** Makes an object below the arguments that are on the stack already. */
function constructorAt(assembly: Assembly, at: number, aside: number): Instruction {
  const method = assembly.member(assembly.bytes.readUInt32LE(at + 1))
  const { parameters } = signatureOf(method.descriptor)
  const places = parameters.map((_, index) => aside + 1 + index)
  const actions: Action[] = [...places].reverse().map((to) => ({ kind: 'move', from: top, to }))
  const type = method.owner === 'System/String' ? 'java/lang/String' : method.owner
  actions.push(
    { kind: 'new', type, to: aside },
    { kind: 'invoke', method, args: [aside, ...places], isVirtual: false, to: null },
    { kind: 'move', from: aside, to: top },
  )
  return { actions, next: at + 5 }
}

function branchAt(bytes: Buffer, opcode: number, at: number): Instruction {
  const isLong = opcode >= 0x38
  const kind = opcode - (isLong ? 0x38 : 0x2b)
  const next = at + (isLong ? 5 : 2)
  const target = next + (isLong ? bytes.readInt32LE(at + 1) : bytes.readInt8(at + 1))
  if (kind === 0) return { actions: [{ kind: 'jump', target }], next }
  const isAlone = kind <= 2
  const condition = kind === 1 ? '==' : kind === 2 ? '!=' : (conditions[kind - 3] ?? '==')
  const right = isAlone ? { literal: 0 } : top
  return { actions: [{ kind: 'branch', condition, left: top, right, target }], next }
}

const mostCases = 10_000

function switchAt(bytes: Buffer, at: number): Instruction {
  const count = bytes.readUInt32LE(at + 1)
  if (count > mostCases) throw new RangeError('a switch with too many cases')
  const next = at + 5 + count * 4
  const cases = new Map<number, number>()
  for (let index = 0; index < count; index++) cases.set(index, next + bytes.readInt32LE(at + 5 + index * 4))
  return { actions: [{ kind: 'switch', value: top, cases, otherwise: next }], next }
}

/** Bytes behind the number of an instruction, where there are any. */
const operands = new Map<number, number>()
for (const [size, first, last] of [
  [1, 0x0e, 0x13],
  [1, 0x1f, 0x1f],
  [4, 0x20, 0x20],
  [8, 0x21, 0x21],
  [4, 0x22, 0x22],
  [8, 0x23, 0x23],
  [4, 0x27, 0x29],
  [1, 0x2b, 0x37],
  [4, 0x38, 0x44],
  [4, 0x6f, 0x75],
  [4, 0x79, 0x79],
  [4, 0x7b, 0x81],
  [4, 0x8c, 0x8d],
  [4, 0x8f, 0x8f],
  [4, 0xa3, 0xa5],
  [4, 0xc2, 0xc2],
  [4, 0xc6, 0xc6],
  [4, 0xd0, 0xd0],
  [4, 0xdd, 0xdd],
  [1, 0xde, 0xde],
] as const)
  for (let opcode = first; opcode <= last; opcode++) operands.set(opcode, size)
/** The same behind 0xfe. */
const operandsOfLong = new Map([0x06, 0x07, 0x15, 0x16, 0x1c].map((opcode) => [opcode, 4]))
for (let opcode = 0x09; opcode <= 0x0e; opcode++) operandsOfLong.set(opcode, 2)
for (const opcode of [0x12, 0x19]) operandsOfLong.set(opcode, 1)

/** Calls for each instruction of a method. */
export function eachInstruction(
  bytes: Buffer,
  { start, end }: AssemblyMethod,
  onInstruction: (opcode: number, at: number) => void,
): void {
  for (let at = start; at < end; ) {
    const opcode = bytes[at] ?? 0
    let length = 1 + (operands.get(opcode) ?? 0)
    if (opcode === 0xfe) length = 2 + (operandsOfLong.get(bytes[at + 1] ?? 0) ?? 0)
    else if (opcode === 0x45) length = at + 5 <= end ? 5 + bytes.readUInt32LE(at + 1) * 4 : 5
    if (at + length > end) return
    onInstruction(opcode, at)
    at += length
  }
}
