import { comparisons, numbers } from '../operators.ts'
import { isThing, unknown, type Value } from './values.ts'

/** Operators on numbers and texts; sums and equality are the interpreter's. */
export function binary(operator: string, left: Value, right: Value): Value {
  if (left === unknown || right === unknown || isThing(left) || isThing(right)) return unknown
  const compare = comparisons[operator]
  if (compare !== undefined)
    return typeof left === 'string' && typeof right === 'string'
      ? compare(left, right)
      : compare(numberOf(left), numberOf(right))
  return numbers[operator]?.(numberOf(left), numberOf(right)) ?? unknown
}

/** Longer ones are no numbers that a script reckons with. */
const longestNumber = 1024

/** A value as a number; a list or an object is none. */
export function numberOf(value: Value): number {
  if (typeof value === 'string' && value.length > longestNumber) return Number.NaN
  return /^(?:string|number|boolean|undefined)$/.test(typeof value) || value === null
    ? Number(value)
    : Number.NaN
}

export function looselyEqual(left: Value, right: Value): boolean {
  if (left === null || left === undefined || right === null || right === undefined)
    return (left ?? null) === (right ?? null)
  const isPlain = (value: Value) => /^(?:string|number|boolean)$/.test(typeof value)
  // Texts, numbers and truth values of different types are compared as numbers.
  return isPlain(left) && isPlain(right) && typeof left !== typeof right
    ? Number(left) === Number(right)
    : left === right
}
