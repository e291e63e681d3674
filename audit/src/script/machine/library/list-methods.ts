import { pay } from '../../../model/effort.ts'
import { makeList, makeText } from '../../evaluate/value.ts'
import type { Machine } from '../machine.ts'
import { type Bytes, isBytes, isThing, iteratorOf, truthOf, unknown, type Value } from '../values.ts'

type Result = { readonly value: Value } | null

/** Calls a method of a list, which may change it. */
export function listMethod(self: Value[], name: string, args: readonly Value[], machine: Machine): Result {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined
  if (method === undefined) return null
  pay(machine.effort, 2 + self.length / 4)
  return { value: method(self, args, machine) }
}

type Method = (self: Value[], args: readonly Value[], machine: Machine) => Value

const count = (value: Value): number | undefined => (typeof value === 'number' ? value : undefined)

function each(self: readonly Value[], [callback, own]: readonly Value[], machine: Machine): Value[] {
  makeList(self.length, machine.effort)
  return self.map((item, index) => machine.call(callback, own, [item, index, self as Value[]]))
}

function joined(self: readonly Value[], by: Value, machine: Machine): Value {
  if (by === unknown) return unknown
  const separator = by === undefined ? ',' : machine.textOf(by)
  let length = 0
  const texts = self.map((item) => {
    const text = item === null || item === undefined ? '' : machine.textOf(item)
    length += text.length + separator.length
    makeText(text.length, machine.effort)
    return text
  })
  makeText(length, machine.effort)
  return texts.join(separator)
}

function sorted(self: readonly Value[], by: Value, machine: Machine): Value[] {
  pay(machine.effort, self.length * Math.ceil(Math.log2(self.length + 2)), 8 * self.length)
  const copy = [...self]
  if (!isThing(by))
    return copy.sort((a, b) => {
      const [one, other] = [machine.textOf(a), machine.textOf(b)]
      return one < other ? -1 : one > other ? 1 : 0
    })
  return copy.sort((a, b) => {
    const order = machine.call(by, undefined, [a, b])
    return typeof order === 'number' ? order : 0
  })
}

function flat(items: readonly Value[], depth: number, machine: Machine): Value[] {
  const made: Value[] = []
  for (const item of items) {
    pay(machine.effort, 1, 8)
    if (Array.isArray(item) && depth > 0) for (const inner of flat(item, depth - 1, machine)) made.push(inner)
    else made.push(item)
  }
  return made
}

/** Puts other items in the place of those that a list holds. */
function refill(self: Value[], items: readonly Value[]): Value[] {
  self.length = 0
  for (const item of items) self.push(item)
  return self
}

function copied(self: readonly Value[], machine: Machine): Value[] {
  makeList(self.length, machine.effort)
  return [...self]
}

function reduced(items: readonly Value[], args: readonly Value[], machine: Machine): Value {
  const [callback, initial] = args
  const rest = copied(items, machine)
  let total = args.length > 1 ? initial : rest.shift()
  const offset = args.length > 1 ? 0 : 1
  for (const [index, item] of rest.entries())
    total = machine.call(callback, undefined, [total, item, index + offset, items as Value[]])
  return total
}

const deepestFlat = 50

const methods: Readonly<Record<string, Method | undefined>> = {
  push(self, args, machine) {
    makeList(args.length, machine.effort)
    for (const arg of args) self.push(arg)
    return self.length
  },
  unshift(self, args, machine) {
    makeList(self.length + args.length, machine.effort)
    refill(self, [...args, ...self])
    return self.length
  },
  pop: (self) => self.pop(),
  shift(self, _, machine) {
    pay(machine.effort, self.length / 8)
    return self.shift()
  },
  splice(self, args, machine) {
    const [start, removed] = [count(args[0]), args.length > 1 ? count(args[1]) : self.length]
    if (start === undefined || removed === undefined) return unknown
    makeList(args.length, machine.effort)
    return self.splice(start, removed, ...args.slice(2))
  },
  toSpliced(self, args, machine) {
    const copy = copied(self, machine)
    methods['splice']?.(copy, args, machine)
    return copy
  },
  slice: (self, args, machine) => copied(self, machine).slice(count(args[0]), count(args[1])),
  concat(self, args, machine) {
    const all = [self, ...args.map((arg): Value[] => (Array.isArray(arg) ? arg : [arg]))].flat() as Value[]
    makeList(all.length, machine.effort)
    return all
  },
  join: (self, args, machine) => joined(self, args.length === 0 ? ',' : args[0], machine),
  toString: (self: Value[], _: readonly Value[], machine: Machine) => joined(self, ',', machine),
  reverse: (self) => self.reverse(),
  toReversed: (self, _, machine) => copied(self, machine).reverse(),
  sort: (self, [by], machine) => refill(self, sorted(self, by, machine)),
  toSorted: (self, [by], machine) => sorted(self, by, machine),
  map: (self, args, machine) => each(self, args, machine),
  forEach(self, args, machine) {
    each(self, args, machine)
    return undefined
  },
  filter(self, args, machine) {
    const results = each(self, args, machine)
    return self.filter((_, at) => truthOf(results[at]) !== false)
  },
  flatMap: (self, args, machine) => flat(each(self, args, machine), 1, machine),
  flat: (self, [depth = 1], machine) => flat(self, Math.min(count(depth) ?? 1, deepestFlat), machine),
  some: (self, args, machine) => each(self, args, machine).some((is) => truthOf(is) !== false),
  every: (self, args, machine) => each(self, args, machine).every((is) => truthOf(is) !== false),
  find(self, args, machine) {
    const results = each(self, args, machine)
    const at = results.findIndex((is) => truthOf(is) !== false)
    const picked =
      results[at] === unknown
        ? machine.favourite(self.filter((_, index) => results[index] === unknown))
        : unknown
    return picked === unknown ? self[at] : picked
  },
  findIndex: (self, args, machine) => each(self, args, machine).findIndex((is) => truthOf(is) !== false),
  indexOf: (self, [item, from]) => (item === unknown ? unknown : self.indexOf(item, count(from))),
  lastIndexOf: (self, [item]) => (item === unknown ? unknown : self.lastIndexOf(item)),
  includes: (self, [item, from]) => (item === unknown ? unknown : self.includes(item, count(from))),
  at: (self, [at = 0]) => (typeof at === 'number' ? self.at(at) : unknown),
  with(self, [at, item], machine) {
    const copy = copied(self, machine)
    if (typeof at === 'number' && at >= -self.length && at < self.length)
      copy[at < 0 ? at + self.length : at] = item
    return copy
  },
  fill(self, [item, from, to]) {
    return self.fill(item, count(from), count(to))
  },
  keys: (self, _, machine) => iteratorOf(copied(self, machine).map((_, at) => at)),
  values: (self, _, machine) => iteratorOf(copied(self, machine)),
  entries(self, _, machine) {
    makeList(self.length * 4, machine.effort)
    return iteratorOf(self.map((item, at): Value => [at, item]))
  },
  '@@iterator': (self, _, machine) => iteratorOf(copied(self, machine)),
  reduce: (self, args, machine) => reduced(self, args, machine),
  reduceRight: (self, args, machine) => reduced(copied(self, machine).reverse(), args, machine),
}

/** The same of typed arrays, and what makes a text of bytes. */
export function bytesMethod(self: Bytes, name: string, args: readonly Value[], machine: Machine): Result {
  const { effort } = machine
  const [first, second] = args
  pay(effort, 2 + self.length / 4)
  switch (name) {
    case 'toString':
    case 'decode': {
      makeText(self.byteLength * 2, effort)
      const encoding = first ?? 'utf8'
      if (typeof encoding !== 'string' || !Buffer.isEncoding(encoding)) return { value: unknown }
      return { value: Buffer.from(self.buffer, self.byteOffset, self.byteLength).toString(encoding) }
    }
    case 'set': {
      const items = isBytes(first) ? [...first] : machine.iterate(first)
      const offset = typeof second === 'number' ? second : 0
      pay(effort, items?.length ?? 1)
      for (const [at, item] of (items ?? []).entries()) if (typeof item === 'number') self[offset + at] = item
      return { value: undefined }
    }
    case 'slice':
    case 'subarray':
      makeList(self.length, effort)
      return { value: self.slice(count(first), count(second)) as Bytes }
    case 'fill':
      if (typeof first === 'number') self.fill(first)
      return { value: self }
    case 'map': {
      const items = each([...self], args, machine)
      if (!items.every((item) => typeof item === 'number')) return { value: unknown }
      makeList(self.length, effort)
      const made = self.slice()
      for (const [at, item] of items.entries()) made[at] = item as number
      return { value: made as Bytes }
    }
    case 'reverse':
      return { value: self.reverse() }
    default:
      makeList(self.length, effort)
      return listMethod([...self], name, args, machine)
  }
}
