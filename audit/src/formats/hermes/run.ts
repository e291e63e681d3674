import { type Effort, pay } from '../../model/effort.ts'
import { stringCall } from '../../script/string-calls.ts'
import { type Constant, joinedBy, makeList, makeText, textOf } from '../../script/value.ts'
import { type HermesCode, operand } from './code.ts'
import type { HermesFunction } from './functions.ts'
import { type Instruction, registersBehindThis } from './instructions.ts'

/** A text that a function puts together, and where in the file its last step is. */
export interface Made {
  readonly text: string
  readonly offset: number
}

/** A member of something, and what it is a member of. */
interface Member {
  readonly of: Value
  readonly member: string
}

/** The value of a register; `undefined` where it is not known. */
type Value = Constant | Member | Environment | typeof globals

/** Variables that inner functions see. */
interface Environment {
  readonly variables: Map<number, Value>
}

const globals = Symbol('the global object')

function isMember(value: Value): value is Member {
  return typeof value === 'object' && value !== null && 'member' in value
}

function isEnvironment(value: Value): value is Environment {
  return typeof value === 'object' && value !== null && 'variables' in value
}

/**
 * Runs a function from its first instruction to its last, once as though no jump were taken, and once as though the first
 * jump to each place were, and gives the texts with a prefix in them that it makes. Loops are gone through once.
 */
export function textsMadeBy(
  code: HermesCode,
  one: HermesFunction,
  prefix: string,
  effort: Effort,
): readonly Made[] {
  const { bytes, instructions } = code
  const made: Made[] = []
  const onText = (text: string, offset: number) => {
    if (text.includes(prefix)) made.push({ text, offset })
  }
  for (const way of ['on', 'jump'] as const) {
    const run = createRun(code, one, effort, way, onText)
    for (let at = one.start; at < one.end; ) {
      const instruction = instructions[bytes[at] ?? 0]
      if (instruction === undefined) break
      pay(effort, stepsOfInstruction)
      run(instruction, at)
      at += instruction.length
    }
  }
  // A part of a text that was made of it is no text of its own.
  return made.filter(({ text }) => !made.some((other) => other.text !== text && other.text.includes(text)))
}

const stepsOfInstruction = 4

function createRun(
  code: HermesCode,
  { frameSize }: HermesFunction,
  effort: Effort,
  way: 'on' | 'jump',
  onText: (text: string, offset: number) => void,
): (instruction: Instruction, at: number) => void {
  const { bytes, version } = code
  let registers: Value[] = []
  let isReached = true
  /** Registers as they were known at the first jump to a place. */
  const jumps = new Map<number, Value[]>()
  const arrived = (at: number) => {
    const known = jumps.get(at)
    if (!isReached || (way === 'jump' && known !== undefined)) registers = known ?? []
    isReached = true
    jumps.delete(at)
  }
  const make = (register: number, value: Value, at: number) => {
    registers[register] = value
    if (typeof value === 'string') onText(value, at)
  }
  return (instruction, at) => {
    const { name, operands } = instruction
    const number = (index: number) => operand(bytes, at, instruction, index)
    const value = (index: number) => registers[number(index)]
    const target = number(0)
    const call = (callee: Value, self: Value, args: readonly Value[]) =>
      make(target, resultOf(callee, self, args, effort), at)
    arrived(at)
    switch (name) {
      case 'Mov':
      case 'MovLong':
        registers[target] = value(1)
        return
      case 'LoadConstString':
      case 'LoadConstStringLongIndex':
        registers[target] = code.text(number(1))
        return
      case 'LoadConstUInt8':
      case 'LoadConstInt':
      case 'LoadConstDouble':
        registers[target] = number(1)
        return
      case 'LoadConstZero':
        registers[target] = 0
        return
      case 'GetGlobalObject':
        registers[target] = globals
        return
      case 'GetByIdShort':
      case 'GetById':
      case 'GetByIdLong':
        registers[target] = memberOf(value(1), code.text(number(3)))
        return
      case 'TryGetById':
      case 'TryGetByIdLong':
        registers[target] = memberOf(globals, code.text(number(3)))
        return
      case 'CreateEnvironment':
      case 'CreateFunctionEnvironment':
      case 'CreateTopLevelEnvironment':
        registers[target] = { variables: new Map() }
        return
      case 'StoreToEnvironment':
      case 'StoreToEnvironmentL':
      case 'StoreNPToEnvironment':
      case 'StoreNPToEnvironmentL': {
        const environment = registers[target]
        if (isEnvironment(environment)) environment.variables.set(number(1), value(2))
        return
      }
      case 'LoadFromEnvironment':
      case 'LoadFromEnvironmentL': {
        const environment = value(1)
        registers[target] = isEnvironment(environment) ? environment.variables.get(number(2)) : undefined
        return
      }
      case 'NewArray':
        registers[target] = []
        return
      case 'NewArrayWithBuffer':
      case 'NewArrayWithBufferLong':
        registers[target] = listOf(code, number(3), number(2), effort)
        return
      case 'PutOwnByIndex':
      case 'PutOwnByIndexL':
      case 'DefineOwnByIndex':
      case 'DefineOwnByIndexL':
      case 'DefineOwnInDenseArray':
      case 'DefineOwnInDenseArrayL':
        put(registers[target], number(2), value(1), effort)
        return
      case 'Add':
      case 'AddS':
        make(target, sumOf(value(1), value(2), effort), at)
        return
      case 'AddEmptyString':
        make(target, sumOf('', value(1), effort), at)
        return
      case 'Call1':
      case 'Call2':
      case 'Call3':
      case 'Call4': {
        const [self, ...args] = Array.from({ length: operands.length - 2 }, (_, index) => value(index + 2))
        call(value(1), self, args)
        return
      }
      case 'Call':
      case 'CallLong': {
        const first = frameSize - registersBehindThis(version)
        const count = number(2)
        if (count > first + 1) break
        makeList(count, effort)
        const [self, ...args] = Array.from({ length: count }, (_, index) => registers[first - index])
        call(value(1), self, args)
        return
      }
      case 'Ret':
      case 'Throw':
        isReached = false
        return
    }
    leave(instruction, at)
  }

  /** Handles an unknown instruction: it may jump, and the register it writes to is not known any more. */
  function leave(instruction: Instruction, at: number): void {
    const { name, operands } = instruction
    if (name === 'Catch') registers = []
    if (operands[0] === 'r') registers[operand(bytes, at, instruction, 0)] = undefined
    const jump = /j|J/.exec(operands)
    if (jump === null) return
    const to = at + operand(bytes, at, instruction, jump.index)
    // The targets of a jump by a table are not known; the state at each of them is that of the case before it.
    if (to > at && jump.index === 0 && !jumps.has(to) && jumps.size < mostJumps) {
      pay(effort, registers.length)
      jumps.set(to, [...registers])
    }
    if (operands.length === 1) isReached = false
  }
}

const mostJumps = 1000

function memberOf(of: Value, member: string | undefined): Value {
  return member === undefined || of === undefined ? undefined : { of, member }
}

function listOf(code: HermesCode, offset: number, count: number, effort: Effort): Constant[] {
  makeList(count, effort)
  return code
    .literals(offset, count)
    .map((literal) => (literal === null || typeof literal === 'number' ? literal : code.text(literal.string)))
}

function asConstant(value: Value): Constant {
  return value === globals || isMember(value) || isEnvironment(value) ? undefined : value
}

function put(list: Value, index: number, value: Value, effort: Effort): void {
  if (!Array.isArray(list) || index > mostItems) return
  makeList(Math.max(1, index - list.length), effort)
  const items = list as Constant[]
  while (items.length < index) items.push(undefined)
  items[index] = asConstant(value)
}

const mostItems = 65_536

/** Adds two values as `+` does, where one of them is a text or both are numbers. */
function sumOf(left: Value, right: Value, effort: Effort): Value {
  if (typeof left === 'number' && typeof right === 'number') return left + right
  if (typeof left !== 'string' && typeof right !== 'string') return undefined
  const [first, second] = [textOf(asConstant(left), effort), textOf(asConstant(right), effort)]
  if (first === undefined || second === undefined) return undefined
  makeText(first.length + second.length, effort)
  return first + second
}

function resultOf(callee: Value, self: Value, args: readonly Value[], effort: Effort): Value {
  if (!isMember(callee)) return undefined
  const { of, member } = callee
  if (of === globals || isMember(of)) return builtIn(of, member, self, args.map(asConstant), effort)
  const constants = args.map(asConstant)
  if (typeof self === 'string') return stringCall(self, member, constants, effort)
  return Array.isArray(self) ? listCall(self as Constant[], member, constants, effort) : undefined
}

function builtIn(
  of: Member | typeof globals,
  member: string,
  self: Value,
  args: readonly Constant[],
  effort: Effort,
): Value {
  const [first, second] = args
  if (of === globals) {
    if (member === 'atob' && typeof first === 'string') {
      makeText(first.length, effort)
      return Buffer.from(first, 'base64').toString('latin1')
    }
    return member === 'String' ? textOf(first, effort) : undefined
  }
  if (member === 'apply' && Array.isArray(second)) return charactersBy(of, second, effort)
  if (member === 'call') return charactersBy(of, args.slice(1), effort)
  // A template becomes this call: its first part is `this`.
  if (of.member === 'HermesInternal' && member === 'concat')
    return joinedBy([asConstant(self), ...args], '', effort)
  return charactersBy({ of, member }, args, effort)
}

/** Makes a text from codes of characters. */
function charactersBy({ of, member }: Member, codes: readonly Constant[], effort: Effort): Value {
  if (!isMember(of) || of.of !== globals || of.member !== 'String') return undefined
  if (member !== 'fromCharCode' && member !== 'fromCodePoint') return undefined
  makeText(codes.length, effort)
  const isText = codes.every((code) => typeof code === 'number' && code >= 0 && code < 0x110000)
  if (!isText) return undefined
  return codes.map((code) => String.fromCharCode(Math.trunc(code as number))).join('')
}

/** Methods that change a list change it here as well. */
function listCall(list: Constant[], method: string, args: readonly Constant[], effort: Effort): Constant {
  makeList(list.length + args.length, effort)
  const [first] = args
  switch (method) {
    case 'push':
      return list.push(...args)
    case 'unshift':
      return list.unshift(...args)
    case 'reverse':
      return list.reverse()
    case 'slice':
      return list.slice(...(args.filter((item) => typeof item === 'number') as [number?, number?]))
    case 'concat':
      return [...list, ...args.flat()]
    case 'join':
      return args.length === 0 || typeof first === 'string'
        ? joinedBy(list, typeof first === 'string' ? first : ',', effort)
        : undefined
    default:
      return undefined
  }
}
