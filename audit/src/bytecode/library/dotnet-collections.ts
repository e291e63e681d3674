import { makeList } from '../../script/evaluate/value.ts'
import { textAs } from '../text.ts'
import { delegateOf, type Instance, isArray, isInstance, type Value } from '../value.ts'
import { type Call, collection, type Host, itemsOf } from './call.ts'
import { inOrder, ofBytesOut, ofSystem } from './platform.ts'
import { codesOf } from './strings.ts'

export const character = 'C'

/** Copies bytes or items, from a place of each array or from their beginnings. */
export function ofCopy(call: Call): Value {
  const { name, args } = call
  if (name !== 'BlockCopy' && name !== 'Copy') return undefined
  const [source, target, count] = args
  return ofSystem({
    ...call,
    name: 'arraycopy',
    args: args.length === 3 ? [source, 0, target, 0, count] : args,
  })
}

const streamMethods: Readonly<Record<string, string>> = {
  '<init>': '<init>',
  Write: 'write',
  WriteByte: 'write',
  ToArray: 'toByteArray',
}

export function ofMemoryStream(call: Call): Value {
  const name = streamMethods[call.name]
  return name === undefined ? undefined : ofBytesOut({ ...call, name })
}

export const pairType = 'System/Collections/Generic/KeyValuePair`2'

/** Pairs and tuples, by the order of what they are made of. */
export function ofTuple({ name, args, host }: Call): Value {
  if (name === 'Create') return collection('System/Tuple', args, host.effort)
  const [self] = args
  if (!isInstance(self)) return undefined
  if (name === '<init>') {
    self.items = args.slice(1)
    // The parts of a tuple that is a structure are its fields.
    for (const [at, item] of self.items.entries()) self.fields.set(`${self.type}.Item${at + 1}`, item)
    return undefined
  }
  const [, place] = /^get_(?:Item(\d)|Key|Value)$/.exec(name) ?? []
  if (place !== undefined) return self.items?.[Number(place) - 1]
  return name === 'get_Key' ? self.items?.[0] : name === 'get_Value' ? self.items?.[1] : undefined
}

/** Compilers write it into the names of classes of their own. */
const markOfCompiler = /</
const mostEnumerated = 256
/** Names that compilers give to the field of an iterator's state, of its current item, and of an argument until it begins. */
const ofIterator = {
  state: /\.(?:\$PC|<>1__state)$/,
  current: /\.(?:\$current|<>2__current)$/,
  kept: /(?:<>3__|<\$>)/,
}

/** The items that a method with `yield` gives: the object that it makes is asked for one after the other. */
function yielded(iterator: Instance, host: Host): readonly Value[] | undefined {
  const { fields } = iterator
  for (const [key, value] of [...fields])
    if (ofIterator.kept.test(key)) fields.set(key.replace(ofIterator.kept, ''), value)
    else if (ofIterator.state.test(key)) fields.set(key, 0)
  // Mono's compiler asks whether the loop was left before.
  fields.set(`${iterator.type}.$disposing`, 0)
  const items: Value[] = []
  while (items.length < mostEnumerated && host.call(iterator, 'MoveNext', []) === 1) {
    const current = [...fields].find(([key]) => ofIterator.current.test(key))
    if (current === undefined) break
    makeList(1, host.effort)
    items.push(current[1])
  }
  return items.length === 0 ? undefined : items
}

/** Gives what is enumerated of a collection: the entries of a dictionary are pairs. */
function enumerated(value: Value, host: Host): readonly Value[] | undefined {
  if (isInstance(value) && value.items === undefined && markOfCompiler.test(value.type))
    return yielded(value, host)
  if (!isInstance(value) || value.entries === undefined || value.entries.size === 0) return itemsOf(value)
  return pairsIn(value).map((pair) => collection(pairType, pair, host.effort))
}

/** Lists the entries of a dictionary, which some of them keep in the order of their keys. */
function pairsIn({ type, entries }: Instance): (readonly [key: Value, value: Value])[] {
  const pairs = [...(entries ?? [])]
  return /\/Sorted/.test(type) ? pairs.sort(([one], [other]) => inOrder(one, other)) : pairs
}

export function ofArray(call: Call): Value {
  const { name, args, host } = call
  const [first, second] = args
  if (!isArray(first)) return undefined
  makeList(first.items.length, host.effort)
  switch (name) {
    case 'Reverse':
      first.items.reverse()
      return undefined
    case 'Copy':
      return ofCopy(call)
    case 'CopyTo':
      return ofCopy({ ...call, name: 'Copy', args: [first, 0, second, args[2], first.items.length] })
    case 'get_Length':
      return first.items.length
    case 'ConvertAll':
      return { element: 'A', items: first.items.map((item) => host.call(second, 'Invoke', [item])) }
    case 'GetValue':
      return typeof second === 'number' ? first.items[second] : undefined
    default:
      return undefined
  }
}

const listType = 'System/Collections/Generic/List`1'

/** Lists and other collections, and what enumerates them. */
export function ofList({ name, args, host }: Call): Value {
  const [self, first, second] = args
  if (!isInstance(self)) return undefined
  if (name === '<init>') {
    self.items = [...(itemsOf(first) ?? [])]
    self.entries = new Map()
    return undefined
  }
  const items = self.items ?? []
  makeList(items.length + 1, host.effort)
  switch (name) {
    case 'Push':
      items.unshift(first)
      return undefined
    case 'Peek':
      return items[0]
    case 'Contains':
      return Number(items.includes(first))
    case 'Clear':
      items.length = 0
      return undefined
    case 'RemoveAt':
      if (typeof first === 'number') items.splice(first, 1)
      return undefined
    case 'ContainsKey':
      return Number(self.entries?.has(first) === true)
    case 'Sort':
      if (args.length === 1) items.sort(inOrder)
      return undefined
    case 'Add':
    case 'Enqueue':
      if (args.length === 3) self.entries?.set(first, second)
      else items.push(first)
      return 1
    case 'AddRange':
      items.push(...(itemsOf(first) ?? []))
      return undefined
    case 'Insert':
      if (typeof first === 'number') items.splice(first, 0, second)
      return undefined
    case 'set_Item':
      if (self.entries !== undefined && typeof first !== 'number') self.entries.set(first, second)
      else if (typeof first === 'number') items[first] = second
      return undefined
    case 'get_Item':
      if (self.entries?.has(first) === true) return self.entries.get(first)
      return typeof first === 'number' ? items[first] : undefined
    case 'get_Values':
      return collection(
        listType,
        pairsIn(self).map(([, value]) => value),
        host.effort,
      )
    case 'get_Keys':
      return collection(
        listType,
        pairsIn(self).map(([key]) => key),
        host.effort,
      )
    case 'get_Count':
      return items.length
    case 'Reverse':
      items.reverse()
      return undefined
    case 'ToArray':
      return { element: 'A', items: [...items] }
    case 'GetEnumerator':
      return collection(
        'System/Collections/Generic/List`1/Enumerator',
        enumerated(self, host) ?? items,
        host.effort,
      )
    case 'MoveNext': {
      if (items.length === 0) return 0
      self.fields.set('current', items.shift())
      return 1
    }
    case 'get_Current':
      return self.fields.get('current')
    case 'Dequeue':
    case 'Pop':
      return items.shift()
    default:
      return undefined
  }
}

/** The type of what a collection holds, where it is characters: they are numbers here. */
const elementField = '$element'

/** Says whether a delegate returns characters. */
function makesCharacters(delegate: Instance): boolean {
  const method = delegate.fields.get(delegateOf.method)
  return typeof method === 'string' && method.endsWith(`)${character}`)
}

/** Gives the texts of the items of a collection. */
export function textsOf(value: Value, host: Host): Value[] | undefined {
  const isOfCharacters = isInstance(value) && value.fields.get(elementField) === character
  const items = isInstance(value) && value.items !== undefined ? value.items : enumerated(value, host)
  return items?.map((item) => (isOfCharacters ? textAs(item, character) : item))
}

/** Methods that extend whatever has items. */
export function ofEnumerable({ name, args, host }: Call): Value {
  const [source, second, third] = args
  const items = typeof source === 'string' ? codesOf(source, host.effort) : enumerated(source, host)
  if (items === undefined) return undefined
  makeList(items.length, host.effort)
  const call = (...given: Value[]) => host.call(second, 'Invoke', given)
  const listed = (list: readonly Value[]) => collection(listType, list, host.effort)
  switch (name) {
    case 'Select': {
      const selected = listed(items.map((item, index) => call(item, index)))
      if (isInstance(second) && makesCharacters(second)) selected.fields.set(elementField, character)
      return selected
    }
    case 'OrderBy':
    case 'OrderByDescending': {
      const keyed = items.map((item) => [call(item), item] as const)
      const sorted = keyed.sort(([one], [other]) => inOrder(one, other)).map(([, item]) => item)
      return listed(name === 'OrderBy' ? sorted : sorted.reverse())
    }
    case 'Where':
      return listed(items.filter((item) => call(item) === 1))
    case 'Reverse':
      return listed([...items].reverse())
    case 'Concat':
      return listed([...items, ...(itemsOf(second) ?? [])])
    case 'Skip':
      return typeof second === 'number' ? listed(items.slice(second)) : undefined
    case 'Take':
      return typeof second === 'number' ? listed(items.slice(0, second)) : undefined
    case 'Cast':
    case 'AsEnumerable':
    case 'ToList':
    case 'OfType':
      return listed(items)
    case 'ToArray':
      return { element: typeof source === 'string' ? character : 'A', items: [...items] }
    case 'Aggregate': {
      const isSeeded = args.length > 2
      const rest = isSeeded ? items : items.slice(1)
      let total = isSeeded ? second : items[0]
      for (const item of rest) total = host.call(isSeeded ? third : second, 'Invoke', [total, item])
      return total
    }
    default:
      return undefined
  }
}
