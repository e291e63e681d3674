import { type Effort, OverEffort, ofExpression, partOf, pay } from '../model/effort.ts'
import { makeList } from '../script/value.ts'
import { binaryOf, compareOf, conditionOf, unaryOf } from './arithmetic.ts'
import { type Host, listType } from './library/call.ts'
import { callLibrary, isOfLibrary } from './library/library.ts'
import type { Method, Place, Shuffle, Step } from './step.ts'
import { joinTexts, textAs } from './text.ts'
import {
  createInstance,
  delegateOf,
  type Instance,
  isArray,
  isInstance,
  isWide,
  keyOf,
  type MemberRef,
  memberOf,
  settled,
  signatureOf,
  unknownOf,
  type Value,
} from './value.ts'

/** A text that a method puts together, and where in the file its last step is. */
export interface Made {
  readonly text: string
  readonly offset: number
}

export interface Program {
  /** A method with code, by its key; `undefined` for one that is elsewhere, or abstract. */
  method(key: string): Method | undefined
  /** Gives the values of a class's static fields before its initialiser runs, by the keys of the fields. */
  constants(owner: string): Iterable<readonly [field: string, value: Value]>
}

export interface Machine {
  /**
   * Runs a method with arguments that are not known, several times, so that each way of a branch that depends on them
   * is taken once.
   * @throws OverEffort
   */
  explore(method: Method): void
}

/** One way through a method: which branches it takes where their condition is not known. */
interface Run {
  steps: number
  readonly decide: (step: Step, ways: number) => number
}

/** The type of an object that is nothing but a function. */
const lambdaType = '$lambda'

/** The class of the platform whose methods an object of the program has without methods of the same names. */
const aboveAll = 'java/lang/Enum'

/** Methods of interfaces of the platform whose result is no object, with its type. */
const resultsOfLambdas: Readonly<Record<string, string>> = { compare: 'I', test: 'Z', accept: 'V' }

const mostRuns = 16
const mostDepth = 8
/** Steps after which a method is taken to depend on values that are known only at run time. */
const mostSteps = 20_000
const stepsOfStep = 3

/** Creates a machine that gives each text that the library makes of constants, with the class whose method has it. */
export function createMachine(
  program: Program,
  whole: Effort,
  onText: (made: Made, owner: string) => void,
): Machine {
  let effort = whole
  const statics = new Map<string, Value>()
  const initialised = new Set<string>()
  /** The object of each class whose methods are explored, as if there were one: its fields are what any method puts there. */
  const selves = new Map<string, Instance>()
  /** Objects that the program makes before the machine's eyes: a field that nothing was put into is zero. */
  const isWhole = new WeakSet<Instance>()
  return {
    explore(method) {
      const own = partOf(whole, ofExpression)
      effort = own
      try {
        exploreWithin(method)
      } catch (error) {
        // A method that costs too much alone does other things than to make a key.
        if (!(error instanceof OverEffort && error.effort === own)) throw error
      }
    },
  }

  function exploreWithin(method: Method): void {
    const taken = new Map<Step, Set<number>>()
    let left = mostSteps
    for (let count = 0; count < mostRuns; count++) {
      let isNew = false
      const run: Run = {
        steps: left,
        decide(step, ways) {
          const known = taken.get(step) ?? new Set()
          taken.set(step, known)
          const way = firstNotIn(known, ways)
          if (way !== null) isNew = true
          known.add(way ?? 0)
          // Both ways were taken: the one that leaves a loop is the last.
          return way ?? ways - 1
        },
      }
      execute(method, method.isStatic ? [] : [selfOf(method.owner)], run, 0)
      left = run.steps
      if (!isNew || left <= 0) return
    }
  }

  function selfOf(owner: string): Instance {
    const known = selves.get(owner) ?? createInstance(owner)
    selves.set(owner, known)
    return known
  }

  function createWhole(type: string): Instance {
    const made = createInstance(type)
    isWhole.add(made)
    return made
  }

  function execute(method: Method, args: readonly Value[], run: Run, depth: number): Value {
    if (depth > 0) initialise(method.owner, run, depth)
    const steps = method.steps()
    const registers: Value[] = []
    const stack: Value[] = []
    let slot = method.argumentsAt
    for (const arg of args) {
      registers[slot] = arg
      slot += isWide(arg) ? 2 : 1
    }
    const read = (place: Place): Value => settled(place === 'stack' ? stack.pop() : registers[place])
    const readAll = (places: readonly Place[]) => {
      const values: Value[] = []
      for (let at = places.length - 1; at >= 0; at--) values.unshift(read(places[at] ?? 'stack'))
      return values
    }
    const write = (place: Place, value: Value) => {
      if (place === 'stack') stack.push(value)
      else registers[place] = value
    }
    const made = (value: Value, { at }: Step) => {
      if (typeof value === 'string') onText({ text: value, offset: at }, method.owner)
      return value
    }
    for (let at = 0; at < steps.length; ) {
      const step = steps[at]
      if (step === undefined || run.steps <= 0) return undefined
      run.steps -= 1
      pay(effort, stepsOfStep)
      at += 1
      switch (step.kind) {
        case 'constant':
          write(step.to, step.value)
          break
        case 'move':
          write(step.to, read(step.from))
          break
        case 'shuffle':
          shuffle(stack, step.how)
          break
        case 'binary': {
          const right = typeof step.right === 'object' ? step.right.literal : read(step.right)
          const left = typeof step.left === 'object' ? step.left.literal : read(step.left)
          write(step.to, binaryOf(step.operator, left, right, step.isLong))
          break
        }
        case 'unary':
          write(step.to, unaryOf(step.operator, read(step.from)))
          break
        case 'compare': {
          const right = read(step.right)
          write(step.to, compareOf(read(step.left), right))
          break
        }
        case 'new':
          initialise(step.type, run, depth)
          write(step.to, createWhole(step.type))
          break
        case 'is of':
          write(step.to, isOf(read(step.from), step.type))
          break
        case 'new array': {
          const size = read(step.size)
          write(step.to, newArray(step.element, size))
          break
        }
        case 'array of':
          makeList(step.items.length, effort)
          write(step.to, { element: step.element, items: readAll(step.items) })
          break
        case 'fill': {
          const array = read(step.array)
          if (isArray(array)) for (const [index, value] of step.values.entries()) array.items[index] = value
          break
        }
        case 'length': {
          const array = read(step.array)
          write(step.to, isArray(array) ? array.items.length : undefined)
          break
        }
        case 'load': {
          const index = read(step.index)
          const array = read(step.array)
          const item = isArray(array) && typeof index === 'number' ? array.items[index] : undefined
          write(step.to, item ?? (step.isWide ? unknownOf('J') : item))
          break
        }
        case 'store': {
          const value = read(step.value)
          const index = read(step.index)
          const array = read(step.array)
          if (isArray(array) && typeof index === 'number' && index < array.items.length)
            array.items[index] = value
          break
        }
        case 'get field': {
          const of = step.of === null ? null : read(step.of)
          if (of === null) initialise(step.field.owner, run, depth)
          const key = keyOf(step.field)
          const value = isInstance(of) ? of.fields.get(key) : statics.get(key)
          const isZero = isInstance(of) && isWhole.has(of) && !of.fields.has(key)
          write(step.to, value === undefined ? emptyOf(step.field.descriptor, isZero) : value)
          break
        }
        case 'put field': {
          const value = read(step.value)
          const of = step.of === null ? null : read(step.of)
          const key = keyOf(step.field)
          if (isInstance(of)) of.fields.set(key, value)
          else if (of === null) statics.set(key, value)
          break
        }
        case 'invoke': {
          const args = readAll(step.args)
          const value = made(invoke(step.method, args, step.isVirtual, run, depth), step)
          if (step.method.name === '<init>') made(settled(args[0]), step)
          if (step.to !== null) write(step.to, value)
          break
        }
        case 'concatenate':
          write(step.to, made(concatenated(step, readAll(step.args), effort), step))
          break
        case 'lambda': {
          const lambda = createInstance(lambdaType)
          lambda.fields.set(delegateOf.method, keyOf(step.method))
          lambda.items = readAll(step.args)
          write(step.to, lambda)
          break
        }
        case 'branch': {
          const right = typeof step.right === 'object' ? step.right.literal : read(step.right)
          const is = conditionOf(step.condition, read(step.left), right) ?? run.decide(step, 2) === 1
          if (is) at = step.target
          break
        }
        case 'jump':
          at = step.target
          break
        case 'switch': {
          const value = read(step.value)
          const targets = [...step.cases.values(), step.otherwise]
          at =
            typeof value === 'number'
              ? (step.cases.get(value) ?? step.otherwise)
              : (targets[run.decide(step, targets.length)] ?? step.otherwise)
          break
        }
        case 'return':
          return step.from === null ? undefined : read(step.from)
        case 'throw':
          return undefined
        case 'other':
          readAll(step.from)
          if (step.to !== null) write(step.to, unknownOf(step.type))
          break
      }
    }
    return undefined
  }

  function invoke(
    ref: MemberRef,
    args: readonly Value[],
    isVirtual: boolean,
    run: Run,
    depth: number,
  ): Value {
    const { result } = signatureOf(ref.descriptor)
    const [self] = args
    const isOwn = isInstance(self) && !isOfLibrary(self.type)
    // The class of an object is known where the program has made it.
    const owner = isVirtual && isOwn ? self.type : ref.owner
    const own = program.method(keyOf({ ...ref, owner }))
    const target = own ?? program.method(keyOf(ref))
    if (isInstance(self) && self.type === lambdaType) {
      const value = hostOf(run, depth).call(self, ref.name, args.slice(1))
      return value === undefined ? unknownOf(result) : value
    }
    const isBuilt = isInstance(self) && isVirtual && !isOwn
    const ofLibrary = isBuilt ? self.type : isOwn && !isOfLibrary(ref.owner) ? aboveAll : ref.owner
    // An object of the program may have a method that the platform declares, such as `toString`.
    const isOfPlatform = isOfLibrary(ref.owner) && !(isOwn && isVirtual && own !== undefined)
    const value =
      target === undefined || isOfPlatform
        ? callLibrary({ ...ref, owner: ofLibrary }, args, hostOf(run, depth))
        : depth < mostDepth && mayTell(target, args)
          ? execute(target, args, run, depth + 1)
          : undefined
    return value === undefined ? unknownOf(result) : value
  }

  function hostOf(run: Run, depth: number): Host {
    return {
      effort,
      call(lambda, name, args) {
        if (!isInstance(lambda) || depth >= mostDepth) return undefined
        const delegated = lambda.fields.get(delegateOf.method)
        if (typeof delegated === 'string') {
          const own = program.method(delegated)
          if (own === undefined)
            return callLibrary(memberOf(delegated), [...(lambda.items ?? []), ...args], hostOf(run, depth))
          const bound = lambda.items ?? (own.isStatic ? [] : [lambda.fields.get(delegateOf.target)])
          return execute(own, [...bound, ...args], run, depth + 1)
        }
        const result = resultsOfLambdas[name] ?? 'Ljava/lang/Object;'
        const descriptor = `(${'Ljava/lang/Object;'.repeat(args.length)})${result}`
        const target = program.method(keyOf({ owner: lambda.type, name, descriptor }))
        return target === undefined ? undefined : execute(target, [lambda, ...args], run, depth + 1)
      },
    }
  }

  /** Runs the initialiser of a class before its first use. */
  function initialise(owner: string, run: Run, depth: number): void {
    if (initialised.has(owner) || depth >= mostDepth) return
    initialised.add(owner)
    for (const [field, value] of program.constants(owner)) statics.set(field, value)
    const method = program.method(keyOf({ owner, name: '<clinit>', descriptor: '()V' }))
    if (method !== undefined) execute(method, [], run, depth + 1)
  }

  function newArray(element: string, size: Value): Value {
    if (typeof size !== 'number' || size < 0) return undefined
    makeList(size, effort)
    const empty = element.length > 1 ? null : element === 'J' || element === 'D' ? unknownOf(element) : 0
    return { element, items: new Array<Value>(size).fill(empty) }
  }
}

const ofTexts = /^java\/lang\/(?:String|CharSequence|Comparable|Object)$/
const ofLists = /^java\/(?:util\/(?:List|Collection|ArrayList)|lang\/(?:Iterable|Object))$/
const otherTypes =
  /^(?:java\/lang\/(?:String|CharSequence|Character|Integer)|java\/util\/(?:List|Collection|Map|Set))$/

/** Says whether a value is of a type of the platform; `undefined` where that is not known. */
function isOf(value: Value, type: string): number | undefined {
  if (value === null) return 0
  if (typeof value === 'string') return Number(ofTexts.test(type))
  if (!isInstance(value)) return undefined
  if (value.type === type || (value.type === listType && ofLists.test(type))) return 1
  return isOfLibrary(value.type) && otherTypes.test(type) ? 0 : undefined
}

/** Gives the content of a field that nothing is known of. */
function emptyOf(type: string, isZero: boolean): Value {
  return isZero && /^[BCISZ]$/.test(type) ? 0 : unknownOf(type)
}

/** Says whether the result of a method can be known: it has no arguments, one of them is known, or it hardly does anything. */
function mayTell(method: Method, args: readonly Value[]): boolean {
  const given = method.isStatic ? args : args.slice(1)
  if (given.length === 0) return true
  if (args.some((arg) => arg !== undefined && !(isWide(arg) && arg.wide === undefined))) return true
  return method.steps().length <= mostStepsOfGetter
}

const mostStepsOfGetter = 8

function firstNotIn(known: ReadonlySet<number>, ways: number): number | null {
  for (let way = 0; way < ways; way++) if (!known.has(way)) return way
  return null
}

function concatenated(
  { recipe, types }: Extract<Step, { kind: 'concatenate' }>,
  args: readonly Value[],
  effort: Effort,
): string | undefined {
  const parts = recipe.split('\u0001')
  const texts = parts.flatMap((part, at) =>
    at === 0 ? [part] : [textAs(args[at - 1], types[at - 1] ?? ''), part],
  )
  return joinTexts(texts, '', effort)
}

/** Copies what is on top of a stack below it. A long counts as two there. */
function shuffle(stack: Value[], how: Shuffle): void {
  const take = (slots: number) => {
    const taken: Value[] = []
    for (let left = slots; left > 0; ) {
      const value = stack.pop()
      taken.unshift(value)
      left -= isWide(value) ? 2 : 1
    }
    return taken
  }
  if (how === 'pop' || how === 'pop2') {
    take(how === 'pop' ? 1 : 2)
    return
  }
  if (how === 'swap') {
    const [below, top] = take(2)
    stack.push(top, below)
    return
  }
  const [, two, under = '0'] = /^dup(2?)(?:_x(\d))?$/.exec(how) ?? []
  const top = take(two === '2' ? 2 : 1)
  const below = take(Number(under))
  stack.push(...top, ...below, ...top)
}
