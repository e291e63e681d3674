import type { Node, Scope } from './scope.ts'

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

export interface Fields {
  readonly fields: ReadonlyMap<string, Constant>
}

/** A function of the script, and what it sees. */
export interface Callable {
  readonly callable: Node
  readonly scope: Scope
  readonly frame: Frame | null
}

/** What the names of a running function hold. */
export interface Frame {
  readonly parent: Frame | null
  readonly values: Map<string, Constant>
}

export function isList(value: Constant): value is readonly Constant[] {
  return Array.isArray(value)
}

export function isFields(value: Constant): value is Fields {
  return typeof value === 'object' && value !== null && 'fields' in value
}

export function isCallable(value: Constant): value is Callable {
  return typeof value === 'object' && value !== null && 'callable' in value
}

/** What a condition comes to; `undefined` where that is not known. */
export function truth(value: Constant): boolean | undefined {
  if (value === undefined) return undefined
  return typeof value === 'object' ? value !== null : Boolean(value)
}

/** How a value reads inside a string; `undefined` where it is not known. */
export function textOf(value: Constant): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value)
  if (!isList(value)) return undefined
  const parts = value.map(textOf)
  return parts.every((part) => part !== undefined) ? parts.join(',') : undefined
}
