import { type Effort, OverEffort, ofExpression, partOf, pay } from '../../model/effort.ts'
import { makeList, makeText } from '../../script/value.ts'
import { constructed } from './bytes.ts'
import { type HermesCode, operand } from './code.ts'
import type { HermesFunction } from './functions.ts'
import type { Host } from './host.ts'
import { type Instruction, registersBehindThis } from './instructions.ts'
import { callNative, callOfUnknown, hasBase, isVerb, memberOfNative } from './library.ts'
import type { Literal } from './literals.ts'
import { arithmetic, comparison } from './operators.ts'
import { sumOf, textOf } from './text.ts'
import {
  absent,
  type Closure,
  closureOf,
  createThing,
  type Environment,
  entriesOf,
  isClosure,
  isCursor,
  isEnvironment,
  isGetter,
  isList,
  isNative,
  isSame,
  isThing,
  isUnknown,
  itemsOf,
  type List,
  type Native,
  native,
  type Thing,
  truthOf,
  typeOf,
  type Value,
} from './values.ts'

/** A text that code puts together, and where in the file its last step is. */
export interface Made {
  readonly text: string
  readonly offset: number
}

export interface Watch {
  onText(made: Made): void
  /** Called for each function that code makes a closure of. */
  onClosure(closure: Closure): void
  /** Says whether a function is one of those that are looked at. No other is called where a file begins. */
  isOwn(closure: Closure): boolean
  /** Global functions whose calls are answered, whatever the code makes of them. */
  readonly answered: ReadonlySet<string>
  /** Answers the call of a global function; `null` where the engine does. */
  answer(name: string, args: readonly Value[]): { readonly value: Value } | null
}

export interface Machine {
  /** Calls a function several times, on the ways that branches leave whose condition is not known. @throws OverEffort */
  explore(closure: Closure, self: Value, steps: number): void
  /** Calls a function once; `null` for arguments that are not known. */
  call(closure: Closure, self: Value, args: readonly Value[] | null): Value
  construct(closure: Closure): Value
  /** Runs the function that a file begins with. */
  begin(closure: Closure): void
}

interface Run {
  steps: number
  readonly isFirst: boolean
  decide(at: number, isBackward: boolean): boolean
}

/** Which branches are taken whose condition is not known, by their order, when a function is run again and again. */
const ways: readonly ((place: number) => boolean)[] = [
  () => false,
  () => true,
  (place) => place % 2 === 0,
  (place) => place % 2 === 1,
  (place) => place % 4 < 2,
  (place) => place % 4 > 1,
]
const mostTargets = 8
const mostDepth = 16
/** Instructions after which a function is taken to depend on values that are known only at run time. */
const mostSteps = 20_000
const mostStepsOfBeginning = 400_000
const stepsOfInstruction = 8
const paidAtOnce = 16
const mostItems = 65_536
const mostYields = 256

/** How an instruction is run. */
type Handler =
  | { readonly kind: 'step'; readonly length: number; readonly act: () => void }
  | { readonly kind: 'jump'; readonly length: number; readonly instruction: Instruction }
  | { readonly kind: 'return' | 'throw'; readonly length: number }

/** Where a function is that runs. */
interface State {
  readonly one: HermesFunction
  readonly frame: Frame
  readonly registers: Value[]
  at: number
}

interface Frame {
  readonly registers: Value[]
  readonly closure: Closure
  readonly self: Value
  readonly args: readonly Value[] | null
  /** The values that a generator has given so far; `null` in any other function. */
  readonly given: Value[] | null
}

const globalObject = native('')
/** The outcome of what cost too much. */
const over = Symbol('over the limit')

export function createMachine(code: HermesCode, whole: Effort, watch: Watch): Machine {
  const { bytes, instructions, version } = code
  const globals = new Map<string, Value>()
  let effort = whole
  let current: Run = aRun(mostSteps, false)
  let depth = 0
  let state: State = nowhere
  /** The base that code gave to the defaults of a client, by what that is. One that is not known is that of one function. */
  const defaultBases = new Map<string, string>()

  const host: Host = {
    get effort() {
      return effort
    },
    call: (callee, self, args) => call(callee, self, args),
    get,
    put,
    construct: (callee, args) => construct(callee, args),
    made: (text) => watch.onText({ text, offset: state.at }),
  }
  const handlers: readonly (Handler | undefined)[] = instructions.map(handlerOf)
  return {
    explore(closure, self, steps) {
      const places = new Map<number, number>()
      let left = steps
      for (let count = 0; count < Math.min(ways.length, 2 ** places.size) && left > 0; count++) {
        const goesBack = new Set<number>()
        defaultBases.delete('?')
        current = {
          steps: left,
          isFirst: false,
          decide(at, isBackward) {
            const place = places.get(at) ?? places.size
            places.set(at, place)
            // The way that leaves a loop is taken at the second time.
            if (isBackward && goesBack.has(at)) return false
            goesBack.add(at)
            return ways[count]?.(place) ?? false
          },
        }
        if (within(() => run(closure, self, null)) === over) return
        left = current.steps
      }
    },
    call: (closure, self, args) => apart(() => run(closure, self, args)),
    construct: (closure) => apart(() => construct(closure, null)),
    begin(closure) {
      current = aRun(mostStepsOfBeginning, true)
      within(() => run(closure, globalObject, []))
    },
  }

  /** Runs something with as many steps as if nothing were run around it. */
  function apart(act: () => Value): Value {
    const before = current
    current = aRun(mostSteps, false)
    try {
      const value = within(act)
      return value === over ? undefined : value
    } finally {
      current = before
    }
  }

  /** Runs something whose values are gone behind it. One that costs too much alone does other things than to make a key. */
  function within(act: () => Value): Value | typeof over {
    const [before, level] = [effort, depth]
    const own = partOf(whole, ofExpression)
    effort = own
    try {
      return act()
    } catch (error) {
      if (!(error instanceof OverEffort && error.effort === own)) throw error
      depth = level
      return over
    } finally {
      effort = before
    }
  }

  function run(closure: Closure, self: Value, args: readonly Value[] | null): Value {
    const one = code.functions[closure.index]
    if (one === undefined || one === null || depth >= mostDepth) return undefined
    depth += 1
    try {
      const given: Value[] | null = closure.isGenerator ? [] : null
      const frame: Frame = { registers: [], closure, self, args, given }
      const value = execute(one, frame)
      if (given === null) return value
      // `return` of a generator comes last, as what waits for it sees it.
      if (value !== undefined && value !== absent) given.push(value)
      return { kind: 'cursor', items: given, at: 0 }
    } finally {
      depth -= 1
    }
  }

  function execute(one: HermesFunction, frame: Frame): Value {
    const before = state
    state = { one, frame, registers: frame.registers, at: one.start }
    try {
      return executeIn(state)
    } finally {
      state = before
    }
  }

  function executeIn(own: State): Value {
    const { one, frame, registers } = own
    for (let at = one.start; at < one.end; ) {
      const handler = handlers[bytes[at] ?? 0]
      if (handler === undefined || at + handler.length > one.end || current.steps <= 0) return undefined
      current.steps -= 1
      if (current.steps % paidAtOnce === 0) pay(effort, stepsOfInstruction * paidAtOnce)
      own.at = at
      if (handler.kind === 'step') {
        handler.act()
        at += handler.length
      } else if (handler.kind === 'jump') at = jump(handler.instruction, at, registers)
      else if (handler.kind === 'throw') return undefined
      else {
        const value = registers[bytes[at + 1] ?? 0]
        const resumed = frame.given === null ? undefined : resumptions.get(frame)
        if (frame.given === null || resumed === undefined || frame.given.length >= mostYields) return value
        resumptions.delete(frame)
        frame.given.push(value)
        at = resumed
      }
    }
    return undefined
  }

  function handlerOf(instruction: Instruction): Handler {
    const { name, length } = instruction
    if (name === 'Ret') return { kind: 'return', length }
    if (name === 'Throw') return { kind: 'throw', length }
    if (name.startsWith('J') || name.endsWith('SwitchImm')) return { kind: 'jump', length, instruction }
    return { kind: 'step', length, act: actOf(instruction) }
  }

  /** Returns where a jump leads. */
  function jump(instruction: Instruction, at: number, registers: Value[]): number {
    const { name, operands, length } = instruction
    const number = (index: number) => operand(bytes, at, instruction, index)
    const on = at + length
    if (name.endsWith('SwitchImm')) return switched(name, at, registers[number(0)], number)
    const target = at + number(0)
    const value = (index: number) => registers[number(index)]
    const is = (): boolean | undefined => {
      if (name === 'Jmp') return true
      if (name === 'JmpTrue') return truthOf(value(1))
      if (name === 'JmpFalse') return not(truthOf(value(1)))
      if (name === 'JmpUndefined') return isSame(value(1), absent)
      if (operands.length !== 3 || name.startsWith('Jmp')) return undefined
      return comparison(name.slice(1), value(1), value(2))
    }
    return (is() ?? current.decide(at, target < at)) ? target : on
  }

  function switched(name: string, at: number, value: Value, number: (index: number) => number): number {
    const isText = name === 'StringSwitchImm'
    const table = at + number(isText ? 2 : 1)
    const start = (table + 3) & ~3
    const otherwise = at + number(isText ? 3 : 2)
    const count = isText ? number(4) : number(4) - number(3) + 1
    if (count < 0 || count > mostItems) return otherwise
    const target = (index: number) => at + bytes.readInt32LE(start + (isText ? index * 8 + 4 : index * 4))
    if (isUnknown(value)) {
      for (let index = 0; index < Math.min(count, mostTargets); index++)
        if (current.decide(at + index / mostItems, false)) return target(index)
      return otherwise
    }
    if (!isText) {
      const index = typeof value === 'number' ? value - number(3) : -1
      return Number.isInteger(index) && index >= 0 && index < count ? target(index) : otherwise
    }
    pay(effort, count)
    for (let index = 0; index < count; index++)
      if (code.text(bytes.readUInt32LE(start + index * 8)) === value) return target(index)
    return otherwise
  }

  /** Gives what an instruction does; its operands are read when it is run. */
  function actOf(instruction: Instruction): () => void {
    const { name, operands } = instruction
    const number = (index: number) => operand(bytes, state.at, instruction, index)
    const value = (index: number) => state.registers[number(index)]
    const write = (result: Value) => {
      state.registers[number(0)] = result
    }
    const make = (result: Value) => {
      write(result)
      if (typeof result === 'string') watch.onText({ text: result, offset: state.at })
    }
    const last = operands.length - 1
    const nameAt = (index: number) => code.text(number(index)) ?? ''
    switch (name) {
      case 'Mov':
        return () => write(value(1))
      case 'LoadConstString':
        return () => write(code.text(number(1)))
      case 'LoadConstUInt8':
      case 'LoadConstInt':
      case 'LoadConstDouble':
        return () => write(number(1))
      case 'LoadConstZero':
        return () => write(0)
      case 'LoadConstUndefined':
      case 'LoadConstEmpty':
        return () => write(absent)
      case 'LoadConstNull':
        return () => write(null)
      case 'LoadConstTrue':
        return () => write(true)
      case 'LoadConstFalse':
        return () => write(false)
      case 'LoadParam':
        return () => write(parameter(number(1)))
      case 'LoadThisNS':
        return () => write(state.frame.self)
      case 'CoerceThisNS':
      case 'ToNumeric':
      case 'ToPropertyKey':
        return () => write(value(1))
      case 'ToNumber':
        return () => write(typeof value(1) === 'string' ? Number(value(1)) : value(1))
      case 'GetGlobalObject':
        return () => write(globalObject)
      case 'TypeOf':
        return () => write(typeOf(value(1)))
      case 'Add':
      case 'AddS':
      case 'AddN':
        return () => make(sumOf(value(1), value(2), effort))
      case 'AddEmptyString':
        return () => make(textOf(value(1), effort))
      case 'Inc':
        return () => write(arithmetic('Add', value(1), 1))
      case 'Dec':
        return () => write(arithmetic('Sub', value(1), 1))
      case 'Negate':
        return () => write(arithmetic('Sub', 0, value(1)))
      case 'BitNot':
        return () => write(arithmetic('BitXor', value(1), -1))
      case 'ToInt32':
        return () => write(arithmetic('BitOr', value(1), 0))
      case 'ToUint32':
        return () => write(arithmetic('URshift', value(1), 0))
      case 'Not':
        return () => write(not(truthOf(value(1))))
      case 'InstanceOf':
        return () => write(instanceOf(value(1), value(2)))
      case 'IsIn':
        return () => {
          const entries = entriesOf(value(2))
          const key = value(1)
          return write(typeof key === 'string' ? entries?.some(([own]) => own === key) : undefined)
        }
      case 'GetEnvironment':
      case 'GetParentEnvironment':
        return () => {
          const from = operands.length === 3 ? value(1) : state.frame.closure.environment
          let environment = isEnvironment(from) ? from : null
          for (let level = number(last); level > 0 && environment !== null; level--)
            environment = environment.parent
          return write(environment ?? undefined)
        }
      case 'GetClosureEnvironment':
        return () => {
          const of = value(1)
          return write(isClosure(of) ? (of.environment ?? undefined) : undefined)
        }
      case 'CreateEnvironment':
      case 'CreateInnerEnvironment':
        return () => {
          const parent = operands.length === 1 ? state.frame.closure.environment : value(1)
          return write(anEnvironment(isEnvironment(parent) ? parent : null))
        }
      case 'CreateFunctionEnvironment':
        return () => write(anEnvironment(state.frame.closure.environment))
      case 'CreateTopLevelEnvironment':
        return () => write(anEnvironment(null))
      case 'StoreToEnvironment':
      case 'StoreNPToEnvironment':
        return () => {
          const environment = value(0)
          if (isEnvironment(environment)) environment.variables.set(number(1), value(2))
          return
        }
      case 'LoadFromEnvironment':
        return () => {
          const environment = value(1)
          return write(isEnvironment(environment) ? environment.variables.get(number(2)) : undefined)
        }
      case 'NewObject':
        return () => write(createThing())
      case 'NewObjectWithParent':
        return () => write(createThing(value(1)))
      case 'NewObjectWithBuffer':
      case 'NewObjectWithBufferAndParent':
        return () => write(objectOf(instruction, value))
      case 'NewArray':
      case 'NewFastArray':
        return () => write([])
      case 'NewArrayWithBuffer':
        return () => write(listOf(number(3), number(2)))
      case 'FastArrayPush':
        return () => {
          const list = value(0)
          if (isList(list)) list.push(value(1))
          return
        }
      case 'PutOwnByIndex':
      case 'DefineOwnByIndex':
      case 'DefineOwnInDenseArray':
        return () => putItem(value(0), number(2), value(1))
      case 'GetByIndex':
        return () => write(get(value(1), String(number(2))))
      case 'GetByVal':
      case 'GetByValWithReceiver':
      case 'FastArrayLoad':
        return () => {
          const key = value(2)
          return write(isKey(key) ? get(value(1), String(key)) : undefined)
        }
      case 'GetOwnPrivateBySym':
        return () => {
          const key = value(3)
          return write(isKey(key) ? get(value(1), String(key)) : undefined)
        }
      case 'PutByVal':
      case 'PutByValWithReceiver':
      case 'FastArrayStore':
        return () => {
          const key = value(1)
          if (isKey(key)) put(value(0), String(key), value(2))
          return
        }
      case 'AddOwnPrivateBySym':
      case 'PutOwnPrivateBySym':
        return () => {
          const key = value(name === 'AddOwnPrivateBySym' ? 1 : 3)
          if (isKey(key)) put(value(0), String(key), value(name === 'AddOwnPrivateBySym' ? 2 : 1))
          return
        }
      case 'PutOwnByVal':
      case 'DefineOwnByVal':
        return () => {
          const key = value(2)
          if (isKey(key)) put(value(0), String(key), value(1))
          return
        }
      case 'PutOwnGetterSetterByVal':
      case 'DefineOwnGetterSetterByVal':
        return () => {
          const key = value(1)
          const getter = value(2)
          if (isKey(key) && isClosure(getter)) put(value(0), String(key), { kind: 'getter', get: getter })
          return
        }
      case 'CreatePrivateName':
        return () => write(`#${nameAt(1)}`)
      case 'GetById':
      case 'GetByIdWithReceiver':
        return () => write(get(value(1), nameAt(last)))
      case 'TryGetById':
        return () => write(get(globalObject, nameAt(last)))
      case 'PutById':
      case 'TryPutById':
      case 'PutNewOwnById':
      case 'PutNewOwnNEById':
      case 'DefineOwnById':
        return () => put(value(0), nameAt(last), value(1))
      case 'PutOwnBySlotIdx':
        return () => {
          const of = value(0)
          const key = isThing(of) ? [...of.fields.keys()][number(2)] : undefined
          if (key !== undefined) put(of, key, value(1))
          return
        }
      case 'GetOwnBySlotIdx':
        return () => {
          const of = value(1)
          return write(isThing(of) ? [...of.fields.values()][number(2)] : undefined)
        }
      case 'GetPNameList':
        return () => {
          const keys = entriesOf(value(1))?.map(([key]) => key)
          state.registers[number(2)] = 0
          state.registers[number(3)] = keys?.length
          return write(keys)
        }
      case 'GetNextPName':
        return () => {
          const keys = value(1)
          const index = value(3)
          if (!isList(keys) || typeof index !== 'number') return write(undefined)
          state.registers[number(3)] = index + 1
          return write(index < keys.length ? keys[index] : absent)
        }
      case 'CreateRegExp':
        return () => write(patternOf(nameAt(1), nameAt(2)))
      case 'CreateClosure':
      case 'CreateGeneratorClosure':
      case 'CreateAsyncClosure':
        return () => write(aClosure(number(2), value(1), false))
      case 'CreateGenerator':
        return () => {
          const generator = aClosure(number(2), value(1), true)
          return write(
            version >= 98
              ? driven({ ...generator, isGenerator: false })
              : run(generator, state.frame.self, state.frame.args),
          )
        }
      case 'CreateBaseClass':
      case 'CreateDerivedClass':
        return () => {
          const made = aClosure(number(last), value(last - 1), false)
          const base = name === 'CreateDerivedClass' ? value(2) : null
          if (isClosure(base)) made.base = base
          const home = createThing(isClosure(base) ? prototypeOf(base) : null)
          home.fields.set('constructor', made)
          made.fields.set('prototype', home)
          state.registers[number(1)] = home
          return write(made)
        }
      case 'CreateThis':
      case 'CreateThisForNew':
      case 'CreateThisForSuper':
        return () => {
          const callee = value(name === 'CreateThis' ? 2 : 1)
          return write(isClosure(callee) ? createThing(prototypeOf(callee)) : undefined)
        }
      case 'SelectObject':
        return () => {
          const result = value(2)
          const isObject = typeof result === 'object' && result !== null
          return write(isObject ? result : value(1))
        }
      case 'Call1':
      case 'Call2':
      case 'Call3':
      case 'Call4':
        return () => {
          const [own, ...given] = Array.from({ length: operands.length - 2 }, (_, index) => value(index + 2))
          return make(call(value(1), own, given))
        }
      case 'CallRequire':
        return () => write(call(value(1), absent, [number(2)]))
      case 'CallDirect':
        return () => {
          const [own, ...given] = argumentsOf(number(1))
          return make(
            call(aClosure(number(2), state.frame.closure.environment ?? undefined, false), own, given),
          )
        }
      case 'Call':
      case 'Construct':
      case 'CallWithNewTarget':
        return () => {
          const count = name === 'CallWithNewTarget' ? number(3) : number(2)
          const [own, ...given] = argumentsOf(count)
          if (name === 'Construct') return write(constructedWith(value(1), own, given))
          return make(call(value(1), own, given))
        }
      case 'CallBuiltin':
        return () => {
          const [, ...given] = argumentsOf(number(2))
          return make(builtIn(code.builtins.get(number(1)), given, state.frame))
        }
      case 'GetBuiltinClosure':
        return () => write(native(`HermesBuiltin.${code.builtins.get(number(1)) ?? ''}`))
      case 'ReifyArguments':
        return () => write(state.frame.args === null ? undefined : [...state.frame.args])
      case 'GetArgumentsLength':
        return () => write(state.frame.args?.length)
      case 'GetArgumentsPropByVal':
        return () => {
          const index = value(1)
          return write(typeof index === 'number' ? parameter(index + 1) : undefined)
        }
      case 'IteratorBegin':
        return () => {
          const items = itemsOf(value(1))
          return write(items === undefined ? undefined : { kind: 'cursor', items, at: 0 })
        }
      case 'IteratorNext':
        return () => {
          const cursor = value(1)
          if (!isCursor(cursor)) return write(undefined)
          if (cursor.at < cursor.items.length) return write(cursor.items[cursor.at++])
          state.registers[number(1)] = absent
          return write(absent)
        }
      case 'ResumeGenerator':
        return () => {
          state.registers[number(1)] = false
          return write(state.frame.given?.at(-1) ?? absent)
        }
      case 'SaveGenerator':
        return () => {
          resumptions.set(state.frame, state.at + number(0))
        }
      default:
        return () => {
          const known = binary.test(name) ? binaryOf(name, value(1), value(2)) : undefined
          if (operands.startsWith('r') && !changesNothing.test(name)) write(known)
        }
    }
  }

  function parameter(index: number): Value {
    const { self, args } = state.frame
    if (index === 0) return self
    return args === null ? undefined : argument(args, index - 1)
  }

  function isCalled(closure: Closure): boolean {
    return !current.isFirst || watch.isOwn(closure)
  }

  function call(callee: Value, self: Value, args: readonly Value[]): Value {
    if (isClosure(callee)) {
      // A library's client is what it is made for, however it is made.
      if (!watch.isOwn(callee) && hasBase(args)) return callOfUnknown('', args, host)
      return isCalled(callee) ? run(callee, self, args) : undefined
    }
    if (isNative(callee)) {
      const [owner, builtin] = callee.path.split('.')
      if (owner === 'HermesBuiltin') return builtIn(builtin, args, null)
      const answer = callee.path.includes('.') ? null : watch.answer(callee.path, args)
      if (answer !== null) return answer.value
      const base = isVerb(callee.path.replace(/^.*\./, '')) ? defaultBases.get(rootOf(callee)) : undefined
      if (base !== undefined) callNative(native('.request'), { kind: 'client', base }, args, host)
      return callNative(callee, self, args, host)
    }
    return callNative(native('?.'), self, args, host)
  }

  function construct(callee: Value, args: readonly Value[] | null): Value {
    if (!isClosure(callee)) return constructedWith(callee, undefined, args ?? [])
    const self = createThing(prototypeOf(callee))
    const result = run(callee, self, args)
    return typeof result === 'object' && result !== null ? result : self
  }

  function constructedWith(callee: Value, self: Value, args: readonly Value[]): Value {
    if (isClosure(callee)) return isCalled(callee) ? run(callee, self, args) : undefined
    return isNative(callee) ? constructed(callee.path.replace(/^\?\./, ''), args, effort) : undefined
  }

  function builtIn(name: string | undefined, args: readonly Value[], frame: Frame | null): Value {
    const own = frame?.args ?? null
    const [first, second, third] = args
    switch (name) {
      case 'getTemplateObject': {
        const parts = args.slice(2)
        return second === true ? [...parts] : parts.slice(parts.length / 2)
      }
      case 'copyDataProperties':
        for (const [key] of entriesOf(second) ?? [])
          if (entriesOf(third)?.some(([one]) => one === key) !== true) put(first, key, get(second, key))
        return first
      case 'copyRestArgs':
        return typeof first === 'number' ? own?.slice(first) : undefined
      case 'arraySpread': {
        const items = itemsOf(second)
        if (!isList(first) || typeof third !== 'number') return undefined
        if (items === undefined) first.push(undefined)
        else {
          makeList(items.length, effort)
          for (const [index, item] of items.entries()) first[third + index] = item
        }
        return third + (items?.length ?? 1)
      }
      case 'apply': {
        const given = itemsOf(second)
        if (given === undefined) return undefined
        return args.length < 3 ? construct(first, given) : call(first, third, given)
      }
      case 'applyArguments':
        return own === null ? undefined : call(first, second, own)
      case 'functionPrototypeApply':
        return call(first, second, itemsOf(third) ?? [])
      case 'functionPrototypeCall':
        return call(first, second, args.slice(2))
      case 'spawnAsync': {
        const result = call(first, second, itemsOf(third) ?? [])
        return isCursor(result) ? result.items.at(-1) : result
      }
      default:
        return undefined
    }
  }

  /** Calls the steps of a generator of newer engines, which are those of a function with its state in a variable. */
  function driven(generator: Closure): Value {
    const given: Value[] = []
    for (let count = 0; count < mostYields; count++) {
      const result = run(generator, absent, [0, given.at(-1) ?? absent])
      if (!isThing(result)) break
      const value = result.fields.get('value')
      const done = result.fields.get('done')
      if (done === true && (value === absent || value === undefined)) break
      given.push(value)
      if (done !== false) break
    }
    return { kind: 'cursor', items: given, at: 0 }
  }

  function argumentsOf(count: number): Value[] {
    const { registers } = state
    const { frameSize } = state.one
    const first = frameSize - registersBehindThis(version)
    if (count > first + 1 || count < 1) return [undefined]
    makeList(count, effort)
    return Array.from({ length: count }, (_, index) => registers[first - index])
  }

  function aClosure(index: number, environment: Value, isGenerator: boolean): Closure {
    const closure = closureOf(index, isEnvironment(environment) ? environment : null, isGenerator)
    if (!isGenerator) watch.onClosure(closure)
    return closure
  }

  function listOf(offset: number, count: number): Value[] {
    makeList(count, effort)
    return code.literals(offset, count).map(ofLiteral)
  }

  function ofLiteral(literal: Literal): Value {
    return typeof literal === 'object' && literal !== null ? code.text(literal.string) : literal
  }

  function objectOf(instruction: Instruction, value: (index: number) => Value): Thing {
    const { name, operands } = instruction
    const number = (index: number) => operand(bytes, state.at, instruction, index)
    const isOld = version < 98
    const made = createThing(name === 'NewObjectWithBufferAndParent' ? value(1) : null)
    const [first, second] = [number(operands.length - 2), number(operands.length - 1)]
    const { keys, values } = code.object(first, second, isOld ? number(2) : null)
    makeList(keys.length, effort)
    for (const [index, key] of keys.entries()) {
      const text = ofLiteral(key)
      if (isKey(text)) made.fields.set(String(text), ofLiteral(values[index] ?? null))
    }
    return made
  }

  function putItem(list: Value, index: number, value: Value): void {
    if (!isList(list) || index > mostItems) return
    makeList(Math.max(1, index - list.length), effort)
    while (list.length < index) list.push(undefined)
    list[index] = value
  }

  function get(of: Value, name: string): Value {
    if (isUnknown(of)) return name === 'prototype' ? undefined : native(`?.${name}`)
    if (typeof of === 'string') {
      if (name === 'length') return of.length
      const index = indexIn(name)
      return index === null ? native(`.${name}`, of) : (of[index] ?? absent)
    }
    if (isList(of) || of instanceof Uint8Array) {
      if (name === 'length') return of.length
      if (name === 'raw') return of as List
      const index = indexIn(name)
      return index === null ? native(`.${name}`, of) : index < of.length ? of[index] : absent
    }
    if (isNative(of)) {
      if (of.path === '')
        return globals.has(name) ? globals.get(name) : native(globalNames.test(name) ? '' : name)
      if (callers.test(name)) return native(`.${name}`, of)
      return memberOfNative(of, name)
    }
    if (isThing(of) || isClosure(of)) return fieldOf(of, name)
    return typeof of === 'object' && of !== null ? native(`.${name}`, of) : undefined
  }

  function fieldOf(of: Thing | Closure, name: string): Value {
    if (isClosure(of) && name === 'prototype') return prototypeOf(of)
    for (let at: Value = of, level = 0; level < mostDepth; level++) {
      if (!isThing(at) && !isClosure(at)) break
      if (at.fields.has(name)) {
        const value = at.fields.get(name)
        return isGetter(value) ? call(value.get, of, []) : value
      }
      at = isThing(at) ? at.prototype : at.base
    }
    if (isClosure(of)) return callers.test(name) ? native(`.${name}`, of) : undefined
    return native(`.${name}`, of)
  }

  function put(of: Value, name: string, value: Value): void {
    const method = isGetter(value) ? value.get : value
    if (isClosure(method) && (isThing(of) || isClosure(of))) method.home ??= of
    if (isNative(of) && of.path === '') {
      if (!watch.answered.has(name)) globals.set(name, value)
    } else if (isThing(of) || isClosure(of)) {
      makeText(name.length, effort)
      of.fields.set(name, value)
    } else if (isList(of)) {
      const index = indexIn(name)
      if (index !== null) putItem(of, index, value)
    } else if (of instanceof Uint8Array) {
      const index = indexIn(name)
      if (index !== null && typeof value === 'number') of[index] = value
    } else if (isNative(of) && name === 'baseURL' && typeof value === 'string')
      defaultBases.set(rootOf(of), value)
  }
}

const nowhere: State = {
  one: { start: 0, end: 0, frameSize: 0 },
  frame: { registers: [], closure: closureOf(0), self: undefined, args: null, given: null },
  registers: [],
  at: 0,
}

/** Where a generator goes on after what it gives. */
const resumptions = new WeakMap<Frame, number>()

const globalNames = /^(?:globalThis|global|window|self)$/
const callers = /^(?:call|apply|bind)$/
const binary =
  /^(?:(?:Strict)?(?:Eq|Neq)|Less|LessEq|Greater|GreaterEq|Mul|Div|Mod|Sub|[LRU]?R?[Ss]hift|Bit\w+)N?$/
const changesNothing =
  /^(?:Put|TryPut|Define|Del|Throw|Declare|Profile|AsyncBreak|IteratorClose|FastArrayAppend)/

function binaryOf(name: string, left: Value, right: Value): Value {
  return arithmetic(name, left, right) ?? comparison(name, left, right)
}

function rootOf({ path }: Native): string {
  return path.split('.', 1)[0] ?? ''
}

function aRun(steps: number, isFirst: boolean): Run {
  return { steps, isFirst, decide: () => false }
}

function anEnvironment(parent: Environment | null): Environment {
  return { kind: 'environment', parent, variables: new Map() }
}

function argument(args: readonly Value[], index: number): Value {
  return index < args.length ? args[index] : absent
}

function not(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value
}

function isKey(value: Value): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function indexIn(name: string): number | null {
  return /^\d{1,6}$/.test(name) ? Number(name) : null
}

function prototypeOf(closure: Closure): Value {
  const known = closure.fields.get('prototype')
  if (known !== undefined) return known
  const made = createThing()
  made.fields.set('constructor', closure)
  closure.fields.set('prototype', made)
  return made
}

function instanceOf(value: Value, of: Value): boolean | undefined {
  if (!isClosure(of) || isUnknown(value)) return undefined
  for (let at: Value = value, level = 0; isThing(at) && level < mostDepth; level++) {
    if (at.prototype === of.fields.get('prototype')) return true
    at = at.prototype
  }
  return isThing(value) ? undefined : false
}

/** A pattern that repeats nothing but its end, which no text makes slow. */
function patternOf(source: string, flags: string): RegExp | undefined {
  if (source.length > 200 || !/^(?:[^+*{(?\\]|\\.)*(?:\+?|[+*]\$)$/.test(source)) return undefined
  try {
    return new RegExp(source, flags)
  } catch {
    return undefined
  }
}
