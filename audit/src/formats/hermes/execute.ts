import { pay } from '../../model/effort.ts'
import { operand } from './code.ts'
import type { HermesFunction } from './functions.ts'
import type { Instruction } from './instructions.ts'
import { type Frame, type MachineState, mostDepth, mostItems, type State } from './machine.ts'
import { comparison } from './operators.ts'
import { absent, type Closure, isOfTypes, isSame, isUnknown, truthOf, type Value } from './values.ts'

const mostTargets = 8

const stepsOfInstruction = 8

const paidAtOnce = 16

export const mostYields = 256

export function run(
  machine: MachineState,
  closure: Closure,
  self: Value,
  args: readonly Value[] | null,
): Value {
  const one = machine.code.functions[closure.index]
  if (one === undefined || one === null || machine.depth >= mostDepth) return undefined
  machine.depth += 1
  try {
    const given: Value[] | null = closure.isGenerator ? [] : null
    const frame: Frame = { registers: [], closure, self, args, given }
    const value = execute(machine, one, frame)
    if (given === null) return value
    // `return` of a generator comes last, as what waits for it sees it.
    const isReturned = value !== undefined && value !== absent
    if (isReturned) given.push(value)
    return { kind: 'cursor', items: given, at: 0, isReturned }
  } finally {
    machine.depth -= 1
  }
}

function execute(machine: MachineState, one: HermesFunction, frame: Frame): Value {
  const before = machine.state
  machine.state = { one, frame, registers: frame.registers, at: one.start }
  try {
    return executeIn(machine, machine.state)
  } finally {
    machine.state = before
  }
}

function executeIn(machine: MachineState, own: State): Value {
  const { one, frame, registers } = own
  for (let at = one.start; at < one.end; ) {
    const handler = machine.handlers[machine.code.bytes[at] ?? 0]
    if (handler === undefined || at + handler.length > one.end || machine.current.steps <= 0) return undefined
    machine.current.steps -= 1
    if (machine.current.steps % paidAtOnce === 0) pay(machine.effort, stepsOfInstruction * paidAtOnce)
    own.at = at
    if (handler.kind === 'step') {
      handler.act()
      at += handler.length
    } else if (handler.kind === 'jump') at = jump(machine, handler.instruction, at, registers)
    else if (handler.kind === 'throw') return undefined
    else {
      const value = registers[machine.code.bytes[at + 1] ?? 0]
      const resumed = frame.given === null ? undefined : resumptions.get(frame)
      if (frame.given === null || resumed === undefined || frame.given.length >= mostYields) return value
      resumptions.delete(frame)
      frame.given.push(value)
      at = resumed
    }
  }
  return undefined
}

/** Returns where a jump leads. */
function jump(machine: MachineState, instruction: Instruction, at: number, registers: Value[]): number {
  const { name, operands, length } = instruction
  const number = (index: number) => operand(machine.code.bytes, at, instruction, index)
  const on = at + length
  if (name.endsWith('SwitchImm')) return switched(machine, name, at, registers[number(0)], number)
  const target = at + number(0)
  const value = (index: number) => registers[number(index)]
  const is = (): boolean | undefined => {
    if (name === 'Jmp') return true
    if (name === 'JmpTrue') return truthOf(value(1))
    if (name === 'JmpFalse') return not(truthOf(value(1)))
    if (name === 'JmpUndefined') return isSame(value(1), absent)
    if (name === 'JmpTypeOfIs') return isOfTypes(value(1), number(2))
    if (operands.length !== 3 || name.startsWith('Jmp')) return undefined
    return comparison(name.slice(1), value(1), value(2))
  }
  return (is() ?? machine.current.decide(at, target < at)) ? target : on
}

function switched(
  machine: MachineState,
  name: string,
  at: number,
  value: Value,
  number: (index: number) => number,
): number {
  const isText = name === 'StringSwitchImm'
  const table = at + number(isText ? 2 : 1)
  const start = (table + 3) & ~3
  const otherwise = at + number(isText ? 3 : 2)
  const count = isText ? number(4) : number(4) - number(3) + 1
  if (count < 0 || count > mostItems) return otherwise
  const target = (index: number) =>
    at + machine.code.bytes.readInt32LE(start + (isText ? index * 8 + 4 : index * 4))
  if (isUnknown(value)) {
    for (let index = 0; index < Math.min(count, mostTargets); index++)
      if (machine.current.decide(at + index / mostItems, false)) return target(index)
    return otherwise
  }
  if (!isText) {
    const index = typeof value === 'number' ? value - number(3) : -1
    return Number.isInteger(index) && index >= 0 && index < count ? target(index) : otherwise
  }
  pay(machine.effort, count)
  for (let index = 0; index < count; index++)
    if (machine.code.text(machine.code.bytes.readUInt32LE(start + index * 8)) === value) return target(index)
  return otherwise
}

/** Where a generator goes on after what it gives. */
export const resumptions = new WeakMap<Frame, number>()

export function not(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value
}
