import { type Effort, giveUp, pay } from '../../model/effort.ts'
import type { Node, Scope } from '../parse/scope.ts'

/** A value that is known before the program runs; `undefined` where it is not known. */
export type Constant =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Constant[]
  | Uint8Array
  | RegExp
  | Fields
  | Callable
  | Exports

export interface Fields {
  readonly fields: ReadonlyMap<string, Constant>
  /** Base of an HTTP client: its calls are relative to it. */
  readonly base?: Base
  /** Class that makes the objects, where the value is a class. */
  readonly made?: ClassOf | undefined
}

/** An address, and how a client puts a path behind it. */
export interface Base {
  readonly address: string
  readonly join: 'slash' | 'append' | 'resolve'
  /** Given to a function of which nothing else tells that it makes a client. */
  readonly isGuess?: true
}

/** A class of the script, and what it sees. */
export interface ClassOf {
  readonly node: Node
  readonly scope: Scope
  readonly frame: Frame | null
}

/** Exports of another module of the bundle; each of its names is read when it is asked for. */
export interface Exports {
  readonly exported: (name: string) => Constant
  /** Gives the module, when it is used as a value itself. */
  readonly whole: () => Constant
}

/** A function of the script, and what it sees. */
export interface Callable {
  readonly callable: Node
  readonly scope: Scope
  readonly frame: Frame | null
  /** Called where the property is read. */
  readonly isGetter?: true
}

/** The names of a running function, with their values. */
export interface Frame {
  readonly parent: Frame | null
  readonly values: Map<string, Constant>
  /** How often one of them has become another. */
  changes: number
}

/** How often anything that a function sees has become something else. */
export function changesIn(frame: Frame | null): number {
  let changes = 0
  for (let at = frame; at !== null; at = at.parent) changes += at.changes
  return changes
}

export function isList(value: Constant): value is readonly Constant[] {
  return Array.isArray(value)
}

export function isFields(value: Constant): value is Fields {
  return typeof value === 'object' && value !== null && 'fields' in value
}

export function isExports(value: Constant): value is Exports {
  return typeof value === 'object' && value !== null && 'exported' in value
}

export function isCallable(value: Constant): value is Callable {
  return typeof value === 'object' && value !== null && 'callable' in value
}

/** Says whether a condition is true; `undefined` where that is not known. */
export function truth(value: Constant): boolean | undefined {
  if (value === undefined) return undefined
  return typeof value === 'object' ? value !== null : Boolean(value)
}

/** Counts a text before it is made. @throws OverEffort where it is too long */
export function makeText(length: number, effort: Effort): void {
  pay(effort, 1 + length / charactersInStep, length * 2)
}

/** Counts a list before it is made. @throws OverEffort where it is too long */
export function makeList(length: number, effort: Effort): void {
  pay(effort, 1 + length, length * 8)
}

/** Counts a look at one place of a text: what was put together is copied for it, once. */
export function lookInto({ length }: string, effort: Effort): void {
  pay(effort, length / charactersCopied)
}

const charactersCopied = 256

/** Texts are copied and searched many characters at a time. */
export const charactersInStep = 16

const place = /^(?:0|[1-9]\d{0,8})$/

/** Puts what is listed by its name into the order of the language: numbers first, from the smallest on. */
export function inOrder<T>(listed: readonly T[], nameOf: (one: T) => string): readonly T[] {
  const places = listed.filter((one) => place.test(nameOf(one)))
  if (places.length === 0) return listed
  places.sort((one, other) => Number(nameOf(one)) - Number(nameOf(other)))
  return [...places, ...listed.filter((one) => !place.test(nameOf(one)))]
}

/** How many characters, items or bytes a value has; 1 where it is none of many. */
export function lengthOf(value: Constant): number {
  return typeof value === 'string' || isList(value) || value instanceof Uint8Array ? value.length : 1
}

/** How a value reads inside a string; `undefined` where it is not known. @throws OverEffort */
export function textOf(value: Constant, effort: Effort, depth = 0): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value)
  return isList(value) ? joinedBy(value, ',', effort, depth) : undefined
}

/** Lists in lists, of which no text is made any more. */
const deepest = 100

/** The items of a list as one text; `undefined` where one of them is not known. @throws OverEffort */
export function joinedBy(
  value: readonly Constant[],
  separator: string,
  effort: Effort,
  depth = 0,
): string | undefined {
  makeList(value.length, effort)
  if (depth > deepest) giveUp(effort)
  makeText(separator.length * value.length, effort)
  const parts: string[] = []
  let length = 0
  for (const item of value) {
    const part = textOf(item, effort, depth + 1)
    if (part === undefined) return undefined
    parts.push(part)
    length += part.length
  }
  makeText(length, effort)
  return parts.join(separator)
}
