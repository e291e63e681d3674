import { payForPattern } from '../../script/machine/library/patterns.ts'
import type { Host } from './host.ts'
import { isClosure, isList, isThing, listOfMatch, type Value } from './values.ts'

const longestPattern = 512

/** Makes a pattern of its text, or of another one. */
export function patternFrom(source: Value, flags: Value): RegExp | undefined {
  const text = source instanceof RegExp ? source.source : source
  if (typeof text !== 'string' || text.length > longestPattern) return undefined
  const own = source instanceof RegExp ? source.flags : ''
  try {
    return new RegExp(text, typeof flags === 'string' ? flags : own)
  } catch {
    return undefined
  }
}

const prototypes = new WeakMap<RegExp, Value>()

/** Gives a pattern the methods of a class that is derived from patterns, as compilers do for named groups. */
export function derive(pattern: RegExp, prototype: Value): void {
  prototypes.set(pattern, prototype)
}

/** Gives a method that the class of a pattern has in the place of the engine's. */
export function methodOfPattern(pattern: RegExp, name: string): Value {
  const prototype = prototypes.get(pattern)
  return isThing(prototype) ? prototype.fields.get(name) : undefined
}

const mostMatches = 256

/** Lists what a pattern finds in a text; by its own method, where it has one. @returns `undefined` where that is not known */
export function matchesOf(pattern: RegExp, text: string, host: Host): readonly Value[] | undefined {
  if (!payForPattern(pattern, text, host.effort)) return undefined
  const all = new RegExp(pattern, pattern.global ? pattern.flags : `${pattern.flags}g`)
  const exec = methodOfPattern(pattern, 'exec')
  if (!isClosure(exec)) return [...text.matchAll(all)].map((match): Value => listOfMatch(match))
  const matches: Value[] = []
  pattern.lastIndex = 0
  while (matches.length < mostMatches) {
    const match = host.call(exec, pattern, [text])
    if (!isList(match)) return match === null ? matches : undefined
    matches.push(match)
    if (match[0] === '') pattern.lastIndex += 1
    if (!pattern.global) break
  }
  return matches
}
