import type { Effort } from '../../model/effort.ts'
import { makeList } from '../../script/evaluate/value.ts'
import { boxedCharacter, joinTexts, textOf } from '../text.ts'
import { createInstance, type Instance, isArray, isInstance, type Value } from '../value.ts'

/** Services that a library call needs from the machine that makes it. */
export interface Host {
  readonly effort: Effort
  call(lambda: Value, method: string, args: readonly Value[]): Value
}

export interface Call {
  readonly name: string
  readonly descriptor: string
  /** The types of the parameters, without the receiver. */
  readonly types: readonly string[]
  /** With the receiver, where the method has one. */
  readonly args: readonly Value[]
  readonly host: Host
}

export type Reading = (call: Call) => Value

/** Gives the items of an array, a collection or an iterator. */
export function itemsOf(value: Value): readonly Value[] | undefined {
  if (isArray(value)) return value.items
  return isInstance(value) && value.type !== boxedCharacter ? value.items : undefined
}

export function collection(type: string, items: readonly Value[], effort: Effort): Instance {
  makeList(items.length, effort)
  const made = createInstance(type)
  made.items = [...items]
  return made
}

export const listType = 'java/util/ArrayList'

/** Gives the arguments of a method that takes any number of them, or one array. */
export function variadic({ types, args }: Call): readonly Value[] {
  const [only] = args
  return types.length === 1 ? (itemsOf(only) ?? [only]) : args
}

export function joined(
  items: readonly Value[] | undefined,
  separator: string | undefined,
  effort: Effort,
): string | undefined {
  if (items === undefined) return undefined
  makeList(items.length, effort)
  return separatorJoined(items.map(textOf), separator, effort)
}

export function separatorJoined(
  texts: readonly (string | undefined)[],
  separator: string | undefined,
  effort: Effort,
): string | undefined {
  return separator === undefined ? undefined : joinTexts(texts, separator, effort)
}
