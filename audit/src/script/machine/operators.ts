import { comparisons, numbers } from '../evaluate/operators.ts'
import { isThing, unknown, type Value } from './values.ts'

/** Operators on numbers and texts; sums and equality are the interpreter's. */
export function binary(operator: string, left: Value, right: Value): Value {
  if (left === unknown || right === unknown || isThing(left) || isThing(right)) return unknown
  if (typeof left === 'bigint' && typeof right === 'bigint' && numbers[operator] !== undefined)
    return bigBinary(operator, left, right)
  const compare = comparisons[operator]
  if (compare !== undefined)
    return typeof left === 'string' && typeof right === 'string'
      ? compare(left, right)
      : compare(numberOf(left), numberOf(right))
  return numbers[operator]?.(numberOf(left), numberOf(right)) ?? unknown
}

/** Longer ones are no numbers that a script reckons with. */
const longestNumber = 1024

/** Larger ones are no packed texts. */
const mostPlaces = 2048n
const largestBig = 1n << mostPlaces

/** Numbers without a limit are as costly as they are long: what makes one too large is not known. */
function bigBinary(operator: string, left: bigint, right: bigint): Value {
  const isWithin = (value: bigint, most: bigint) => value < most && value > -most
  if (!isWithin(left, largestBig) || !isWithin(right, largestBig)) return unknown
  if (/^(?:\*\*|<<|>>)$/.test(operator) && !isWithin(right, mostPlaces)) return unknown
  if (operator === '**' && !isWithin(left, mostPlaces)) return unknown
  try {
    return (numbers[operator] as unknown as (a: bigint, b: bigint) => bigint)(left, right)
  } catch (error) {
    // A division by zero, or an operator that these numbers do not have.
    if (error instanceof RangeError || error instanceof TypeError) return unknown
    throw error
  }
}

/** A number without a limit, of its digits or of another number. */
export function bigOf(value: Value): Value {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : unknown
  const isNumber = typeof value === 'string' && value.length <= longestNumber
  return isNumber && /^(?:\d+|0x[\da-f]+|0b[01]+|0o[0-7]+)$/i.test(value) ? BigInt(value) : unknown
}

/** A value as a number; a list or an object is none. */
export function numberOf(value: Value): number {
  if (typeof value === 'string' && value.length > longestNumber) return Number.NaN
  return /^(?:string|number|bigint|boolean|undefined)$/.test(typeof value) || value === null
    ? Number(value)
    : Number.NaN
}

export function looselyEqual(left: Value, right: Value): boolean {
  if (left === null || left === undefined || right === null || right === undefined)
    return (left ?? null) === (right ?? null)
  const isPlain = (value: Value) => /^(?:string|number|bigint|boolean)$/.test(typeof value)
  // Texts, numbers and truth values of different types are compared as numbers.
  return isPlain(left) && isPlain(right) && typeof left !== typeof right
    ? Number(left) === Number(right)
    : left === right
}
