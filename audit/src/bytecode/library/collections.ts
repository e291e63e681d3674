import { makeList } from '../../script/evaluate/value.ts'
import { joinTexts, textOf } from '../text.ts'
import { createInstance, type Instance, isArray, isInstance, type Value } from '../value.ts'
import { propertiesIn } from './buffers.ts'
import { type Call, collection, type Host, itemsOf, joined, listType, variadic } from './call.ts'
import { ofFunctions } from './functions.ts'
import { unboxed } from './numbers.ts'
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
    case 'offerLast':
      if (types.length === 2 && typeof first === 'number') items.splice(first, 0, second)
      else items.push(first)
      if (isOrdered.test(self.type)) items.sort(inOrder)
      return 1
    case 'clear':
      items.length = 0
      return undefined
    case 'contains':
      return Number(items.includes(first))
    case 'indexOf':
      return items.indexOf(first)
    case 'subList':
      return typeof first === 'number' && typeof second === 'number'
        ? collection(listType, items.slice(first, second), host.effort)
        : undefined
    case 'forEach':
      for (const item of [...items]) host.call(first, 'accept', [item])
      return undefined
    case 'sort':
      items.splice(0, items.length, ...sortedBy(items, first, host))
      return undefined
    case 'removeIf':
      self.items = items.filter((item) => host.call(first, 'test', [item]) !== 1)
      return 1
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
    case 'nextInt':
    case 'nextChar':
      return unboxed(items.shift())
    case 'remove': {
      if (types.length === 0) return items.shift()
      const at = types[0] === 'I' && typeof first === 'number' ? first : items.indexOf(first)
      const [removed] = at < 0 ? [] : items.splice(at, 1)
      return types[0] === 'I' ? removed : Number(removed !== undefined)
    }
    case 'toArray':
      return { element: 'Ljava/lang/Object;', items: [...items] }
    default:
      return atEnds(call, self, items)
  }
}

/** Calls of queues and stacks. */
function atEnds({ name, args }: Call, self: Instance, items: Value[]): Value {
  const [, first] = args
  switch (name) {
    case 'push':
    case 'addFirst':
    case 'offerFirst':
      // A stack grows at its end, and a queue that is used as one at its beginning.
      if (isStack(self)) items.push(first)
      else items.unshift(first)
      return first
    case 'pop':
    case 'peek':
    case 'element': {
      const at = isStack(self) ? items.length - 1 : 0
      return name === 'pop' ? items.splice(at, 1)[0] : items[at]
    }
    case 'getFirst':
    case 'peekFirst':
      return items[0]
    case 'getLast':
    case 'peekLast':
      return items.at(-1)
    case 'removeLast':
    case 'pollLast':
      return items.pop()
    case 'next':
    case 'removeFirst':
    case 'poll':
    case 'pollFirst':
      return items.shift()
    default:
      return undefined
  }
}

/** Collections that keep their items in order. */
const isOrdered = /(?:TreeSet|PriorityQueue)$/

function isStack({ type }: Instance): boolean {
  return type.endsWith('Stack')
}

export function ofArrays(call: Call): Value {
  const { name, args, host } = call
  const [first] = args
  switch (name) {
    case 'unmodifiableMap':
    case 'synchronizedMap':
    case 'synchronizedList':
    case 'unmodifiableCollection':
      return first
    case 'reverseOrder':
      return ofFunctions(call)
    case 'addAll': {
      const added = itemsOf(args[1]) ?? []
      makeList(added.length, host.effort)
      if (isInstance(first)) first.items?.push(...added)
      return 1
    }
    case 'fill':
      if (isArray(first) && args.length === 2) first.items.fill(args[1])
      return undefined
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
    if (collector.text === 'list') return collection(listType, items, host.effort)
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
    case 'flatMap':
      return listed(items.flatMap((item) => itemsOf(apply('apply', item)) ?? [undefined]))
    case 'findFirst':
      return collection('java/util/Optional', [items[0] ?? null], host.effort)
    case 'iterator':
      return collection(iteratorType, items, host.effort)
    case 'mapToInt':
      return listed(items.map((item) => apply('applyAsInt', item)))
    case 'toArray':
      return { element: 'Ljava/lang/Object;', items: [...items] }
    case 'distinct':
      return listed([...new Set(items)])
    case 'parallel':
    case 'unordered':
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
      if (combine === undefined && items.length > 0)
        return collection(
          'java/util/Optional',
          [items.reduce((total, item) => host.call(seed, 'apply', [total, item]))],
          host.effort,
        )
      return items.reduce<Value>((total, item) => host.call(combine, 'apply', [total, item]), seed)
    }
    default:
      return undefined
  }
}

const collectorType = 'java/util/stream/Collector'

export function ofCollectors({ name, args, host }: Call): Value {
  const isList = /^to(?:Unmodifiable)?List$/.test(name)
  if (name !== 'joining' && !isList) return undefined
  const made = collection(collectorType, args, host.effort)
  made.text = isList ? 'list' : undefined
  return made
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

export function ofMap(call: Call): Value {
  const { name, types, args, host } = call
  const [self, key, value] = args
  if (name === 'of' && types.length === args.length) {
    const map = createInstance('java/util/HashMap')
    map.entries = new Map()
    for (let at = 0; at + 1 < args.length; at += 2) map.entries.set(args[at], args[at + 1])
    return map
  }
  if (name === 'entry') return collection(entryType, args, host.effort)
  if (name === 'ofEntries') {
    const map = createInstance('java/util/HashMap')
    const pairs = variadic(call).map((pair) => itemsOf(pair) ?? [])
    map.entries = new Map(pairs.map(([one, other]) => [one, other]))
    return map
  }
  if (!isInstance(self)) return undefined
  if (name === '<init>') {
    self.entries = new Map(isInstance(key) ? key.entries : [])
    return undefined
  }
  makeList(1, host.effort)
  if (name === 'put' || name === 'setProperty') self.entries?.set(key, value)
  if (name === 'putIfAbsent' && self.entries?.has(key) === false) self.entries.set(key, value)
  if (name === 'putAll' && isInstance(key))
    for (const [one, other] of key.entries ?? []) self.entries?.set(one, other)
  if (name === 'load' && isInstance(key))
    for (const [one, other] of propertiesIn(key.text ?? '')) self.entries?.set(one, other)
  if (name === 'forEach' && self.entries !== undefined)
    for (const one of keysInOrder(self.type, self.entries, host))
      host.call(key, 'accept', [one, self.entries.get(one)])
  if (name === 'keySet' && self.entries !== undefined)
    return collection(listType, keysInOrder(self.type, self.entries, host), host.effort)
  if (name === 'size') return self.entries?.size
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
  return /(?:Tree|Enum)Map$/.test(type) ? sortedBy([...entries.keys()], null, host) : [...entries.keys()]
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

export function ofEntry(call: Call): Value {
  const { name, args } = call
  if (name.startsWith('comparing')) return ofFunctions(call)
  const [key, value] = itemsOf(args[0]) ?? []
  return name === 'getKey' ? key : name === 'getValue' ? value : undefined
}
