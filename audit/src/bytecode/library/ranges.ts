import { makeList } from '../../script/evaluate/value.ts'
import { createInstance, type Instance, isArray, isInstance, type Value } from '../value.ts'
import { type Call, collection, type Host, itemsOf } from './call.ts'
import { boxedCode, unboxed } from './numbers.ts'

const parts = ['$first', '$last', '$step'] as const

/** Kotlin's ranges and progressions, whose items are numbers or characters. */
export function ofRange(call: Call): Value {
  const { name, args, host } = call
  const [self, from, to] = args
  if (!isInstance(self)) return undefined
  if (name === '<init>') {
    if (typeof from === 'number' && typeof to === 'number') fill(self, [from, to, 1], host)
    return undefined
  }
  const at = ['getFirst', 'getLast', 'getStep'].indexOf(name)
  const part = parts[at]
  if (part !== undefined) return self.fields.get(part)
  if (name === 'iterator') return collection('java/util/Iterator', self.items ?? [], host.effort)
  if (name === 'contains') return Number((self.items ?? []).map(unboxed).includes(from))
  return undefined
}

function fill(self: Instance, [from, to, step]: readonly [number, number, number], host: Host): void {
  const count = Math.max(0, Math.floor((to - from) / step) + 1)
  makeList(count, host.effort)
  const numbers = Array.from({ length: count }, (_, at) => from + at * step)
  self.items = self.type.includes('Char') ? numbers.map(boxedCode) : numbers
  for (const [index, value] of [from, numbers.at(-1) ?? to, step].entries())
    self.fields.set(parts[index] ?? '', value)
}

/** Functions that make ranges, and those that hold a number in one. */
export function ofRanges({ name, args, host }: Call): Value {
  const [first, second, third] = args
  const made = (type: string, of: readonly [number, number, number]) => {
    const range = createInstance(type)
    fill(range, of, host)
    return range
  }
  if (name === 'getProgressionLastElement') {
    if (typeof first !== 'number' || typeof second !== 'number' || typeof third !== 'number') return undefined
    return first + Math.trunc((second - first) / third) * third
  }
  if (isInstance(first) && (name === 'step' || name === 'reversed')) {
    const [from, to, by] = parts.map((part) => first.fields.get(part))
    if (typeof from !== 'number' || typeof to !== 'number' || typeof by !== 'number') return undefined
    if (name === 'reversed') return made(first.type, [to, from, -by])
    return typeof second === 'number' && second > 0 ? made(first.type, [from, to, by * second]) : undefined
  }
  if (typeof first !== 'number' || typeof second !== 'number') return undefined
  switch (name) {
    case 'until':
      return made(rangeType, [first, second - 1, 1])
    case 'downTo':
      return made(rangeType, [first, second, -1])
    case 'coerceAtLeast':
      return Math.max(first, second)
    case 'coerceAtMost':
      return Math.min(first, second)
    case 'coerceIn':
      return typeof third === 'number' ? Math.min(Math.max(first, second), third) : undefined
    default:
      return undefined
  }
}

const rangeType = 'kotlin/ranges/IntRange'
const indexedType = 'kotlin/collections/IndexedValue'

export function indexed(items: readonly Value[], host: Host): Value[] {
  return items.map((item, at) => collection(indexedType, [at, item], host.effort))
}

/** Values that are known by their places: pairs, triples, and items with their index. */
export function ofPlaces({ name, types, args, host }: Call): Value {
  const [self, ...given] = args
  if (!isInstance(self)) return undefined
  if (name === '<init>') {
    self.items = types.length === given.length ? given : undefined
    return undefined
  }
  const at = placesOf[name]
  if (at !== undefined) return self.items?.[name === 'getValue' ? 1 : at]
  return name === 'toList' ? collection('java/util/ArrayList', self.items ?? [], host.effort) : undefined
}

const placesOf: Readonly<Record<string, number>> = {
  component1: 0,
  getFirst: 0,
  getIndex: 0,
  component2: 1,
  getSecond: 1,
  getValue: 1,
  component3: 2,
  getThird: 2,
}

/** Numbers without a sign, which compilers keep as those with one. */
export function ofUnsigned({ name, args, host }: Call): Value {
  const [first, second] = args
  if (/^(?:constructor|box|unbox)-impl$/.test(name)) return first
  if (name.startsWith('getSize-')) return isArray(first) ? first.items.length : undefined
  if (name.startsWith('iterator-')) return collection('java/util/Iterator', itemsOf(first) ?? [], host.effort)
  if (!name.startsWith('get-') || !isArray(first) || typeof second !== 'number') return undefined
  return first.items[second]
}
