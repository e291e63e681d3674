import { pay } from '../../../model/effort.ts'
import { makeText } from '../../evaluate/value.ts'
import type { Machine } from '../machine.ts'
import { functionOf, isBytes, isThing, objectOf, Thing, unknown, type Value } from '../values.ts'
import type { Definitions } from './definitions.ts'

/** Defines `JSON`. */
export function defineJson({ machine, define }: Definitions): void {
  define(
    'JSON',
    objectOf({
      parse: functionOf((_, [value, reviver]) => {
        const plain = typeof value === 'string' ? parsed(value, machine) : unknown
        return isThing(reviver) ? revived(objectOf({ '': plain }), '', reviver, machine) : plain
      }),
      stringify: functionOf((_, [value]) => {
        const plain = jsonOf(value, 0, machine)
        return plain === undefined ? unknown : JSON.stringify(plain)
      }),
    }),
  )
}

const deepest = 40

function parsed(written: string, machine: Machine): Value {
  pay(machine.effort, 4 * written.length, 8 * written.length)
  try {
    return fromJson(JSON.parse(written), 0)
  } catch {
    return unknown
  }
}

/** Hands each value to a function, those within others first, and takes what it gives. */
function revived(holder: Thing, name: string, reviver: Thing, machine: Machine): Value {
  const value = holder.fields.get(name)
  if (Array.isArray(value))
    for (const [at, item] of value.entries())
      value[at] = revived(objectOf({ [at]: item }), String(at), reviver, machine)
  else if (isThing(value))
    for (const inner of [...value.fields.keys()])
      value.fields.set(inner, revived(value, inner, reviver, machine))
  return machine.call(reviver, holder, [name, value])
}

function fromJson(value: unknown, depth: number): Value {
  if (depth > deepest) return unknown
  if (Array.isArray(value)) return value.map((item: unknown) => fromJson(item, depth + 1))
  if (typeof value !== 'object' || value === null) return value as Value
  const made = new Thing()
  for (const [name, item] of Object.entries(value)) made.fields.set(name, fromJson(item, depth + 1))
  return made
}

/** A value as JSON has it; `undefined` where it is not known. */
function jsonOf(value: Value, depth: number, machine: Machine): unknown {
  // The text is made of it, too.
  makeText(typeof value === 'string' ? 2 * value.length : 16, machine.effort)
  if (value === unknown || depth > deepest) return '\ufffc'
  if (Array.isArray(value)) return value.map((item) => jsonOf(item, depth + 1, machine))
  if (!isThing(value)) return isBytes(value) || value instanceof RegExp ? undefined : value
  for (const name of value.fields.keys()) makeText(name.length, machine.effort)
  if (value.call !== null) return undefined
  return Object.fromEntries([...value.fields].map(([name, item]) => [name, jsonOf(item, depth + 1, machine)]))
}
