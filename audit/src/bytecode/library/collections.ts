import { makeList } from '../../script/evaluate/value.ts'
import { joinTexts, textOf } from '../text.ts'
import { createInstance, isArray, isInstance, type Value } from '../value.ts'
import { type Call, collection, type Host, itemsOf, joined, listType, variadic } from './call.ts'
import { inOrder, rangeOf } from './platform.ts'

const iteratorType = 'java/util/Iterator'

export function ofCollection(call: Call): Value {
  const { name, types, args, host } = call
  const [self, first, second] = args
  if (name === 'of' || name === 'copyOf') return collection(listType, variadic(call), host.effort)
  if (!isInstance(self)) return undefined
  if (name === '<init>') {
    self.items = types[0] === undefined || types[0] === 'I' ? [] : [...(itemsOf(first) ?? [])]
    return undefined
  }
  const items = self.items
  if (items === undefined) return undefined
  makeList(1, host.effort)
  switch (name) {
    case 'add':
    case 'addLast':
    case 'offer':
    case 'push':
      if (types.length === 2 && typeof first === 'number') items.splice(first, 0, second)
      else items.push(first)
      return 1
    case 'addFirst':
      items.unshift(first)
      return undefined
    case 'addAll':
      makeList(items.length, host.effort)
      items.push(...(itemsOf(first) ?? []))
      return 1
    case 'get':
      return typeof first === 'number' ? items[first] : undefined
    case 'set':
      if (typeof first === 'number' && first < items.length) items[first] = second
      return undefined
    case 'size':
      return items.length
    case 'isEmpty':
      return Number(items.length === 0)
    case 'iterator':
    case 'listIterator':
      return collection(iteratorType, items, host.effort)
    case 'stream':
      return collection(streamType, items, host.effort)
    case 'hasNext':
      return Number(items.length > 0)
    case 'next':
    case 'removeFirst':
    case 'poll':
    case 'remove':
      return items.shift()
    case 'toArray':
      return { element: 'Ljava/lang/Object;', items: [...items] }
    default:
      return undefined
  }
}

export function ofArrays(call: Call): Value {
  const { name, args, host } = call
  const [first] = args
  switch (name) {
    case 'asList':
    case 'singletonList':
    case 'unmodifiableList':
      return collection(listType, variadic(call), host.effort)
    case 'emptyList':
      return collection(listType, [], host.effort)
    case 'stream':
      return collection(streamType, itemsOf(first) ?? [], host.effort)
    case 'reverse': {
      if (isInstance(first)) first.items?.reverse()
      return undefined
    }
    case 'sort': {
      const [, comparator] = args
      const { items } = isArray(first) || isInstance(first) ? first : {}
      items?.splice(0, items.length, ...sortedBy(items, comparator, host))
      return undefined
    }
    case 'copyOf':
    case 'copyOfRange': {
      const [, from, to] = args
      if (!isArray(first) || typeof from !== 'number') return undefined
      makeList(first.items.length, host.effort)
      const [start, end] = name === 'copyOf' ? [0, from] : [from, typeof to === 'number' ? to : undefined]
      const copied = first.items.slice(start, end)
      const missing = Math.max(0, (end ?? 0) - start - copied.length)
      makeList(missing, host.effort)
      const empty = first.element.length > 1 ? null : 0
      return { element: first.element, items: [...copied, ...new Array<Value>(missing).fill(empty)] }
    }
    default:
      return undefined
  }
}

const streamType = 'java/util/stream/Stream'

export function ofStream(call: Call): Value {
  const { name, args, host } = call
  if (name === 'of') return collection(streamType, variadic(call), host.effort)
  const [self, collector] = args
  if (name === 'range' || name === 'rangeClosed') {
    const numbers = rangeOf(self, collector, name === 'rangeClosed', host)
    return numbers === undefined ? undefined : collection(streamType, numbers, host.effort)
  }
  const items = itemsOf(self)
  if (items === undefined) return undefined
  if (name === 'collect' && isInstance(collector) && collector.type === collectorType) {
    const [separator = '', before = '', after = ''] = collector.items ?? []
    const inner = joined(items, textOf(separator), host.effort)
    return joinTexts([textOf(before), inner, textOf(after)], '', host.effort)
  }
  const listed = (list: readonly Value[]) => collection(streamType, list, host.effort)
  const apply = (method: string, ...given: Value[]) => host.call(collector, method, given)
  switch (name) {
    case 'toList':
      return collection(listType, items, host.effort)
    case 'map':
    case 'mapToObj':
      return listed(items.map((item) => apply('apply', item)))
    case 'filter':
      return listed(items.filter((item) => apply('test', item) === 1))
    case 'boxed':
    case 'sequential':
      return listed(items)
    case 'sorted':
      return listed(sortedBy(items, collector, host))
    case 'limit':
      return typeof collector === 'number' ? listed(items.slice(0, collector)) : undefined
    case 'skip':
      return typeof collector === 'number' ? listed(items.slice(collector)) : undefined
    case 'forEach':
    case 'forEachOrdered':
      for (const item of items) apply('accept', item)
      return undefined
    case 'reduce': {
      const [, seed, combine] = args
      return items.reduce<Value>((total, item) => host.call(combine, 'apply', [total, item]), seed)
    }
    default:
      return undefined
  }
}

const collectorType = 'java/util/stream/Collector'

export function ofCollectors({ name, args, host }: Call): Value {
  return name === 'joining' ? collection(collectorType, args, host.effort) : undefined
}

export function ofJoiner({ name, types, args, host }: Call): Value {
  const [self, first] = args
  if (!isInstance(self)) return undefined
  if (name === '<init>') {
    self.items = []
    for (const [index, part] of ofJoined.entries())
      self.fields.set(part, index === 0 || types.length > 1 ? args[index + 1] : '')
    return undefined
  }
  if (name === 'add') {
    makeList(1, host.effort)
    self.items?.push(first)
    return self
  }
  if (name !== 'toString') return undefined
  const [separator, before, after] = ofJoined.map((part) => textOf(self.fields.get(part)))
  return joinTexts([before, joined(self.items, separator, host.effort), after], '', host.effort)
}

const ofJoined = ['separator', 'before', 'after']

/** Sorts items by a comparator of the program, or by their natural order where there is none. */
export function sortedBy(items: readonly Value[], comparator: Value, host: Host): Value[] {
  const compare = (one: Value, other: Value) => {
    if (!isInstance(comparator)) return inOrder(one, other)
    const result = host.call(comparator, 'compare', [one, other])
    return typeof result === 'number' ? result : 0
  }
  return [...items].sort(compare)
}

export function ofMap({ name, types, args, host }: Call): Value {
  const [self, key, value] = args
  if (name === 'of' && types.length === args.length) {
    const map = createInstance('java/util/HashMap')
    map.entries = new Map()
    for (let at = 0; at + 1 < args.length; at += 2) map.entries.set(args[at], args[at + 1])
    return map
  }
  if (!isInstance(self)) return undefined
  if (name === '<init>') {
    self.entries = new Map()
    return undefined
  }
  makeList(1, host.effort)
  if (name === 'put' || name === 'setProperty') self.entries?.set(key, value)
  if (name === 'get' || name === 'getOrDefault' || name === 'getProperty')
    return self.entries?.get(key) ?? value
  if (name === 'entrySet' || name === 'entries')
    return self.entries === undefined ? undefined : entriesOf(self.type, self.entries, host)
  if (name === 'containsKey') return self.entries === undefined ? undefined : Number(self.entries.has(key))
  return name === 'values' && self.entries !== undefined
    ? collection(listType, valuesInOrder(self.type, self.entries, host), host.effort)
    : undefined
}

type Entries = ReadonlyMap<Value, Value>

function keysInOrder(type: string, entries: Entries, host: Host): Value[] {
  return type.endsWith('TreeMap') ? sortedBy([...entries.keys()], null, host) : [...entries.keys()]
}

function valuesInOrder(type: string, entries: Entries, host: Host): Value[] {
  return keysInOrder(type, entries, host).map((key) => entries.get(key))
}

const entryType = 'java/util/Map$Entry'

function entriesOf(type: string, entries: Entries, host: Host): Value {
  const all = keysInOrder(type, entries, host).map((key) =>
    collection(entryType, [key, entries.get(key)], host.effort),
  )
  return collection(listType, all, host.effort)
}

export function ofEntry({ name, args }: Call): Value {
  const [key, value] = itemsOf(args[0]) ?? []
  return name === 'getKey' ? key : name === 'getValue' ? value : undefined
}
