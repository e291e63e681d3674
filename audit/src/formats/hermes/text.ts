import type { Effort } from '../../model/effort.ts'
import { makeList, makeText } from '../../script/evaluate/value.ts'
import { absent, isList, type Value } from './values.ts'

const deepest = 20

/** Gives the text that JavaScript makes of a value; `undefined` where it is not known. @throws OverEffort */
export function textOf(value: Value, effort: Effort, depth = 0): string | undefined {
  if (typeof value === 'string') return value
  if (value === absent) return 'undefined'
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value)
  if (value instanceof Uint8Array) {
    makeText(value.length * 4, effort)
    return Buffer.isBuffer(value) ? value.toString('utf8') : value.join(',')
  }
  if (!isList(value) || depth > deepest) return undefined
  makeList(value.length, effort)
  let length = value.length
  const parts: string[] = []
  for (const item of value) {
    const part = item === absent || item === null ? '' : textOf(item, effort, depth + 1)
    if (part === undefined) return undefined
    parts.push(part)
    length += part.length
  }
  makeText(length, effort)
  return parts.join(',')
}

/** Adds two values as `+` does. */
export function sumOf(left: Value, right: Value, effort: Effort): Value {
  if (typeof left === 'number' && typeof right === 'number') return left + right
  const isText = (value: Value) => typeof value === 'string' || isList(value) || value instanceof Uint8Array
  if (!isText(left) && !isText(right)) return undefined
  const [first, second] = [textOf(left, effort), textOf(right, effort)]
  if (first === undefined || second === undefined) return undefined
  makeText(first.length + second.length, effort)
  return first + second
}

/** Joins values as `join` does; `undefined` where one of them is not known. @throws OverEffort */
export function joined(items: readonly Value[], separator: string, effort: Effort): string | undefined {
  makeList(items.length, effort)
  let length = separator.length * items.length
  const parts: string[] = []
  for (const item of items) {
    const part = item === undefined ? undefined : textOf(item, effort)
    if (part === undefined) return undefined
    parts.push(part)
    length += part.length
  }
  makeText(length, effort)
  return parts.join(separator)
}
