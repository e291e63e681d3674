import { pay } from '../../../model/effort.ts'
import { stringCall } from '../../evaluate/string-calls.ts'
import { charactersInStep, makeList, makeText } from '../../evaluate/value.ts'
import type { Machine } from '../machine.ts'
import { ownMethodOf, setExtra } from '../members.ts'
import { isThing, iteratorOf, objectOf, unknown, type Value } from '../values.ts'
import { toTry } from './patterns.ts'

type Result = { readonly value: Value } | null

/** Calls a method of a text or of a pattern. */
export function textMethod(
  self: string | RegExp,
  name: string,
  args: readonly Value[],
  machine: Machine,
): Result {
  if (self instanceof RegExp) return patternMethod(self, name, args, machine)
  const [first, second] = args
  switch (name) {
    case 'replace':
    case 'replaceAll':
      return { value: replaced(self, name, first, second, machine) }
    case 'split':
      return { value: split(self, first, second, machine) }
    case 'match':
      return { value: first instanceof RegExp ? matched(self, first, machine) : unknown }
    case 'matchAll':
      return { value: first instanceof RegExp ? allMatches(self, first, machine) : unknown }
    case 'concat':
      return { value: args.reduce<string>((all, arg) => grown(all, machine.textOf(arg), machine), self) }
    case '@@iterator':
      makeList(self.length, machine.effort)
      return { value: iteratorOf([...self]) }
    case 'startsWith':
    case 'endsWith':
    case 'includes':
    case 'indexOf':
    case 'lastIndexOf':
      pay(machine.effort, self.length / charactersInStep)
      return { value: typeof first === 'string' ? self[name](first, placeOf(second)) : unknown }
    case 'localeCompare':
      pay(machine.effort, self.length / charactersInStep)
      return { value: typeof first === 'string' ? (self < first ? -1 : self > first ? 1 : 0) : unknown }
    case 'search':
      return {
        value: first instanceof RegExp ? (search(self, first, machine) ?? unknown) : unknown,
      }
    case 'trimStart':
    case 'trimEnd':
      makeText(self.length, machine.effort)
      return { value: self[name]() }
    case 'charAt':
      return { value: typeof first === 'number' || first === undefined ? self.charAt(first ?? 0) : unknown }
    case 'charCodeAt':
    case 'codePointAt':
      return {
        value: typeof first === 'number' || first === undefined ? self.charCodeAt(first ?? 0) : unknown,
      }
  }
  const plain = args.map((arg) => (typeof arg === 'number' || typeof arg === 'string' ? arg : undefined))
  if (args.some((arg, at) => arg !== undefined && plain[at] === undefined))
    return known(name) ? { value: unknown } : null
  const result = stringCall(self, name, plain, machine.effort)
  return typeof result === 'string' || typeof result === 'number' || typeof result === 'boolean'
    ? { value: result }
    : known(name)
      ? { value: unknown }
      : null
}

/** Methods whose result is asked of what is known elsewhere. */
function known(name: string): boolean {
  return /^(?:slice|substring|substr|at|repeat|padStart|padEnd|normalize|toLowerCase|toUpperCase|trim)$/.test(
    name,
  )
}

function grown(one: string, other: string, { effort }: Machine): string {
  makeText(other.length + 16, effort)
  return one + other
}

function patternMethod(self: RegExp, name: string, [given]: readonly Value[], machine: Machine): Result {
  if (name !== 'test' && name !== 'exec') return null
  const pattern = typeof given === 'string' ? toTry(self, given, machine.effort) : null
  if (pattern === null) return { value: unknown }
  const match = pattern.exec(given as string)
  self.lastIndex = pattern.lastIndex
  if (name === 'test') return { value: match !== null }
  return { value: match === null ? null : listOf(match) }
}

const mostMatches = 256

/** Lists what a pattern finds by its own method; `null` where it has none, or finds what is not known. */
function ownMatches(self: string, pattern: RegExp, machine: Machine): Value[] | null {
  const exec = ownMethodOf(pattern, 'exec')
  if (!isThing(exec)) return null
  const matches: Value[] = []
  pattern.lastIndex = 0
  while (matches.length < mostMatches) {
    const match = machine.call(exec, pattern, [self])
    if (match === null) break
    if (!Array.isArray(match)) return null
    matches.push(match)
    if (match[0] === '') pattern.lastIndex += 1
    if (!pattern.global) break
  }
  return matches
}

function allMatches(self: string, pattern: RegExp, machine: Machine): Value {
  const own = ownMatches(self, pattern, machine)
  if (own !== null) return iteratorOf(own)
  const global = pattern.global ? pattern : new RegExp(pattern, `${pattern.flags}g`)
  const tried = toTry(global, self, machine.effort)
  if (tried === null) return unknown
  const matches: Value[] = []
  for (const match of self.matchAll(tried)) {
    makeList(8 + 2 * match.length, machine.effort)
    matches.push(listOf(match))
  }
  return iteratorOf(matches)
}

function listOf(match: RegExpMatchArray): Value[] {
  const list: Value[] = [...match]
  if (match.index !== undefined) setExtra(list, 'index', match.index)
  if (match.groups !== undefined) setExtra(list, 'groups', objectOf(match.groups))
  return list
}

function matched(self: string, pattern: RegExp, machine: Machine): Value {
  const own = pattern.global ? null : ownMatches(self, pattern, machine)
  if (own !== null) return own[0] ?? null
  const tried = toTry(pattern, self, machine.effort)
  if (tried === null) return unknown
  const found = self.match(tried)
  if (found === null) return null
  makeList(4 * found.length, machine.effort)
  return listOf(found)
}

function split(self: string, by: Value, most: Value, machine: Machine): Value {
  const limit = typeof most === 'number' ? most : undefined
  makeList(self.length + 1, machine.effort)
  if (by === undefined) return [self]
  if (by instanceof RegExp) {
    const tried = toTry(by, self, machine.effort)
    return tried === null ? unknown : self.split(tried, limit)
  }
  return typeof by === 'string' ? self.split(by, limit) : unknown
}

/** Patterns whose own method of replacing runs, which asks for that of the engine. */
const running = new WeakSet<RegExp>()

function replaced(
  self: string,
  method: 'replace' | 'replaceAll',
  wanted: Value,
  by: Value,
  machine: Machine,
): Value {
  if (wanted === unknown || by === unknown) return unknown
  if (wanted instanceof RegExp && method === 'replaceAll' && !wanted.global) return unknown
  const own = wanted instanceof RegExp ? ownMethodOf(wanted, '@@replace') : undefined
  if (isThing(own) && !running.has(wanted as RegExp)) {
    running.add(wanted as RegExp)
    try {
      return machine.call(own, wanted, [self, by])
    } finally {
      running.delete(wanted as RegExp)
    }
  }
  const pattern = wanted instanceof RegExp ? toTry(wanted, self, machine.effort) : machine.textOf(wanted)
  if (pattern === null) return unknown
  makeText(self.length, machine.effort)
  const atPlace = (...found: unknown[]): string => {
    const text = isThing(by)
      ? machine.textOf(
          machine.call(
            by,
            undefined,
            found.map((one) => (typeof one === 'object' ? unknown : (one as Value))),
          ),
        )
      : machine.textOf(by)
    pay(machine.effort, 8)
    makeText(text.length, machine.effort)
    return text
  }
  // Only a text that is written for it may name what was found.
  if (!isThing(by) && typeof by === 'string' && by.includes('$')) {
    const isOnce = pattern instanceof RegExp ? !pattern.global : method === 'replace'
    // At worst, each of the names stands for the whole text.
    const longest = by.length + (by.split('$').length - 1) * self.length
    makeText((isOnce ? 1 : self.length + 1) * longest, machine.effort)
    return method === 'replace' ? self.replace(pattern, by) : self.replaceAll(pattern, by)
  }
  return method === 'replace' ? self.replace(pattern, atPlace) : self.replaceAll(pattern, atPlace)
}

function placeOf(value: Value): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function search(self: string, pattern: RegExp, { effort }: Machine): number | undefined {
  const tried = toTry(pattern, self, effort)
  return tried === null ? undefined : self.search(tried)
}
