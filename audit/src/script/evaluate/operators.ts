import { type Effort, pay } from '../../model/effort.ts'
import { hole } from '../../model/mint-call.ts'
import { type Constant, lengthOf, makeText, textOf, truth } from './value.ts'

/** Memory that any text takes, in characters. */
const leastText = 16

export function sum(left: Constant, right: Constant, effort: Effort): Constant {
  if (typeof left === 'number' && typeof right === 'number') return left + right
  if (typeof left !== 'string' && typeof right !== 'string') return undefined
  return concatenated(textOf(left, effort) ?? hole, textOf(right, effort) ?? hole, effort)
}

/** Two texts as one, which shares the longer of them. @throws OverEffort */
export function concatenated(first: string, second: string, effort: Effort): string {
  makeText(leastText + Math.min(first.length, second.length), effort)
  return first + second
}

export const numbers: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
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

export const comparisons: Readonly<Record<string, (a: number | string, b: number | string) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
}

export function arithmetic(operator: string, left: Constant, right: Constant, effort: Effort): Constant {
  pay(effort, lengthOf(left) + lengthOf(right))
  if (/^[!=]==?$/.test(operator)) {
    if (left === undefined || right === undefined || typeof left === 'object' || typeof right === 'object')
      return undefined
    return (left === right) === operator.startsWith('=')
  }
  const isText = typeof left === 'string' || typeof right === 'string'
  if (![left, right].every((side) => typeof side === 'number' || typeof side === 'string')) return undefined
  if (isText && !/^[-*/%]$/.test(operator)) return undefined
  return (numbers[operator] ?? comparisons[operator])?.(Number(left), Number(right))
}

/** Where the left side is not known, what takes its place otherwise is the likelier text. */
export function logical(operator: string, left: Constant, right: () => Constant): Constant {
  if (operator === '??') return left === null || left === undefined ? right() : left
  const holds = truth(left)
  if (operator === '&&') return holds === false ? left : right()
  return holds === true ? left : right()
}

/** Gives the value of an assignment. */
export function assigned(operator: string, left: Constant, right: () => Constant): Constant {
  if (operator === '=') return right()
  return /^(?:\|\||\?\?|&&)=$/.test(operator) ? logical(operator.slice(0, -1), left, right) : undefined
}

export function unary(operator: string, value: Constant, effort: Effort): Constant {
  pay(effort, lengthOf(value))
  if (operator === 'void') return null
  if (operator === '!') {
    const holds = truth(value)
    return holds === undefined ? undefined : !holds
  }
  if (operator === 'typeof') return typeof value === 'string' ? 'string' : undefined
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  if (operator === '-') return -Number(value)
  if (operator === '+') return Number(value)
  return operator === '~' ? ~Number(value) : undefined
}
