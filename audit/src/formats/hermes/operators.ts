import { absent, isSame, isUnknown, type Value } from './values.ts'

/** Gives the result of an operator for two numbers; `undefined` for what is none. */
export function arithmetic(name: string, left: Value, right: Value): number | undefined {
  const [first, second] = [numberOf(left), numberOf(right)]
  if (first === undefined || second === undefined) return undefined
  switch (name.replace(/N$/, '')) {
    case 'Add':
      return first + second
    case 'Sub':
      return first - second
    case 'Mul':
      return first * second
    case 'Div':
      return first / second
    case 'Mod':
      return first % second
    case 'LShift':
      return first << second
    case 'RShift':
      return first >> second
    case 'URshift':
      return first >>> second
    case 'BitAnd':
      return first & second
    case 'BitOr':
      return first | second
    case 'BitXor':
      return first ^ second
    default:
      return undefined
  }
}

/** A text becomes a number where an operator wants one. */
function numberOf(value: Value): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  const number = typeof value === 'string' && value.length < longestNumber ? Number(value) : Number.NaN
  return Number.isNaN(number) ? undefined : number
}

const longestNumber = 24

/** Compares two values, by the name of the instruction or the jump; `undefined` where that is not known. */
export function comparison(name: string, left: Value, right: Value): boolean | undefined {
  if (name.startsWith('Not') && name !== 'NotEqual') return not(comparison(name.slice(3), left, right))
  switch (name.replace(/N$/, '')) {
    case 'StrictEq':
    case 'StrictEqual':
      return isSame(left, right)
    case 'StrictNeq':
    case 'StrictNotEqual':
      return not(isSame(left, right))
    case 'Eq':
    case 'Equal':
      return isLike(left, right)
    case 'Neq':
    case 'NotEqual':
      return not(isLike(left, right))
  }
  const [first, second] = [orderedOf(left), orderedOf(right)]
  if (first === undefined || second === undefined) return undefined
  switch (name.replace(/N$/, '')) {
    case 'Less':
      return first < second
    case 'LessEq':
    case 'LessEqual':
      return first <= second
    case 'Greater':
      return first > second
    case 'GreaterEq':
    case 'GreaterEqual':
      return first >= second
    default:
      return undefined
  }
}

function not(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value
}

/** Compares two values as `==` does: null and undefined are alike. */
function isLike(left: Value, right: Value): boolean | undefined {
  if (isUnknown(left) || isUnknown(right)) return undefined
  const [first, second] = [left === absent ? null : left, right === absent ? null : right]
  return (
    first === second ||
    (first !== null && second !== null && typeof first !== typeof second ? undefined : false)
  )
}

function orderedOf(value: Value): number | string | undefined {
  return typeof value === 'number' || typeof value === 'string' ? value : undefined
}
