import { type Effort, OverEffort, ofExpression, partOf, pay } from '../model/effort.ts'
import { act, type Frame } from './act.ts'
import { classesAbove, descriptorOfValueOf } from './inherited.ts'
import type { Host } from './library/call.ts'
import { ofFunction } from './library/functions.ts'
import { callLibrary, isOfLibrary } from './library/library.ts'
import type { Method, Step } from './step.ts'
import {
  createInstance,
  delegateOf,
  type Instance,
  isInstance,
  isWide,
  keyOf,
  lambdaType,
  type MemberRef,
  memberOf,
  signatureOf,
  unknownOf,
  type Value,
} from './value.ts'

/** A text that a method puts together, and where in the file its last step is. */
export interface Made {
  readonly text: string
  readonly offset: number
  /** The end of the text is a guess. */
  readonly extent?: 'uncertain' | undefined
}

export interface Program {
  /** A method with code, by its key; `undefined` for one that is elsewhere, or abstract. */
  method(key: string): Method | undefined
  /** The class that a class extends, and the interfaces that it implements. */
  parents(owner: string): readonly string[]
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

/** A machine between two methods that it explores. */
interface State {
  readonly program: Program
  readonly onText: (made: Made, owner: string) => void
  effort: Effort
  readonly statics: Map<string, Value>
  readonly initialised: Set<string>
  /** The object of each class whose methods are explored, as if there were one: its fields are what any method puts there. */
  readonly selves: Map<string, Instance>
  readonly isWhole: WeakSet<Instance>
}

/** Where a machine is: on which way, and how many methods deep. */
interface Position {
  readonly run: Run
  readonly depth: number
}

/** The class of the platform whose methods an object of the program has without methods of the same names. */
const aboveAll = 'java/lang/Enum'

/** Methods of interfaces of the platform whose result is no object, with its type. */
const resultsOfLambdas: Readonly<Record<string, string>> = {
  compare: 'I',
  test: 'Z',
  accept: 'V',
  applyAsInt: 'I',
  getContents: '[[Ljava/lang/Object;',
  MoveNext: 'Z',
}

const mostRuns = 16
const mostDepth = 8
/** Steps after which a method is taken to depend on values that are known only at run time. */
const mostSteps = 20_000
const stepsOfStep = 3
/** Choices of a way that was taken before, in one run. */
const mostAgain = 200

/** Creates a machine that gives each text that the library makes of constants, with the class whose method has it. */
export function createMachine(
  program: Program,
  whole: Effort,
  onText: (made: Made, owner: string) => void,
): Machine {
  const state: State = {
    program,
    onText,
    effort: whole,
    statics: new Map(),
    initialised: new Set(),
    selves: new Map(),
    isWhole: new WeakSet(),
  }
  return {
    explore(method) {
      const own = partOf(whole, ofExpression)
      state.effort = own
      try {
        exploreWithin(state, method)
      } catch (error) {
        // A method that costs too much alone does other things than to make a key.
        if (!(error instanceof OverEffort && error.effort === own)) throw error
      }
    },
  }
}

function exploreWithin(state: State, method: Method): void {
  const taken = new Map<Step, Set<number>>()
  let left = mostSteps
  for (let count = 0; count < mostRuns; count++) {
    let isNew = false
    let again = 0
    const run: Run = {
      steps: left,
      decide(step, ways) {
        const known = taken.get(step) ?? new Set()
        taken.set(step, known)
        const way = firstNotIn(known, ways)
        if (way !== null) isNew = true
        known.add(way ?? 0)
        if (way !== null) return way
        // All ways were taken: the one that leaves a loop is mostly the last, and another one where that goes on and on.
        again += 1
        return again <= mostAgain ? ways - 1 : again % ways
      },
    }
    execute(state, method, method.isStatic ? [] : [selfOf(state, method.owner)], { run, depth: 0 })
    left = run.steps
    if (!isNew || left <= 0) return
  }
}

function selfOf({ selves }: State, owner: string): Instance {
  const known = selves.get(owner) ?? createInstance(owner)
  selves.set(owner, known)
  return known
}

function execute(state: State, method: Method, args: readonly Value[], position: Position): Value {
  const { run, depth } = position
  const { effort } = state
  if (depth === 0 && method.name === '<clinit>') begin(state, method.owner)
  const steps = method.steps()
  const frame: Frame = {
    registers: registersFor(method, args),
    stack: [],
    at: 0,
    result: undefined,
    statics: state.statics,
    isWhole: state.isWhole,
    effort,
    decide: run.decide,
    initialise: (owner) => initialise(state, owner, position),
    parents: state.program.parents,
    invoke: (ref, given, isVirtual) => invoke(state, { ref, args: given, isVirtual }, position),
    tell(value, { at }) {
      if (typeof value === 'string') state.onText({ text: value, offset: at }, method.owner)
      return value
    },
  }
  for (;;) {
    const step = steps[frame.at]
    if (step === undefined || run.steps <= 0) return frame.result
    run.steps -= 1
    pay(effort, stepsOfStep)
    frame.at += 1
    act(step, frame)
  }
}

function registersFor({ argumentsAt }: Method, args: readonly Value[]): Value[] {
  const registers: Value[] = []
  let slot = argumentsAt
  for (const arg of args) {
    registers[slot] = arg
    slot += isWide(arg) ? 2 : 1
  }
  return registers
}

interface Call {
  readonly ref: MemberRef
  readonly args: readonly Value[]
  readonly isVirtual: boolean
}

function invoke(state: State, { ref, args, isVirtual }: Call, position: Position): Value {
  const { program } = state
  const { parameters, result } = signatureOf(ref.descriptor)
  // The first argument of a static call is no object.
  const self = args.length > parameters.length ? args[0] : undefined
  const isOwn = isInstance(self) && !isOfLibrary(self.type)
  // The class of an object is known where the program has made it.
  const owner = isVirtual && isOwn ? self.type : ref.owner
  const own = program.method(keyOf({ ...ref, owner }))
  const target = own ?? program.method(keyOf(ref))
  const host = hostOf(state, position)
  if (isInstance(self) && self.type === lambdaType && !ofFunction.test(ref.name)) {
    const value = host.call(self, ref.name, args.slice(1))
    return value === undefined ? unknownOf(result) : value
  }
  const isBuilt = isInstance(self) && isVirtual && !isOwn
  const ofLibrary = () => {
    if (isBuilt) return self.type
    return isOwn && !isOfLibrary(ref.owner) ? platformAbove(self.type, program) : ref.owner
  }
  // An object of the program may have a method that the platform declares, such as `toString`.
  const isOfPlatform = isOfLibrary(ref.owner) && !(isOwn && isVirtual && own !== undefined)
  const value =
    enumOf(state, { ref, args, isVirtual }, position) ??
    (target === undefined || isOfPlatform
      ? callLibrary({ ...ref, owner: ofLibrary() }, args, host)
      : position.depth < mostDepth && mayTell(target, args)
        ? execute(state, target, args, deeper(position))
        : undefined)
  return value === undefined ? unknownOf(result) : value
}

/** Finds the class of the platform that a class of the program extends. */
function platformAbove(type: string, { parents }: Program): string {
  const above = [...classesAbove(type, parents)]
  return above.find((one) => isOfLibrary(one) && !one.endsWith('/Object')) ?? aboveAll
}

/** Gives the object of an enum that has a name; `undefined` of any other call. */
function enumOf(state: State, { ref, args: [name] }: Call, position: Position): Value {
  const { owner, descriptor } = ref
  if (ref.name !== 'valueOf' || typeof name !== 'string' || descriptor !== descriptorOfValueOf(owner))
    return undefined
  initialise(state, owner, position)
  return state.statics.get(keyOf({ owner, name, descriptor: `L${owner};` }))
}

function deeper({ run, depth }: Position): Position {
  return { run, depth: depth + 1 }
}

function hostOf(state: State, position: Position): Host {
  const { program, effort } = state
  const host: Host = {
    effort,
    call(lambda, name, args) {
      if (!isInstance(lambda) || position.depth >= mostDepth) return undefined
      const delegated = lambda.fields.get(delegateOf.method)
      if (typeof delegated === 'string') {
        const own = program.method(delegated)
        if (own === undefined)
          return callLibrary(memberOf(delegated), [...(lambda.items ?? []), ...args], host)
        const bound = lambda.items ?? (own.isStatic ? [] : [lambda.fields.get(delegateOf.target)])
        return execute(state, own, [...bound, ...args], deeper(position))
      }
      const result = resultsOfLambdas[name] ?? 'Ljava/lang/Object;'
      const descriptor = `(${'Ljava/lang/Object;'.repeat(args.length)})${result}`
      const target = program.method(keyOf({ owner: lambda.type, name, descriptor }))
      return target === undefined ? undefined : execute(state, target, [lambda, ...args], deeper(position))
    },
  }
  return host
}

/** Gives a class the values that its initialiser begins with. */
function begin({ program, statics, initialised }: State, owner: string): void {
  initialised.add(owner)
  for (const [field, value] of program.constants(owner)) statics.set(field, value)
}

/** Runs the initialiser of a class before its first use. */
function initialise(state: State, owner: string, position: Position): void {
  if (state.initialised.has(owner) || position.depth >= mostDepth) return
  begin(state, owner)
  const method = state.program.method(keyOf({ owner, name: '<clinit>', descriptor: '()V' }))
  if (method !== undefined) execute(state, method, [], deeper(position))
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
