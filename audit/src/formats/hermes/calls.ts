import { makeList } from '../../script/evaluate/value.ts'
import { constructed } from './bytes.ts'
import { mostYields, run } from './execute.ts'
import { render } from './hooks.ts'
import { registersBehindThis } from './instructions.ts'
import { callNative, callOfUnknown, hasBase, isVerb } from './library.ts'
import type { Frame, MachineState } from './machine.ts'
import { get, prototypeOf, put, rootOf } from './members.ts'
import { constructedOfPlatform, iterated } from './platform.ts'
import {
  absent,
  type Closure,
  closureOf,
  createThing,
  entriesOf,
  isClosure,
  isCursor,
  isEnvironment,
  isList,
  isNative,
  isThing,
  itemsOf,
  native,
  type Value,
} from './values.ts'

function isCalled(machine: MachineState, closure: Closure): boolean {
  return !machine.current.isFirst || machine.watch.isOwn(closure)
}

export function call(machine: MachineState, callee: Value, self: Value, args: readonly Value[]): Value {
  if (isClosure(callee)) {
    // A library's client is what it is made for, however it is made.
    if (!machine.watch.isOwn(callee) && hasBase(args)) return callOfUnknown('', args, machine.host)
    const result = isCalled(machine, callee) ? run(machine, callee, self, args) : undefined
    render(result, machine.host)
    return result
  }
  if (isNative(callee)) {
    const [owner, builtin] = callee.path.split('.')
    if (owner === 'HermesBuiltin') return builtIn(machine, builtin, args, null)
    const isOfEngine = callee.path.includes('.') && !callee.path.endsWith('.importAll')
    const answer = isOfEngine ? null : machine.watch.answer(callee.path, args)
    if (answer !== null) return answer.value
    const base = isVerb(callee.path.replace(/^.*\./, ''))
      ? machine.defaultBases.get(rootOf(callee))
      : undefined
    if (base !== undefined) callNative(native('.request'), { kind: 'client', base }, args, machine.host)
    return callNative(callee, self, args, machine.host)
  }
  return callNative(native('?.'), self, args, machine.host)
}

export function construct(machine: MachineState, callee: Value, args: readonly Value[] | null): Value {
  if (!isClosure(callee)) return constructedWith(machine, callee, undefined, args ?? [])
  const self = createThing(prototypeOf(callee))
  const result = run(machine, callee, self, args)
  return typeof result === 'object' && result !== null ? result : self
}

export function constructedWith(
  machine: MachineState,
  callee: Value,
  self: Value,
  args: readonly Value[],
): Value {
  if (isClosure(callee)) {
    // A class makes its object itself in newer versions, and is called on nothing.
    const own = isThing(self) ? self : createThing(prototypeOf(callee))
    return isCalled(machine, callee) ? run(machine, callee, own, args) : undefined
  }
  if (!isNative(callee)) return undefined
  const name = callee.path.replace(/^\?\./, '')
  if (name === 'Promise') return promised(machine, args[0])
  const given = name === 'Map' || name === 'Set' ? [iterated(args[0], machine.host) as Value] : args
  return constructed(name, given, machine.effort) ?? constructedOfPlatform(name, args, machine.host)
}

/** A promise is what it is fulfilled with. */
function promised(machine: MachineState, executor: Value): Value {
  const fulfilled = createThing()
  call(machine, executor, absent, [native('Promise.fulfil', fulfilled), native('Promise.reject')])
  return fulfilled.fields.get('value')
}

export function builtIn(
  machine: MachineState,
  name: string | undefined,
  args: readonly Value[],
  frame: Frame | null,
): Value {
  const own = frame?.args ?? null
  const [first, second, third] = args
  switch (name) {
    case 'getTemplateObject': {
      const parts = args.slice(2)
      return second === true ? [...parts] : parts.slice(parts.length / 2)
    }
    case 'copyDataProperties':
      for (const [key] of entriesOf(second) ?? [])
        if (entriesOf(third)?.some(([one]) => one === key) !== true)
          put(machine, first, key, get(machine, second, key))
      return first
    case 'copyRestArgs':
      return typeof first === 'number' ? own?.slice(first) : undefined
    case 'arraySpread': {
      const items = iterated(second, machine.host)
      if (!isList(first) || typeof third !== 'number') return undefined
      if (items === undefined) first.push(undefined)
      else {
        makeList(items.length, machine.effort)
        for (const [index, item] of items.entries()) first[third + index] = item
      }
      return third + (items?.length ?? 1)
    }
    case 'apply': {
      const given = itemsOf(second)
      if (given === undefined) return undefined
      return args.length < 3 ? construct(machine, first, given) : call(machine, first, third, given)
    }
    case 'applyArguments':
      return own === null ? undefined : call(machine, first, second, own)
    case 'functionPrototypeApply':
      return call(machine, first, second, itemsOf(third) ?? [])
    case 'functionPrototypeCall':
      return call(machine, first, second, args.slice(2))
    case 'spawnAsync': {
      const result = call(machine, first, second, itemsOf(third) ?? [])
      return isCursor(result) ? result.items.at(-1) : result
    }
    default:
      return undefined
  }
}

/** Calls the steps of a generator of newer engines, which are those of a function with its state in a variable. */
export function driven(machine: MachineState, generator: Closure): Value {
  const given: Value[] = []
  let isReturned = false
  for (let count = 0; count < mostYields; count++) {
    const result = run(machine, generator, absent, [0, given.at(-1) ?? absent])
    if (!isThing(result)) break
    const value = result.fields.get('value')
    const done = result.fields.get('done')
    if (done === true && (value === absent || value === undefined)) break
    given.push(value)
    isReturned = done === true
    if (done !== false) break
  }
  return { kind: 'cursor', items: given, at: 0, isReturned }
}

export function argumentsOf(machine: MachineState, count: number): Value[] {
  const { registers } = machine.state
  const { frameSize } = machine.state.one
  const first = frameSize - registersBehindThis(machine.code.version)
  if (count > first + 1 || count < 1) return [undefined]
  makeList(count, machine.effort)
  return Array.from({ length: count }, (_, index) => registers[first - index])
}

export function aClosure(
  machine: MachineState,
  index: number,
  environment: Value,
  isGenerator: boolean,
): Closure {
  const closure = closureOf(index, isEnvironment(environment) ? environment : null, isGenerator)
  if (!isGenerator) machine.watch.onClosure(closure, machine.current.way)
  return closure
}
