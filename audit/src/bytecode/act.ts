import type { Effort } from '../model/effort.ts'
import { makeList } from '../script/evaluate/value.ts'
import { binaryOf, compareOf, conditionOf, unaryOf } from './arithmetic.ts'
import { classesAbove } from './inherited.ts'
import { listType } from './library/call.ts'
import { isOfLibrary } from './library/library.ts'
import type { Place, Shuffle, Step } from './step.ts'
import { joinTexts, textAs } from './text.ts'
import {
  createInstance,
  delegateOf,
  type Instance,
  isArray,
  isInstance,
  isWide,
  keyOf,
  lambdaType,
  type MemberRef,
  settled,
  unknownOf,
  type Value,
} from './value.ts'

/** A method that is being run. */
export interface Frame {
  readonly registers: Value[]
  readonly stack: Value[]
  /** The index of the next step; where there is none, the method has ended with the result. */
  at: number
  result: Value
  readonly statics: Map<string, Value>
  /** Objects that the program makes before the machine's eyes: a field that nothing was put into is zero. */
  readonly isWhole: WeakSet<Instance>
  readonly effort: Effort
  /** Chooses one of several ways where the condition is not known. */
  decide(step: Step, ways: number): number
  initialise(owner: string): void
  /** The class that a class extends, and the interfaces that it implements. */
  parents(owner: string): readonly string[]
  invoke(ref: MemberRef, args: readonly Value[], isVirtual: boolean): Value
  /** Reports a text that a step made, and returns it. */
  tell(value: Value, step: Step): Value
}

type Acts = { readonly [Kind in Step['kind']]: (step: Extract<Step, { kind: Kind }>, frame: Frame) => void }

/** Does one step, whose successor is the next one unless the step says otherwise. */
export function act(step: Step, frame: Frame): void {
  const known = acts[step.kind] as (step: Step, frame: Frame) => void
  known(step, frame)
}

const acts: Acts = {
  constant: ({ to, value }, frame) => write(frame, to, value),
  move: ({ from, to }, frame) => write(frame, to, read(frame, from)),
  shuffle: ({ how }, { stack }) => shuffle(stack, how),
  binary(step, frame) {
    const right = operand(frame, step.right)
    write(frame, step.to, binaryOf(step.operator, operand(frame, step.left), right, step.isLong))
  },
  unary: ({ operator, from, to }, frame) => write(frame, to, unaryOf(operator, read(frame, from))),
  compare(step, frame) {
    const right = read(frame, step.right)
    write(frame, step.to, compareOf(read(frame, step.left), right))
  },
  new({ type, to }, frame) {
    const made = createInstance(type)
    frame.isWhole.add(made)
    write(frame, to, made)
  },
  'is of': ({ type, from, to }, frame) => write(frame, to, isOf(read(frame, from), type, frame.parents)),
  'new array': ({ element, size, to }, frame) =>
    write(frame, to, newArray(element, read(frame, size), frame.effort)),
  'array of'({ element, items, to }, frame) {
    makeList(items.length, frame.effort)
    write(frame, to, { element, items: readAll(frame, items) })
  },
  fill(step, frame) {
    const array = read(frame, step.array)
    if (!isArray(array)) return
    // Compilers of .NET round up what they say of the data's size.
    for (const [index, value] of step.values.slice(0, array.items.length).entries())
      array.items[index] = value
  },
  length(step, frame) {
    const array = read(frame, step.array)
    write(frame, step.to, isArray(array) ? array.items.length : undefined)
  },
  load(step, frame) {
    const index = read(frame, step.index)
    const array = read(frame, step.array)
    const item = isArray(array) && typeof index === 'number' ? array.items[index] : undefined
    write(frame, step.to, item ?? (step.isWide ? unknownOf('J') : item))
  },
  store(step, frame) {
    const value = read(frame, step.value)
    const index = read(frame, step.index)
    const array = read(frame, step.array)
    if (isArray(array) && typeof index === 'number' && index < array.items.length) array.items[index] = value
  },
  'get field'({ field, of, to }, frame) {
    const object = of === null ? null : read(frame, of)
    const fields = isInstance(object) ? object.fields : frame.statics
    const key = fieldIn(fields, field, frame, object === null)
    const value = fields.get(key)
    const isZero = isInstance(object) && frame.isWhole.has(object) && !object.fields.has(key)
    write(frame, to, value === undefined ? emptyOf(field.descriptor, isZero) : value)
  },
  'put field'(step, frame) {
    const value = read(frame, step.value)
    const object = step.of === null ? null : read(frame, step.of)
    if (isInstance(object)) object.fields.set(keyOf(step.field), value)
    else if (object === null) {
      frame.initialise(step.field.owner)
      frame.statics.set(keyOf(step.field), value)
    }
  },
  invoke(step, frame) {
    const args = readAll(frame, step.args)
    const value = frame.tell(frame.invoke(step.method, args, step.isVirtual), step)
    if (step.method.name === '<init>') frame.tell(settled(args[0]), step)
    if (step.to !== null) write(frame, step.to, value)
  },
  concatenate: (step, frame) =>
    write(frame, step.to, frame.tell(concatenated(step, readAll(frame, step.args), frame.effort), step)),
  lambda({ method, args, to }, frame) {
    const lambda = createInstance(lambdaType)
    lambda.fields.set(delegateOf.method, keyOf(method))
    lambda.items = readAll(frame, args)
    write(frame, to, lambda)
  },
  branch(step, frame) {
    const right = operand(frame, step.right)
    const is = conditionOf(step.condition, read(frame, step.left), right) ?? frame.decide(step, 2) === 1
    if (is) frame.at = step.target
  },
  jump({ target }, frame) {
    frame.at = target
  },
  switch(step, frame) {
    const value = read(frame, step.value)
    const targets = [...step.cases.values(), step.otherwise]
    frame.at =
      typeof value === 'number'
        ? (step.cases.get(value) ?? step.otherwise)
        : (targets[frame.decide(step, targets.length)] ?? step.otherwise)
  },
  return: ({ from }, frame) => leave(frame, from === null ? undefined : read(frame, from)),
  throw: (_, frame) => leave(frame, undefined),
  other({ from, to, type }, frame) {
    readAll(frame, from)
    if (to !== null) write(frame, to, unknownOf(type))
  },
}

/** Finds the field of a class, or the one that it inherits: code names the class that it has an object of. */
function fieldIn(
  fields: ReadonlyMap<string, Value>,
  field: MemberRef,
  { initialise, parents }: Frame,
  isStatic: boolean,
): string {
  for (const owner of classesAbove(field.owner, parents)) {
    if (isStatic) initialise(owner)
    const key = keyOf({ ...field, owner })
    if (fields.has(key)) return key
  }
  return keyOf(field)
}

function read({ stack, registers }: Frame, place: Place): Value {
  return settled(place === 'stack' ? stack.pop() : registers[place])
}

function readAll(frame: Frame, places: readonly Place[]): Value[] {
  const values: Value[] = []
  for (let at = places.length - 1; at >= 0; at--) values.unshift(read(frame, places[at] ?? 'stack'))
  return values
}

function operand(frame: Frame, from: Place | { readonly literal: number | null }): Value {
  return typeof from === 'object' ? from.literal : read(frame, from)
}

function write({ stack, registers }: Frame, place: Place, value: Value): void {
  if (place === 'stack') stack.push(value)
  else registers[place] = value
}

function leave(frame: Frame, result: Value): void {
  frame.result = result
  frame.at = Number.POSITIVE_INFINITY
}

function newArray(element: string, size: Value, effort: Effort): Value {
  if (typeof size !== 'number' || size < 0) return undefined
  makeList(size, effort)
  const empty = element.length > 1 ? null : element === 'J' || element === 'D' ? unknownOf(element) : 0
  return { element, items: new Array<Value>(size).fill(empty) }
}

const ofTexts = /^java\/lang\/(?:String|CharSequence|Comparable|Object)$/
const ofLists = /^java\/(?:util\/(?:List|Collection|ArrayList)|lang\/(?:Iterable|Object))$/
const otherTypes =
  /^(?:java\/lang\/(?:String|CharSequence|Character|Integer)|java\/util\/(?:List|Collection|Map|Set))$/

/** Says whether a value is of a type of the platform or the program; `undefined` where that is not known. */
function isOf(value: Value, type: string, parents: Frame['parents']): number | undefined {
  if (value === null) return 0
  if (typeof value === 'string') return Number(ofTexts.test(type))
  if (!isInstance(value)) return undefined
  if (value.type === type || (value.type === listType && ofLists.test(type))) return 1
  if (isOfLibrary(value.type)) return otherTypes.test(type) ? 0 : undefined
  for (const one of classesAbove(value.type, parents)) if (one === type) return 1
  // Both are classes of the program.
  return parents(value.type).length > 0 && parents(type).length > 0 ? 0 : undefined
}

/** Gives the content of a field that nothing is known of. */
function emptyOf(type: string, isZero: boolean): Value {
  return isZero && /^[BCISZ]$/.test(type) ? 0 : unknownOf(type)
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
