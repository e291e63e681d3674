import { pay } from '../../../model/effort.ts'
import { makeList } from '../../evaluate/value.ts'
import type { Machine } from '../machine.ts'
import {
  functionOf,
  iteratorOf,
  objectOf,
  resultOfIterator,
  type Thing,
  unknown,
  type Value,
} from '../values.ts'

import { hasOwn } from './types.ts'

type Result = { readonly value: Value } | null

/** Calls a method of a map, a set or an iterator. */
export function mapMethod(self: Thing, name: string, args: readonly Value[], machine: Machine): Result {
  const [first, second] = args
  if (self.kind === 'iterator') return iteratorMethod(self, name, args, machine)
  const { entries } = self
  if (entries === null) return null
  pay(machine.effort, 2, 16)
  if (/^(?:keys|values|entries|forEach)$/.test(name)) makeList(entries.size * 4, machine.effort)
  switch (name) {
    case 'set':
      entries.set(first, second)
      return { value: self }
    case 'add':
      entries.set(first, first)
      return { value: self }
    case 'get':
      return { value: first === unknown ? machine.favourite(entries.values()) : entries.get(first) }
    case 'has':
      return { value: first === unknown ? unknown : entries.has(first) }
    case 'delete':
      return { value: entries.delete(first) }
    case 'clear':
      entries.clear()
      return { value: undefined }
    case 'keys':
      return { value: iteratorOf([...entries.keys()]) }
    case 'values':
      return { value: iteratorOf([...entries.values()]) }
    case '@@iterator':
      return { value: iteratorOf([...(machine.iterate(self) ?? [])]) }
    case 'entries':
      return { value: iteratorOf([...entries].map(([key, value]): Value => [key, value])) }
    case 'forEach':
      for (const [key, value] of [...entries]) machine.call(first, undefined, [value, key, self])
      return { value: undefined }
    default:
      return null
  }
}

function iteratorMethod(self: Thing, name: string, args: readonly Value[], machine: Machine): Result {
  if (name === 'next') {
    const done = self.next >= self.items.length
    const value = done ? self.fields.get(resultOfIterator) : self.items[self.next]
    self.next += 1
    if (done) self.fields.delete(resultOfIterator)
    return { value: objectOf({ value, done }) }
  }
  if (name === 'return' || name === '@@iterator' || name === '@@asyncIterator') return { value: self }
  if (!/^(?:map|filter|reduce|toArray|forEach|take|drop|flatMap|some|every|find)$/.test(name)) return null
  const rest = [...(machine.iterate(self) ?? [])]
  if (name === 'toArray') return { value: rest }
  const [count] = args
  if (name === 'take' || name === 'drop')
    return typeof count === 'number'
      ? { value: iteratorOf(name === 'take' ? rest.slice(0, count) : rest.slice(count)) }
      : null
  const result = machine.call(machine.member(rest, name), rest, args)
  return { value: Array.isArray(result) ? iteratorOf(result) : result }
}

/** Calls a method that each object and each function has. */
export function callMethod(self: Thing, name: string, args: readonly Value[], machine: Machine): Result {
  const [first, second] = args
  if (name === 'hasOwnProperty' || name === 'propertyIsEnumerable')
    return { value: hasOwn(self, machine.textOf(first)) }
  if (self.call === null) return null
  switch (name) {
    case 'call':
      return { value: machine.call(self, first, args.slice(1)) }
    case 'apply':
      return { value: machine.call(self, first, machine.iterate(second) ?? []) }
    case 'bind': {
      const given = args.slice(1)
      const bound = functionOf((_, more) => machine.call(self, first, [...given, ...more]))
      if (self.arity !== null) bound.arity = Math.max(0, self.arity - given.length)
      return { value: bound }
    }
    case 'toString': {
      const type = machine.library.typeOf(self)
      // The source of a script's own function is of no other interest than that it is none of the language's.
      return { value: `function ${type ?? ''}() { ${self.isNative ? '[native code]' : ''} }` }
    }
    default:
      return null
  }
}
