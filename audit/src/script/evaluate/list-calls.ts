import type { Evaluator } from './evaluator.ts'
import { type Constant, isCallable, isList, joinedBy, makeList, truth } from './value.ts'

/** The result of a method of an array; nothing is changed in place. @throws OverEffort */
export function listCall(
  value: readonly Constant[],
  method: string,
  args: readonly Constant[],
  evaluator: Evaluator,
): Constant {
  const [first, second] = args
  const { effort } = evaluator
  const copied = (list: readonly Constant[]) => {
    makeList(list.length, effort)
    return [...list]
  }
  switch (method) {
    case 'reverse':
    case 'toReversed':
      return copied(value).reverse()
    case 'concat':
      return flat([value, ...args], evaluator)
    case 'slice':
      makeList(value.length, effort)
      return value.slice(...(args.filter((item) => typeof item === 'number') as [number?, number?]))
    case 'at':
      return typeof first === 'number' ? value.at(first) : undefined
    case 'join':
      return joined(value, args.length === 0 ? ',' : first, evaluator)
    case 'toString':
      return joined(value, ',', evaluator)
    case 'flat':
      return flat(value, evaluator)
    case 'filter':
      makeList(value.length, effort)
      return isCallable(first)
        ? value.filter((item, index) => truth(evaluator.call(first, [item, index])) === true)
        : value.filter((item) => truth(item) !== false)
    case 'map':
    case 'flatMap': {
      if (!isCallable(first)) return undefined
      makeList(value.length, effort)
      const results = value.map((item, index) => evaluator.call(first, [item, index, value]))
      return method === 'map' ? results : flat(results, evaluator)
    }
    case 'reduce':
    case 'reduceRight': {
      if (!isCallable(first)) return undefined
      const items = method === 'reduce' ? copied(value) : copied(value).reverse()
      let total = args.length > 1 ? second : items.shift()
      for (const [index, item] of items.entries()) total = evaluator.call(first, [total, item, index])
      return total
    }
    default:
      return undefined
  }
}

/** The items, and those of each that is a list. */
function flat(value: readonly Constant[], { effort }: Evaluator): Constant[] {
  let length = 0
  for (const item of value) length += isList(item) ? item.length : 1
  makeList(length, effort)
  const items = new Array<Constant>(length)
  let at = 0
  for (const item of value)
    if (isList(item)) for (const one of item) items[at++] = one
    else items[at++] = item
  return items
}

function joined(value: readonly Constant[], separator: Constant, { effort }: Evaluator): string | undefined {
  if (typeof separator !== 'string' || value.length === 0) return undefined
  return joinedBy(value, separator, effort)
}
