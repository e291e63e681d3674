import { makeList } from '../../script/evaluate/value.ts'
import type { Host } from './host.ts'
import { derive } from './patterns.ts'
import {
  absent,
  createThing,
  entriesOf,
  entriesOfCollection,
  isClosure,
  isGetter,
  isList,
  isSame,
  isThing,
  type Thing,
  type Value,
} from './values.ts'

/** Calls a function of `Object`, or of `Reflect`. */
export function objectCall(member: string, args: readonly Value[], host: Host): Value {
  const [first, second, third] = args
  const entries = entriesOf(first)
  makeList(1 + (entries?.length ?? 0), host.effort)
  switch (member) {
    case 'keys':
    case 'getOwnPropertyNames':
    case 'ownKeys':
      return entries?.map(([key]) => key)
    case 'values':
      return entries?.map(([key]) => host.get(first, key))
    case 'entries':
      return entries?.map(([key]) => [key, host.get(first, key)])
    case 'fromEntries':
      return isList(first) ? fromEntries(first) : undefined
    case 'assign':
      for (const source of args.slice(1))
        for (const [key] of entriesOf(source) ?? []) host.put(first, key, host.get(source, key))
      return first
    case 'freeze':
    case 'seal':
    case 'preventExtensions':
      return first
    case 'create': {
      const made = createThing(first)
      for (const [key, descriptor] of entriesOf(second) ?? []) define(made, key, descriptor, host)
      return made
    }
    case 'setPrototypeOf':
      if (isThing(first)) first.prototype = second
      else if (isClosure(first)) first.base = second
      else if (first instanceof RegExp) derive(first, second)
      return first
    case 'getPrototypeOf':
      return isThing(first) ? first.prototype : isClosure(first) ? first.base : undefined
    case 'defineProperty':
      define(first, second, third, host)
      return first
    case 'defineProperties':
      for (const [key, descriptor] of entriesOf(second) ?? []) define(first, key, descriptor, host)
      return first
    case 'getOwnPropertyDescriptor':
      return entries === undefined || typeof second !== 'string'
        ? undefined
        : descriptorOf(entries.find(([key]) => key === second))
    case 'getOwnPropertyDescriptors': {
      const made = createThing()
      for (const entry of entries ?? []) made.fields.set(entry[0], descriptorOf(entry))
      return entries === undefined ? undefined : made
    }
    case 'getOwnPropertySymbols':
      return entries === undefined ? undefined : []
    case 'get':
      return typeof second === 'string' ? host.get(first, second) : undefined
    case 'set':
      if (typeof second === 'string') host.put(first, second, third)
      return true
    case 'has':
    case 'hasOwn':
      return entries?.some(([key]) => key === second)
    case 'apply':
      return isList(third) ? host.call(first, second, third) : undefined
    case 'construct': {
      const made = isList(second) ? host.construct(first, second) : undefined
      // A class that old code derives makes its objects by the class it is derived from.
      if (isThing(made) && isClosure(third)) made.prototype = host.get(third, 'prototype')
      return made
    }
    case 'is':
      return isSame(first, second)
    default:
      return undefined
  }
}

function fromEntries(entries: readonly Value[]): Thing {
  const made = createThing()
  for (const entry of entries)
    if (isList(entry) && typeof entry[0] === 'string') made.fields.set(entry[0], entry[1])
  return made
}

function define(of: Value, key: Value, descriptor: Value, host: Host): void {
  if (!isThing(descriptor) || (typeof key !== 'string' && typeof key !== 'number')) return
  const get = descriptor.fields.get('get')
  // A descriptor is not what its functions are methods of.
  for (const method of descriptor.fields.values()) if (isClosure(method)) method.home = null
  const set = descriptor.fields.get('set')
  if (isClosure(get) || isClosure(set))
    host.put(of, String(key), {
      kind: 'getter',
      get: isClosure(get) ? get : null,
      set: isClosure(set) ? set : null,
    })
  else if (descriptor.fields.has('value')) host.put(of, String(key), descriptor.fields.get('value'))
}

/** Describes a property as `defineProperty` takes it. */
function descriptorOf(entry: readonly [string, Value] | undefined): Value {
  if (entry === undefined) return absent
  const [, value] = entry
  const made = createThing()
  if (isGetter(value)) made.fields.set('get', value.get ?? absent).set('set', value.set ?? absent)
  else made.fields.set('value', value).set('writable', true)
  made.fields.set('enumerable', true).set('configurable', true)
  return made
}

/** Calls a method of a `Map` or a `Set`; `undefined` for any other object. */
export function mapCall(self: Thing, name: string, args: readonly Value[], host: Host): Value {
  const entries = entriesOfCollection(self)
  if (entries === undefined) return undefined
  const [key, value] = args
  makeList(entries.size, host.effort)
  switch (name) {
    case 'get':
      return entries.has(key) ? entries.get(key) : absent
    case 'has':
      return entries.has(key)
    case 'set':
    case 'add':
      if (key !== undefined) entries.set(key, name === 'set' ? value : key)
      return self
    case 'delete':
      return entries.delete(key)
    case 'clear':
      entries.clear()
      return absent
    case 'values':
      return [...entries.values()]
    case 'keys':
      return [...entries.keys()]
    case 'entries':
      return [...entries].map(([one, other]) => [one, other])
    case 'forEach':
      for (const [one, other] of [...entries]) host.call(key, absent, [other, one])
      return absent
    default:
      return undefined
  }
}
