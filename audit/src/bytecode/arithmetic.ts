import type { Binary, Condition, Unary } from './step.ts'
import { isWide, unknownWide, type Value } from './value.ts'

/** Computes as the platform does: integers of 32 bits, longs of 64. */
export function binaryOf(operator: Binary, left: Value, right: Value, isLong: boolean): Value {
  if (isLong) return longOf(operator, left, right)
  if (typeof left !== 'number' || typeof right !== 'number') return undefined
  switch (operator) {
    case '+':
      return (left + right) | 0
    case '-':
      return (left - right) | 0
    case '*':
      return Math.imul(left, right)
    case '/':
      return right === 0 ? undefined : (left / right) | 0
    case '%':
      return right === 0 ? undefined : left % right
    case '&':
      return left & right
    case '|':
      return left | right
    case '^':
      return left ^ right
    case '<<':
      return left << right
    case '>>':
      return left >> right
    case '>>>':
      return (left >>> right) | 0
  }
}

function longOf(operator: Binary, left: Value, right: Value): Value {
  if (!isWide(left) || left.wide === undefined) return unknownWide
  const shift = typeof right === 'number' ? BigInt(right & 63) : undefined
  const other = isWide(right) ? right.wide : undefined
  const wide = computed(operator, left.wide, other, shift)
  return { wide: wide === undefined ? undefined : BigInt.asIntN(64, wide) }
}

function computed(
  operator: Binary,
  left: bigint,
  right: bigint | undefined,
  shift: bigint | undefined,
): bigint | undefined {
  if (shift !== undefined) {
    if (operator === '<<') return left << shift
    if (operator === '>>') return left >> shift
    return operator === '>>>' ? BigInt.asUintN(64, left) >> shift : undefined
  }
  if (right === undefined) return undefined
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return right === 0n ? undefined : left / right
    case '%':
      return right === 0n ? undefined : left % right
    case '&':
      return left & right
    case '|':
      return left | right
    case '^':
      return left ^ right
    default:
      return undefined
  }
}

export function unaryOf(operator: Unary, value: Value): Value {
  if (operator === 'long')
    return { wide: typeof value === 'number' ? BigInt(value) : isWide(value) ? value.wide : undefined }
  if (isWide(value)) {
    const { wide } = value
    if (operator === 'int') return wide === undefined ? undefined : Number(BigInt.asIntN(32, wide))
    return {
      wide: wide === undefined || operator === 'unknown' ? undefined : operator === 'not' ? ~wide : -wide,
    }
  }
  if (typeof value !== 'number') return undefined
  switch (operator) {
    case 'negate':
      return -value | 0
    case 'not':
      return ~value
    case 'byte':
      return (value << 24) >> 24
    case 'char':
      return value & 0xffff
    case 'short':
      return (value << 16) >> 16
    case 'int':
      return value
    case 'unknown':
      return undefined
  }
}

/** Compares two longs, or two numbers: below 0, 0 or above. */
export function compareOf(left: Value, right: Value): Value {
  if (typeof left === 'number' && typeof right === 'number') return Math.sign(left - right)
  if (left === null && right === null) return 0
  // An object that is known is more than none.
  if (right === null) return left === undefined ? undefined : 1
  if (!isWide(left) || !isWide(right) || left.wide === undefined || right.wide === undefined) return undefined
  return left.wide < right.wide ? -1 : left.wide > right.wide ? 1 : 0
}

/** Says whether a condition is met; `undefined` where that is not known. */
export function conditionOf(condition: Condition, left: Value, right: Value): boolean | undefined {
  if (left === undefined || right === undefined) return undefined
  const isComparison = condition !== '==' && condition !== '!='
  if (typeof left !== 'number' || typeof right !== 'number') {
    // Nothing of the suite's is null by accident, and equal texts may be two objects.
    const isNull = left === null || right === null
    // Registers have no types: null is written as 0.
    const isSame = (left === null || left === 0) && (right === null || right === 0)
    if (isComparison || !(isNull || left === 0 || right === 0)) return undefined
    return condition === '==' ? isSame : !isSame
  }
  switch (condition) {
    case '==':
      return left === right
    case '!=':
      return left !== right
    case '<':
      return left < right
    case '>=':
      return left >= right
    case '>':
      return left > right
    case '<=':
      return left <= right
  }
}
