import type { Effort } from '../../model/effort.ts'
import { makeList } from '../../script/evaluate/value.ts'
import type { Host } from './host.ts'
import { joined } from './text.ts'
import { absent, isList, isSame, itemsOf, type List, truthOf, type Value } from './values.ts'

/** Calls a method of a list. Methods that change it change it here as well. */
export function listCall(list: List, method: string, args: readonly Value[], host: Host): Value {
  const { effort } = host
  makeList(list.length + args.length, effort)
  const [first, second] = args
  const numbers = args.filter((item) => typeof item === 'number') as [number?, number?]
  const each = (item: Value, index: number) => host.call(first, absent, [item, index, list])
  switch (method) {
    case 'push':
      return list.push(...args)
    case 'unshift':
      return list.unshift(...args)
    case 'pop':
      return list.length === 0 ? absent : list.pop()
    case 'shift':
      return list.length === 0 ? absent : list.shift()
    case 'reverse':
      return list.reverse()
    case 'toReversed':
      return [...list].reverse()
    case 'fill':
      return list.fill(first, ...(numbers.slice(typeof first === 'number' ? 1 : 0) as [number?, number?]))
    case 'slice':
      return list.slice(...numbers)
    case 'splice':
      if (typeof first !== 'number') return undefined
      return typeof second === 'number' ? list.splice(first, second, ...args.slice(2)) : list.splice(first)
    case 'at':
      return typeof first === 'number' ? list.at(first) : undefined
    case 'concat':
      return [...list, ...args.flatMap((arg): readonly Value[] => (isList(arg) ? arg : [arg]))]
    case 'flat':
      return flattened(list, flatDepth(args), effort)
    case 'join':
    case 'toString': {
      const separator = method === 'toString' || args.length === 0 || first === absent ? ',' : first
      return typeof separator === 'string' ? joined(list, separator, effort) : undefined
    }
    case 'indexOf':
      return list.indexOf(first)
    case 'includes':
      return list.every((item) => item !== undefined) ? list.some((item) => isSame(item, first)) : undefined
    case 'keys':
      return list.map((_, index) => index)
    case 'values':
      return [...list]
    case 'entries':
      return list.map((item, index) => [index, item])
    case 'map':
      return list.map(each)
    case 'flatMap':
      return list.flatMap((item, index): readonly Value[] => {
        const value = each(item, index)
        return isList(value) ? value : [value]
      })
    case 'forEach':
      for (const [index, item] of list.entries()) each(item, index)
      return absent
    case 'filter':
      return list.filter((item, index) => truthOf(each(item, index)) === true)
    case 'every':
    case 'some':
      return conditionOf(list, method, each)
    case 'findIndex':
      return list.findIndex((item, index) => truthOf(each(item, index)) === true)
    case 'findLast':
      return list.findLast((item, index) => truthOf(each(item, index)) === true)
    case 'lastIndexOf':
      return list.lastIndexOf(first)
    case 'with': {
      const copy = [...list]
      if (typeof first === 'number') copy[first < 0 ? first + list.length : first] = second
      return copy
    }
    case 'toSorted':
      return sorted([...list], first, host)
    case 'find':
      return list.find((item, index) => truthOf(each(item, index)) === true)
    case 'reduce':
    case 'reduceRight': {
      const items = method === 'reduce' ? [...list] : [...list].reverse()
      let total = args.length > 1 ? second : items.shift()
      for (const [index, item] of items.entries()) total = host.call(first, absent, [total, item, index])
      return total
    }
    case 'sort':
      return sorted(list, first, host)
    case 'set': {
      const from = typeof second === 'number' ? second : 0
      for (const [index, item] of (itemsOf(first) ?? []).entries()) list[from + index] = item
      return absent
    }
    default:
      return undefined
  }
}

/** Older bytecode loads `Infinity` as a global, which is not known. */
function flatDepth(args: readonly Value[]): number {
  const [depth] = args
  if (typeof depth === 'number') return depth
  return args.length === 0 ? 1 : Number.POSITIVE_INFINITY
}

/** Each level of lists in lists is paid for: a list may be in itself. */
function flattened(list: List, depth: number, effort: Effort): List {
  makeList(list.length, effort)
  const isFlat = depth < 1 || !list.some(isList)
  return isFlat
    ? [...list]
    : flattened(
        list.flatMap((item): readonly Value[] => (isList(item) ? item : [item])),
        depth - 1,
        effort,
      )
}

/** Ends as soon as the answer is known. */
function conditionOf(
  list: List,
  method: 'every' | 'some',
  each: (item: Value, index: number) => Value,
): boolean | undefined {
  let isKnown = true
  for (const [index, item] of list.entries()) {
    const answer = truthOf(each(item, index))
    if (answer === undefined) isKnown = false
    else if (answer === (method === 'some')) return answer
  }
  return isKnown ? method === 'every' : undefined
}

function sorted(list: List, by: Value, host: Host): Value {
  makeList(list.length * 8, host.effort)
  if (by === undefined || by === absent) {
    if (!list.every((item) => typeof item === 'string')) return undefined
    return list.sort()
  }
  let isKnown = true
  list.sort((left, right) => {
    const order = isKnown ? host.call(by, absent, [left, right]) : 0
    if (typeof order !== 'number') isKnown = false
    return typeof order === 'number' ? order : 0
  })
  return isKnown ? list : undefined
}
