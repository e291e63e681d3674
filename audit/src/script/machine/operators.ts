import { isThing, unknown, type Value } from './values.ts'

const numbers: Readonly<Record<string, (a: number, b: number) => number>> = {
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '**': (a, b) => a ** b,
  '^': (a, b) => a ^ b,
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b,
  '>>>': (a, b) => a >>> b,
}

const comparisons: Readonly<Record<string, (a: number | string, b: number | string) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
}

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
  // biome-ignore lint/suspicious/noDoubleEquals: the script asks for it
  return isPlain(left) && isPlain(right) ? left == right : left === right
}
