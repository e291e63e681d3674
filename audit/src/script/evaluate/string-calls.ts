import { type Effort, giveUp, pay } from '../../model/effort.ts'
import { type Constant, lookInto, makeList, makeText } from './value.ts'

/** The result of a method of a string. @throws OverEffort where that would be too long, before it is made */
export function stringCall(
  value: string,
  method: string,
  args: readonly Constant[],
  effort: Effort,
): Constant {
  const [first, second] = args
  switch (method) {
    case 'concat':
      if (!args.every((item) => typeof item === 'string' || typeof item === 'number')) return undefined
      makeText(value.length + charactersIn(args), effort)
      return value + args.join('')
    case 'split':
      return split(value, first, effort)
    case 'match':
      if (!(first instanceof RegExp && first.global)) return undefined
      tryPattern(first, value, effort)
      makeList(value.length, effort)
      return value.match(first) ?? undefined
    case 'replace':
    case 'replaceAll':
      return typeof second === 'string' ? replaced(value, method, first, second, effort) : undefined
    case 'repeat':
      if (typeof first !== 'number' || !(first >= 0)) return undefined
      makeText(value.length * Math.trunc(first), effort)
      return value === '' ? value : value.repeat(first)
    case 'padStart':
    case 'padEnd': {
      if (typeof first !== 'number') return undefined
      const filler = typeof second === 'string' ? second : ' '
      makeText(Math.max(value.length, first || 0), effort)
      return method === 'padStart' ? value.padStart(first, filler) : value.padEnd(first, filler)
    }
    case 'toLowerCase':
    case 'toLocaleLowerCase':
      changeCase(value, effort)
      return value.toLowerCase()
    case 'toUpperCase':
    case 'toLocaleUpperCase':
      changeCase(value, effort)
      return value.toUpperCase()
    case 'trim':
      makeText(value.length, effort)
      return value.trim()
    case 'toString':
    case 'valueOf':
    case 'normalize':
      return value
    default:
      lookInto(value, effort)
      return partOf(value, method, args)
  }
}

/** Characters that one becomes in the other case. */
const mostOfCase = 3

/** By the rules of every language, which takes long. */
function changeCase({ length }: string, effort: Effort): void {
  pay(effort, length)
  makeText(length * mostOfCase, effort)
}

function charactersIn(args: readonly Constant[]): number {
  return args.reduce<number>((sum, arg) => sum + (typeof arg === 'string' ? arg.length : longestNumber), 0)
}

const longestNumber = 24

function split(value: string, by: Constant, effort: Effort): Constant {
  makeText(value.length, effort)
  if (by instanceof RegExp) {
    tryPattern(by, value, effort)
    // There are no more pieces than characters.
    makeList(value.length + 1, effort)
    return value.split(by)
  }
  if (typeof by !== 'string') return undefined
  makeList(countOf(by, value) + 1, effort)
  return value.split(by)
}

/** A text with something else in the place of a part of it, or of each such part. Each place is paid when it is found. */
function replaced(
  value: string,
  method: 'replace' | 'replaceAll',
  wanted: Constant,
  by: string,
  effort: Effort,
): Constant {
  const atPlace = () => {
    pay(effort, stepsOfPlace)
    makeText(by.length, effort)
    return by
  }
  makeText(value.length, effort)
  if (wanted instanceof RegExp) {
    if (method === 'replaceAll' && !wanted.global) return undefined
    tryPattern(wanted, value, effort)
    return value.replace(wanted, atPlace)
  }
  if (typeof wanted !== 'string') return undefined
  return method === 'replace' ? value.replace(wanted, atPlace) : value.replaceAll(wanted, atPlace)
}

function countOf(wanted: string, value: string): number {
  if (wanted === '') return value.length + 1
  let count = 0
  for (let at = value.indexOf(wanted); at !== -1; at = value.indexOf(wanted, at + wanted.length)) count += 1
  return count
}

/** Steps of a call for each place. */
const stepsOfPlace = 10

/**
 * Each character of the text may be compared with each of the pattern, which repeats nothing but its end, and may be a
 * place of its own.
 */
function tryPattern({ source }: RegExp, value: string, effort: Effort): void {
  // A pattern that repeats up to the end of the text is tried again from each of its places.
  const tries = /[+*]\$$/.test(source) ? value.length + 1 : 1
  pay(effort, (source.length / 4 + 4) * (value.length + 1) * tries)
  // V8 makes a program of the pattern, and refuses to where that becomes too large.
  if (source.length > longestPattern) giveUp(effort)
}

const longestPattern = 4096

/** Reads a part of a string by numbers: it shares the characters. */
function partOf(value: string, method: string, args: readonly Constant[]): Constant {
  const numbers = args.filter((item) => typeof item === 'number')
  if (numbers.length !== args.length) return undefined
  const [from = 0, to] = numbers
  switch (method) {
    case 'slice':
      return value.slice(from, to)
    case 'substring':
      return value.substring(from, to)
    case 'substr':
      return value.slice(from, to === undefined ? undefined : (from < 0 ? value.length + from : from) + to)
    case 'charAt':
    case 'at':
      return value.at(from)
    case 'charCodeAt':
    case 'codePointAt':
      return value.charCodeAt(from)
    default:
      return undefined
  }
}
