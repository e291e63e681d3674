import type { Evaluator } from './evaluator.ts'
import { type Constant, isCallable, isList, textOf, truth } from './value.ts'

const longestMapped = 4096

/** The result of a method of an array; nothing is changed in place. */
export function listCall(
  value: readonly Constant[],
  method: string,
  args: readonly Constant[],
  evaluator: Evaluator,
): Constant {
  const [first, second] = args
  const numbers = args.filter((item) => typeof item === 'number')
  switch (method) {
    case 'reverse':
    case 'toReversed':
      return [...value].reverse()
    case 'concat':
      return [...value, ...args.flatMap((item) => (isList(item) ? item : [item]))]
    case 'slice':
      return value.slice(...(numbers as [number?, number?]))
    case 'at':
      return typeof first === 'number' ? value.at(first) : undefined
    case 'join':
      return joined(value, args.length === 0 ? ',' : first)
    case 'toString':
      return joined(value, ',')
    case 'flat':
      return value.flatMap((item) => (isList(item) ? item : [item]))
    case 'filter':
    case 'map':
    case 'flatMap':
    case 'reduce':
    case 'reduceRight':
      break
    default:
      return undefined
  }
  if (value.length > longestMapped) return undefined
  if (method === 'filter')
    return isCallable(first)
      ? value.filter((item, index) => truth(evaluator.call(first, [item, index])) === true)
      : value.filter((item) => truth(item) !== false)
  if (method === 'map' || method === 'flatMap') {
    if (!isCallable(first)) return undefined
    const results = value.map((item, index) => evaluator.call(first, [item, index, value]))
    return method === 'map' ? results : results.flatMap((item) => (isList(item) ? item : [item]))
  }
  if (!isCallable(first)) return undefined
  const items = method === 'reduce' ? [...value] : [...value].reverse()
  let total = args.length > 1 ? second : items.shift()
  for (const [index, item] of items.entries()) total = evaluator.call(first, [total, item, index])
  return total
}

function joined(value: readonly Constant[], separator: Constant): string | undefined {
  const parts = value.map(textOf)
  if (typeof separator !== 'string' || parts.length === 0 || parts.includes(undefined)) return undefined
  return parts.join(separator)
}
