import type { Effort } from '../../model/effort.ts'
import { makeList, makeText } from '../../script/evaluate/value.ts'
import { createCollection, createThing, isList, itemsOf, type Value } from './values.ts'

const encodings = new Set(['utf8', 'utf-8', 'base64', 'base64url', 'hex', 'latin1', 'binary', 'ascii'])
const mostItems = 65_536

export function textOfBytes(bytes: Uint8Array, encoding: string, effort: Effort): string | undefined {
  makeText(bytes.length * 2, effort)
  return encodings.has(encoding) ? Buffer.from(bytes).toString(encoding as 'utf8') : undefined
}

/** Calls `Buffer.from` or `Buffer.concat`. */
export function bytesFrom(member: string, [first, second]: readonly Value[], effort: Effort): Value {
  if (member === 'concat') {
    const parts = itemsOf(first)?.filter((part) => part instanceof Uint8Array) as Uint8Array[] | undefined
    if (parts === undefined || !isList(first) || parts.length !== first.length) return undefined
    makeList(
      parts.reduce((sum, { length }) => sum + length, 0),
      effort,
    )
    return Buffer.concat(parts)
  }
  if (member !== 'from') return undefined
  if (typeof first === 'string') {
    const encoding = typeof second === 'string' ? second : 'utf8'
    makeText(first.length, effort)
    return encodings.has(encoding) ? Buffer.from(first, encoding as 'utf8') : undefined
  }
  const numbers = numbersIn(first, effort)
  return numbers === undefined ? undefined : Buffer.from(numbers)
}

function numbersIn(value: Value, effort: Effort): number[] | undefined {
  if (!isList(value) && !(value instanceof Uint8Array)) return undefined
  makeList(value.length, effort)
  const items = [...value]
  return items.every((item) => typeof item === 'number') ? (items as number[]) : undefined
}

/** Makes an object of a class of the engine; `undefined` of any other. */
export function constructed(name: string, args: readonly Value[], effort: Effort): Value {
  const [first] = args
  if (name === 'Array') {
    if (args.length !== 1 || typeof first !== 'number') return [...args]
    return first < 0 || first > mostItems ? undefined : listOf(first, undefined, effort)
  }
  if (/^(?:Weak)?(?:Map|Set)$/.test(name))
    return collectionOf(name.replace('Weak', '') as 'Map' | 'Set', itemsOf(first) ?? [], effort)
  if (name === 'TextDecoder' || name === 'TextEncoder') return createThing({ kind: 'native', path: name })
  if (name === 'Object') return createThing()
  if (name === 'String') return typeof first === 'string' ? first : undefined
  if (!/^(?:Uint|Int|Float)\d+(?:Clamped)?Array$/.test(name)) return undefined
  // An array of a buffer is a view.
  if (first instanceof Uint8Array && name === 'Uint8Array' && !Buffer.isBuffer(first))
    return first.subarray(typeof args[1] === 'number' ? args[1] : 0)
  const numbers =
    typeof first === 'number' && first >= 0 && first <= mostItems
      ? listOf(first, 0, effort)
      : numbersIn(first, effort)
  if (numbers === undefined) return undefined
  return name.startsWith('Uint8') ? new Uint8Array(numbers as number[]) : numbers
}

function listOf(length: number, item: Value, effort: Effort): Value[] {
  makeList(length, effort)
  return new Array<Value>(length).fill(item)
}

function collectionOf(name: 'Map' | 'Set', items: readonly Value[], effort: Effort): Value {
  makeList(items.length, effort)
  const pairs = items.map((item): readonly [Value, Value] =>
    name === 'Map' && isList(item) ? [item[0], item[1]] : [item, item],
  )
  return createCollection(
    name,
    pairs.filter(([key]) => key !== undefined),
  )
}
