import { pay } from '../../model/effort.ts'
import { makeList, makeText } from '../../script/evaluate/value.ts'
import type { Host } from './host.ts'
import { patternFrom } from './patterns.ts'
import { textOf } from './text.ts'
import {
  absent,
  createThing,
  entriesOf,
  entriesOfCollection,
  isClosure,
  isList,
  isNative,
  isThing,
  itemsOf,
  native,
  type Thing,
  type Value,
} from './values.ts'

const longest = 4096
const mostBytes = 65_536

/** Makes an object of a class of the platform; `undefined` of any other. */
export function constructedOfPlatform(name: string, args: readonly Value[], host: Host): Value {
  const [first, second] = args
  switch (name) {
    case 'RegExp':
      return patternFrom(first, second)
    case 'Proxy':
      return proxyOf(first, second)
    case 'Error':
    case 'TypeError':
    case 'RangeError': {
      const made = createThing()
      made.fields.set('message', first)
      return made
    }
    case 'URLSearchParams':
      return queryOf(first, host)
    case 'URL':
      return addressOf(first, host)
    case 'ArrayBuffer':
      if (typeof first !== 'number' || !(first >= 0 && first <= mostBytes)) return undefined
      makeList(first, host.effort)
      return new Uint8Array(first)
    case 'DataView': {
      if (!(first instanceof Uint8Array)) return undefined
      const made = createThing(native('DataView'))
      made.fields.set('buffer', first)
      return made
    }
    default:
      return undefined
  }
}

/** A proxy of a function is a function that asks its handler. */
function proxyOf(target: Value, handler: Value): Value {
  if (!isThing(handler)) return target
  if (isThing(target)) return { ...createThing(target), handler }
  return isClosure(target) && isClosure(handler.fields.get('apply'))
    ? { ...native('.apply trap', handler), bound: [target] }
    : target
}

/** Calls the function that a proxy has in the place of its target. */
export function callOfProxy(handler: Value, target: Value, args: readonly Value[], host: Host): Value {
  return isThing(handler)
    ? host.call(handler.fields.get('apply'), handler, [target, absent, [...args]])
    : undefined
}

function addressOf(given: Value, host: Host): Value {
  if (typeof given !== 'string' || given.length > longest) return undefined
  makeText(given.length * 4, host.effort)
  const address = URL.parse(given)
  if (address === null) return undefined
  const made = createThing()
  for (const part of ['href', 'host', 'hostname', 'pathname', 'search', 'hash', 'username'] as const)
    made.fields.set(part, address[part])
  made.fields.set('searchParams', queryOf(address.search, host))
  return made
}

/** Makes the parameters of a query: pairs that are in a list. */
function queryOf(given: Value, host: Host): Value {
  const made = createThing(native('URLSearchParams'))
  const pairs: Value[] = []
  made.fields.set('pairs', pairs)
  if (typeof given === 'string') {
    if (given.length > longest) return undefined
    makeText(given.length * 4, host.effort)
    for (const [name, value] of new URLSearchParams(given)) pairs.push([name, value])
    return made
  }
  const entries = isList(given) ? given : (entriesOf(given) ?? [])
  for (const entry of entries) {
    makeList(2, host.effort)
    if (isList(entry as Value)) pairs.push([...(entry as Value[])])
  }
  return made
}

/** Calls a method of an object of the platform; `undefined` of any other. */
export function callOfPlatform(self: Thing, name: string, args: readonly Value[], host: Host): Value {
  const { prototype } = self
  if (!isNative(prototype)) return undefined
  if (prototype.path === 'DataView') return viewCall(self, name, args)
  return prototype.path === 'URLSearchParams' ? queryCall(self, name, args, host) : undefined
}

function queryCall(self: Thing, name: string, args: readonly Value[], host: Host): Value {
  const pairs = self.fields.get('pairs')
  if (!isList(pairs)) return undefined
  pay(host.effort, 4 + pairs.length)
  const [first, second] = args
  const all = pairs.filter(isList)
  const own = all.filter(([one]) => one === first).map(([, value]) => value)
  switch (name) {
    case 'get':
      return own.length === 0 ? null : own[0]
    case 'getAll':
      return own
    case 'has':
      return own.length > 0
    case 'append':
    case 'set':
      makeList(2, host.effort)
      pairs.push([first, textOf(second, host.effort)])
      return absent
    case 'keys':
      return all.map(([one]) => one)
    case 'values':
      return all.map(([, value]) => value)
    case 'entries':
      return all
    case 'forEach':
      for (const [one, value] of all) host.call(first, absent, [value, one])
      return absent
    default:
      return undefined
  }
}

const numbers = /^(get|set)(Uint|Int)(8|16|32)$/

function viewCall(self: Thing, name: string, [at, value, isLittle]: readonly Value[]): Value {
  const bytes = self.fields.get('buffer')
  const [, verb, kind, bits] = numbers.exec(name) ?? []
  if (!(bytes instanceof Uint8Array) || verb === undefined || typeof at !== 'number') return undefined
  const size = Number(bits) / 8
  if (at < 0 || at + size > bytes.length) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const number = `${kind}${bits}` as 'Uint32'
  if (verb === 'get') return view[`get${number}`](at, value === true)
  if (typeof value === 'number') view[`set${number}`](at, value, isLittle === true)
  return absent
}

/** Gives what a loop over a value takes; `undefined` where that is not known. */
export function iterated(value: Value, host: Host): readonly Value[] | undefined {
  if (!isThing(value)) return itemsOf(value)
  const { prototype } = value
  makeList((entriesOfCollection(value)?.size ?? value.fields.size) * 2, host.effort)
  if (isNative(prototype)) {
    const entries = entriesOfCollection(value)
    if (entries !== undefined && prototype.path === 'Set') return [...entries.values()]
    if (entries !== undefined) return [...entries].map(([key, item]): Value => [key, item])
    const pairs = value.fields.get('pairs')
    if (prototype.path === 'URLSearchParams' && isList(pairs)) return pairs
  }
  const own = host.get(value, iteratorName)
  if (!isClosure(own)) return undefined
  const made = host.call(own, value, [])
  return made === value ? undefined : itemsOf(made)
}

const iteratorName = '@@iterator'

const deepest = 40

/** Reads a text as JSON. */
export function fromJson(written: string, host: Host): Value {
  makeText(written.length * 8, host.effort)
  try {
    return plainOf(JSON.parse(written), 0)
  } catch {
    return undefined
  }
}

function plainOf(value: unknown, depth: number): Value {
  if (depth > deepest) return undefined
  if (Array.isArray(value)) return value.map((item: unknown) => plainOf(item, depth + 1))
  if (typeof value !== 'object' || value === null) return value as Value
  const made = createThing()
  for (const [name, item] of Object.entries(value)) made.fields.set(name, plainOf(item, depth + 1))
  return made
}

/** Hands each value to a function, those within others first, and takes what it gives. */
export function revived(holder: Value, name: string, reviver: Value, host: Host): Value {
  const value = host.get(holder, name)
  for (const [inner] of isThing(value) || isList(value) ? (entriesOf(value) ?? []) : [])
    host.put(value, inner, revived(value, inner, reviver, host))
  return host.call(reviver, holder, [name, value])
}

/** Gives the text or the number that an object is in a sum. */
export function primitiveOf(value: Value, host: Host): Value {
  if (!isThing(value)) return value
  for (const name of ['@@toPrimitive', 'valueOf', 'toString']) {
    const method = host.get(value, name)
    if (!isClosure(method)) continue
    const made = host.call(method, value, ['default'])
    if (!isThing(made)) return made
  }
  return value
}
