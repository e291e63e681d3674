import type { Constant } from './value.ts'

const longestRepeated = 65_536

/** The result of a method of a string. */
export function stringCall(value: string, method: string, args: readonly Constant[]): Constant {
  const [first, second] = args
  const numbers = args.filter((item) => typeof item === 'number')
  switch (method) {
    case 'concat':
      return args.every((item) => typeof item === 'string' || typeof item === 'number')
        ? value + args.join('')
        : undefined
    case 'split':
      return typeof first === 'string' || first instanceof RegExp ? value.split(first) : undefined
    case 'match':
      return first instanceof RegExp && first.global ? (value.match(first) ?? undefined) : undefined
    case 'replace':
    case 'replaceAll':
      if (typeof second !== 'string') return undefined
      if (first instanceof RegExp) return value.replace(first, () => second)
      if (typeof first !== 'string') return undefined
      return method === 'replace' ? value.replace(first, () => second) : value.replaceAll(first, () => second)
    case 'repeat':
      return typeof first === 'number' && first >= 0 && value.length * first < longestRepeated
        ? value.repeat(first)
        : undefined
    case 'padStart':
    case 'padEnd': {
      if (typeof first !== 'number' || first > longestRepeated) return undefined
      const filler = typeof second === 'string' ? second : ' '
      return method === 'padStart' ? value.padStart(first, filler) : value.padEnd(first, filler)
    }
    case 'toLowerCase':
    case 'toLocaleLowerCase':
      return value.toLowerCase()
    case 'toUpperCase':
    case 'toLocaleUpperCase':
      return value.toUpperCase()
    case 'trim':
      return value.trim()
    case 'toString':
    case 'valueOf':
    case 'normalize':
      return value
    default:
  }
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
