import { makeList, makeText } from '../../script/evaluate/value.ts'
import { charactersOf, decodedBytes, formatted, joinTexts, textAs, textOf, trimmedBy } from '../text.ts'
import { createInstance, isArray, isInstance, type Value } from '../value.ts'
import { type Call, collection, type Host, itemsOf, listType, separatorJoined, variadic } from './call.ts'
import { sortedBy } from './collections.ts'
import { boxedCode, unboxed } from './numbers.ts'
import { inOrder } from './platform.ts'
import { indexed } from './ranges.ts'
import { codesOf, repeated, replaced, reversed } from './strings.ts'

export function ofIntrinsics({ name, args, host }: Call): Value {
  const [first, second] = args
  if (name === 'stringPlus') return joinTexts([textOf(first), textOf(second)], '', host.effort)
  if (name !== 'areEqual') return undefined
  if (typeof first === 'string' || typeof first === 'number')
    return typeof second === typeof first ? Number(first === second) : undefined
  // Objects of one class may be equal without being the same.
  if (!isInstance(first) || !isInstance(second)) return undefined
  return first === second ? 1 : first.type === second.type ? undefined : 0
}

/** A function with default arguments ends in `$default`: a mask says which of them are not given. */
export function ofKotlinStrings(call: Call): Value {
  const { types, args, host } = call
  const name = call.name.replace(/\$default$/, '')
  const [first, second, third] = args
  if (name === 'concatToString') return charactersOf(first)
  if (name === 'decodeToString') return decodedBytes(first)
  if (name === 'digitToInt' && typeof first === 'number')
    return Number.parseInt(String.fromCharCode(first), typeof second === 'number' ? second : 10)
  if (name === 'checkRadix') return first
  const text = textOf(first ?? undefined)
  if (text === undefined) return undefined
  makeText(text.length, host.effort)
  const other = textAs(second, types[1] ?? '')
  switch (name) {
    case 'reversed':
      return reversed(text)
    case 'replace':
      return replaced(text, other, textAs(third, types[2] ?? ''), host.effort)
    case 'replaceFirst':
      return other === undefined || typeof third !== 'string' ? undefined : text.replace(other, () => third)
    case 'trim':
    case 'trimStart':
    case 'trimEnd':
      return args.length > 1 ? trimmedBy(text, charactersOf(second), name) : text[name]()
    case 'toList':
    case 'asIterable':
      return collection(listType, codesOf(text, host.effort).map(boxedCode), host.effort)
    case 'plus':
      return joinTexts([text, other], '', host.effort)
    case 'lines':
    case 'lineSequence':
      return collection(listType, text.split(/\r\n|\n|\r/), host.effort)
    case 'padStart':
    case 'padEnd':
      return paddedTo(text, second, textAs(third, 'C') ?? ' ', name, host.effort)
    case 'repeat':
      return repeated(text, second, host.effort)
    case 'zip': {
      if (other === undefined) return undefined
      const boxes = (codes: string) => codesOf(codes, host.effort).map(boxedCode)
      return zipped(boxes(text), boxes(other), host)
    }
    case 'toCharArray':
      return { element: 'C', items: codesOf(text, host.effort) }
    case 'encodeToByteArray':
      return { element: 'B', items: [...new Int8Array(Buffer.from(text))] }
    case 'split': {
      const [separator] = itemsOf(second) ?? []
      const on = textAs(separator, types[1] === '[C' ? 'C' : '')
      return on === undefined || on === '' ? undefined : collection(listType, text.split(on), host.effort)
    }
    case 'getLastIndex':
      return text.length - 1
    case 'first':
    case 'lastOrNull':
    case 'last':
      return text === '' ? undefined : text.charCodeAt(name === 'first' ? 0 : text.length - 1)
    case 'startsWith':
    case 'endsWith':
    case 'contains': {
      const is = name === 'contains' ? 'includes' : name
      return other === undefined ? undefined : Number(text[is](other))
    }
    case 'format': {
      const items = itemsOf(second)
      return items === undefined ? undefined : formatted(text, items)
    }
    case 'toInt':
    case 'toIntOrNull': {
      const number = Number.parseInt(text, typeof second === 'number' ? second : 10)
      return Number.isNaN(number) ? undefined : number
    }
    default:
      return partOf(text, other, { ...call, name })
  }
}

/** Calls that give a part of a text, or several. */
function partOf(text: string, other: string | undefined, { name, args, host }: Call): Value {
  const [, second, third] = args
  switch (name) {
    case 'drop':
      return typeof second === 'number' ? text.slice(second) : undefined
    case 'take':
      return typeof second === 'number' ? text.slice(0, second) : undefined
    case 'dropLast':
      return typeof second === 'number' ? text.slice(0, text.length - second) : undefined
    case 'takeLast':
      return typeof second === 'number' ? text.slice(Math.max(0, text.length - second)) : undefined
    case 'removePrefix':
      return other !== undefined && text.startsWith(other) ? text.slice(other.length) : text
    case 'removeSuffix':
      return other !== undefined && text.endsWith(other) ? text.slice(0, text.length - other.length) : text
    case 'removeSurrounding':
      return removedAround(text, other, args.length > 2 ? textOf(third) : other)
    case 'replaceRange': {
      const [, from, to, by] = args
      if (typeof from !== 'number' || typeof to !== 'number') return undefined
      return joinTexts([text.slice(0, from), textOf(by ?? undefined), text.slice(to)], '', host.effort)
    }
    case 'substringAfter':
    case 'substringBefore':
    case 'substringAfterLast':
    case 'substringBeforeLast':
      return other === undefined ? undefined : partBeside(text, other, name)
    case 'windowed': {
      const [, size, step] = args
      if (typeof size !== 'number' || typeof step !== 'number' || size < 1 || step < 1) return undefined
      const count = Math.max(0, Math.floor((text.length - size) / step) + 1)
      makeList(count, host.effort)
      return collection(
        listType,
        Array.from({ length: count }, (_, at) => text.slice(at * step, at * step + size)),
        host.effort,
      )
    }
    case 'removeRange':
      return typeof second === 'number' && typeof third === 'number'
        ? text.slice(0, second) + text.slice(third)
        : undefined
    case 'chunked': {
      if (typeof second !== 'number' || second < 1) return undefined
      const count = Math.ceil(text.length / second)
      return collection(
        listType,
        Array.from({ length: count }, (_, at) => text.slice(at * second, (at + 1) * second)),
        host.effort,
      )
    }
    default:
      return undefined
  }
}

function paddedTo(
  text: string,
  length: Value,
  by: string,
  name: 'padStart' | 'padEnd',
  effort: Host['effort'],
): string | undefined {
  if (typeof length !== 'number') return undefined
  makeText(Math.max(0, length), effort)
  return text[name](length, by)
}

function removedAround(
  text: string,
  before: string | undefined,
  after: string | undefined,
): string | undefined {
  if (before === undefined || after === undefined) return undefined
  const isAround =
    text.length >= before.length + after.length && text.startsWith(before) && text.endsWith(after)
  return isAround ? text.slice(before.length, text.length - after.length) : text
}

function partBeside(text: string, other: string, name: string): string {
  const at = name.endsWith('Last') ? text.lastIndexOf(other) : text.indexOf(other)
  if (at === -1) return text
  return name.startsWith('substringAfter') ? text.slice(at + other.length) : text.slice(0, at)
}

export function ofKotlinCollections(call: Call): Value {
  const { types, args, host } = call
  const isDefault = call.name.endsWith('$default')
  const name = call.name.replace(/\$default$/, '')
  const [first, second] = args
  if (
    /^(?:listOf|mutableListOf|arrayListOf|listOfNotNull|asList|sequenceOf|setOf|createListBuilder)$/.test(
      name,
    )
  )
    return collection(listType, types.length === 0 ? [] : variadic(call), host.effort)
  if (name === 'generateSequence') return generated(args, host)
  const items = itemsOf(first)
  if (name === 'collectionSizeOrDefault') return items?.length ?? second
  if (items === undefined) return undefined
  makeList(items.length, host.effort)
  switch (name) {
    case 'joinToString':
      return joinedToString(args, isDefault ? args.at(-2) : 0, host)
    case 'reversed':
    case 'asReversed':
    case 'asReversedMutable':
      return collection(listType, [...items].reverse(), host.effort)
    case 'toList':
    case 'asSequence':
    case 'toMutableList':
    case 'build':
    case 'plus':
      return collection(
        listType,
        [...items, ...(name === 'plus' ? (itemsOf(second) ?? [second]) : [])],
        host.effort,
      )
    case 'toByteArray':
      return { element: 'B', items: [...items] }
    case 'toCharArray':
      return { element: 'C', items: items.map((item) => unboxed(item)) }
    case 'toIntArray':
      return { element: 'I', items: [...items] }
    case 'reversedArray':
      return isArray(first) ? { element: first.element, items: [...items].reverse() } : undefined
    case 'sortedWith':
      return collection(listType, sortedBy(items, second, host), host.effort)
    case 'sorted':
      return collection(listType, sortedBy(items, null, host), host.effort)
    case 'flatten':
      return collection(
        listType,
        items.flatMap((item) => itemsOf(item) ?? [undefined]),
        host.effort,
      )
    case 'zip':
      return zipped(items, itemsOf(second), host)
    case 'addAll':
      if (isInstance(first)) first.items = [...items, ...(itemsOf(second) ?? [])]
      return 1
    case 'getLastIndex':
      return items.length - 1
    case 'withIndex':
      return collection(listType, indexed(items, host), host.effort)
    case 'filterNotNull':
      return collection(
        listType,
        items.filter((item) => item !== null),
        host.effort,
      )
    case 'map':
    case 'mapNotNull':
      return collection(
        listType,
        items.map((item) => host.call(second, 'invoke', [item])),
        host.effort,
      )
    case 'filter':
      return collection(
        listType,
        items.filter((item) => host.call(second, 'invoke', [item]) === 1),
        host.effort,
      )
    case 'distinct':
    case 'toSet':
    case 'toTypedArray':
      return collection(listType, name === 'toTypedArray' ? items : [...new Set(items)], host.effort)
    default:
      return itemsAt(items, { ...call, name })
  }
}

/** Calls that give one item, or those of one end. */
function itemsAt(items: readonly Value[], { name, args, host }: Call): Value {
  const [, second] = args
  switch (name) {
    case 'dropLast':
    case 'takeLast': {
      if (typeof second !== 'number') return undefined
      const at = Math.max(0, items.length - second)
      return collection(listType, name === 'dropLast' ? items.slice(0, at) : items.slice(at), host.effort)
    }
    case 'getOrNull':
    case 'elementAt':
      return typeof second === 'number' ? items[second] : undefined
    case 'firstOrNull':
    case 'single':
    case 'first':
      return items[0]
    case 'drop':
      return typeof second === 'number' ? collection(listType, items.slice(second), host.effort) : undefined
    case 'take':
      return typeof second === 'number'
        ? collection(listType, items.slice(0, second), host.effort)
        : undefined
    case 'last':
      return items.at(-1)
    default:
      return undefined
  }
}

/** Items that follow from each other, up to null. */
function generated(args: readonly Value[], host: Host): Value {
  const next = args.at(-1)
  const items: Value[] = []
  let item = args.length > 1 ? args[0] : host.call(next, 'invoke', [])
  // Code of DEX has a zero for null.
  const isEnd = () => item === null || item === undefined || (item === 0 && typeof items[0] === 'string')
  while (!isEnd() && items.length < mostGenerated) {
    makeList(1, host.effort)
    items.push(item)
    item = host.call(next, 'invoke', args.length > 1 ? [item] : [])
  }
  return collection(listType, items, host.effort)
}

const mostGenerated = 256

/** Reads `joinToString(separator, prefix, postfix, limit, truncated, transform)`, of which a mask leaves some out. */
function joinedToString(args: readonly Value[], mask: Value, host: Host): Value {
  if (typeof mask !== 'number') return undefined
  const [collected, separator, before, after, , , transform] = args
  const given = (value: Value, bit: number, otherwise: string) =>
    (mask & bit) === 0 ? textOf(value ?? undefined) : otherwise
  const isTransformed = (mask & 32) === 0 && transform !== null && transform !== undefined
  const items = itemsOf(collected) ?? []
  const element = isArray(collected) ? collected.element : ''
  const texts = items.map((item) =>
    isTransformed ? textOf(host.call(transform, 'invoke', [item])) : textAs(item, element),
  )
  const inner = separatorJoined(texts, given(separator, 1, ', '), host.effort)
  return joinTexts([given(before, 2, ''), inner, given(after, 4, '')], '', host.effort)
}

export function ofLazy({ name, args, host }: Call): Value {
  const [first] = args
  if (name === 'lazy') return collection('kotlin/Lazy', args, host.effort)
  return name === 'getValue' && isInstance(first) ? host.call(first.items?.at(-1), 'invoke', []) : undefined
}

const pairType = 'kotlin/Pair'

function zipped(items: readonly Value[], others: readonly Value[] | undefined, host: Host): Value {
  if (others === undefined) return undefined
  const pairs = items
    .slice(0, others.length)
    .map((item, at) => collection(pairType, [item, others[at]], host.effort))
  return collection(listType, pairs, host.effort)
}

export function ofComparisons({ name, args }: Call): Value {
  const [first, second] = args
  return name === 'compareValues' ? inOrder(first, second) : undefined
}

/** Kotlin's `mapOf("a" to b)`. */
export function ofTuples({ name, args, host }: Call): Value {
  if (name === 'to') return collection(pairType, args, host.effort)
  const [first, second] = args
  if (name === 'toList') return collection(listType, itemsOf(first) ?? [], host.effort)
  if (name === 'toSortedMap' && isInstance(first))
    return { ...createInstance('java/util/TreeMap'), entries: first.entries }
  if (name === 'getValue') return isInstance(first) ? first.entries?.get(second) : undefined
  if (!/^(?:mapOf|mutableMapOf|hashMapOf|linkedMapOf)$/.test(name)) return undefined
  const map = createInstance('java/util/HashMap')
  map.entries = new Map()
  const pairs = args.flatMap((arg) => (isArray(arg) ? arg.items : [arg]))
  for (const pair of pairs) {
    const [key, value] = itemsOf(pair) ?? []
    map.entries.set(key, value)
  }
  return map
}
