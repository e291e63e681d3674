import { type Effort, OverEffort, ofExpression, partOf } from '../../model/effort.ts'
import { call, construct } from './calls.ts'
import { type HermesCode, operand } from './code.ts'
import { run } from './execute.ts'
import { render } from './hooks.ts'
import type { Instruction } from './instructions.ts'
import {
  globalObject,
  type Handler,
  type MachineState,
  type Run,
  type State,
  type Step,
  type Watch,
} from './machine.ts'
import { get, put } from './members.ts'
import { arithmetic, comparison } from './operators.ts'
import { callSteps } from './steps/calls.ts'
import { environmentSteps } from './steps/environments.ts'
import { memberSteps } from './steps/members.ts'
import { valueSteps } from './steps/values.ts'
import { type Closure, closureOf, type Value } from './values.ts'

export interface Machine {
  /** Calls a function several times, on the ways that branches leave whose condition is not known. @throws OverEffort */
  explore(closure: Closure, self: Value, steps: number, args?: readonly Value[]): void
  /** Calls a function once; `null` for arguments that are not known. */
  call(closure: Closure, self: Value, args: readonly Value[] | null): Value
  construct(closure: Closure): Value
  /** Runs the function that a file begins with. */
  begin(closure: Closure): void
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

/** Instructions after which a function is taken to depend on values that are known only at run time. */
const mostSteps = 20_000

const mostStepsOfBeginning = 400_000

/** The outcome of what cost too much. */
const over = Symbol('over the limit')

export function createMachine(code: HermesCode, whole: Effort, watch: Watch): Machine {
  const machine: MachineState = {
    code,
    watch,
    host: {
      stored: new Map(),
      get effort() {
        return machine.effort
      },
      call: (callee, self, args) => call(machine, callee, self, args),
      get: (of, name) => get(machine, of, name),
      put: (of, name, value) => put(machine, of, name, value),
      construct: (callee, args) => construct(machine, callee, args),
      made: (text) => watch.onText({ text, offset: machine.state.at }),
    },
    handlers: [],
    whole,
    effort: whole,
    globals: new Map(),
    defaultBases: new Map(),
    current: aRun(mostSteps, false),
    depth: 0,
    state: nowhere,
  }
  for (const instruction of code.instructions) machine.handlers.push(handlerOf(machine, instruction))
  return {
    explore: (closure, self, steps, args) => explore(machine, closure, self, { steps, args: args ?? null }),
    call: (closure, self, args) => apart(machine, () => run(machine, closure, self, args)),
    construct: (closure) => apart(machine, () => construct(machine, closure, null)),
    begin(closure) {
      machine.current = aRun(mostStepsOfBeginning, true)
      within(machine, () => run(machine, closure, globalObject, []))
    },
  }
}

/** Runs a function once for each way through its branches, as long as steps are left. */
function explore(
  machine: MachineState,
  closure: Closure,
  self: Value,
  { steps, args }: { readonly steps: number; readonly args: readonly Value[] | null },
): void {
  const places = new Map<number, number>()
  let left = steps
  for (let count = 0; count < Math.min(ways.length, 2 ** places.size) && left > 0; count++) {
    const goesBack = new Set<number>()
    machine.defaultBases.delete('?')
    machine.current = {
      steps: left,
      isFirst: false,
      way: count,
      decide(at, isBackward) {
        const place = places.get(at) ?? places.size
        places.set(at, place)
        // The way that leaves a loop is taken at the second time.
        if (isBackward && goesBack.has(at)) return false
        goesBack.add(at)
        return ways[count]?.(place) ?? false
      },
    }
    const act = () => {
      const value = run(machine, closure, self, args)
      render(value, machine.host)
      return value
    }
    if (within(machine, act) === over) return
    left = machine.current.steps
  }
}

/** Runs something with as many steps as if nothing were run around it. */
function apart(machine: MachineState, act: () => Value): Value {
  const before = machine.current
  machine.current = aRun(mostSteps, false)
  try {
    const value = within(machine, act)
    return value === over ? undefined : value
  } finally {
    machine.current = before
  }
}

/** Runs something whose values are gone behind it. One that costs too much alone does other things than to make a key. */
function within(machine: MachineState, act: () => Value): Value | typeof over {
  const [before, level] = [machine.effort, machine.depth]
  const own = partOf(machine.whole, ofExpression)
  machine.effort = own
  try {
    return act()
  } catch (error) {
    if (!(error instanceof OverEffort && error.effort === own)) throw error
    machine.depth = level
    return over
  } finally {
    machine.effort = before
  }
}

function handlerOf(machine: MachineState, instruction: Instruction): Handler {
  const { name, length } = instruction
  if (name === 'Ret') return { kind: 'return', length }
  if (name === 'Throw') return { kind: 'throw', length }
  if (name.startsWith('J') || name.endsWith('SwitchImm')) return { kind: 'jump', length, instruction }
  return { kind: 'step', length, act: actOf(machine, instruction) }
}

const steps = new Map(
  [valueSteps, environmentSteps, callSteps, memberSteps].flatMap((group) =>
    Object.entries(group).flatMap(([names, act]) => names.split(' ').map((name) => [name, act] as const)),
  ),
)

/** Gives the action of an instruction; its operands are read when it is run. */
function actOf(machine: MachineState, instruction: Instruction): () => void {
  const act = steps.get(instruction.name) ?? otherStep
  const step = stepOf(machine, instruction)
  return () => act(step)
}

/** Computes what a binary operator gives, and forgets what any other instruction changed. */
function otherStep({ name, operands, value, write }: Step): void {
  const known = binary.test(name) ? binaryOf(name, value(1), value(2)) : undefined
  if (operands.startsWith('r') && !changesNothing.test(name)) write(known)
}

function stepOf(machine: MachineState, instruction: Instruction): Step {
  const { name, operands } = instruction
  const number = (index: number) => operand(machine.code.bytes, machine.state.at, instruction, index)
  const write = (result: Value) => {
    machine.state.registers[number(0)] = result
  }
  return {
    machine,
    instruction,
    name,
    operands,
    last: operands.length - 1,
    number,
    value: (index) => machine.state.registers[number(index)],
    nameAt: (index) => machine.code.text(number(index)) ?? '',
    write,
    make(result) {
      write(result)
      if (typeof result === 'string') machine.watch.onText({ text: result, offset: machine.state.at })
    },
  }
}

const nowhere: State = {
  one: { start: 0, end: 0, frameSize: 0 },
  frame: { registers: [], closure: closureOf(0), self: undefined, args: null, given: null },
  registers: [],
  at: 0,
}

const binary =
  /^(?:(?:Strict)?(?:Eq|Neq)|Less|LessEq|Greater|GreaterEq|Mul|Div|Mod|Sub|[LRU]?R?[Ss]hift|Bit\w+)N?$/

const changesNothing =
  /^(?:Put|TryPut|Define|Del|Throw|Declare|Profile|AsyncBreak|IteratorClose|FastArrayAppend)/

function binaryOf(name: string, left: Value, right: Value): Value {
  return arithmetic(name, left, right) ?? comparison(name, left, right)
}

function aRun(steps: number, isFirst: boolean): Run {
  return { steps, isFirst, way: 0, decide: () => false }
}
