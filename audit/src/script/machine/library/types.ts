import { makeList } from '../../evaluate/value.ts'
import type { Machine } from '../machine.ts'
import { functionOf, isBytes, isThing, objectOf, Thing, unknown, type Value } from '../values.ts'

/** Gives the name of a value's type, as `Object.prototype.toString` tells it; `undefined` where the value is not known. */
export function typeNameOf(value: Value): string | undefined {
  if (value === unknown) return undefined
  if (Array.isArray(value)) return 'Array'
  if (isSymbol(value)) return 'Symbol'
  if (isThing(value)) {
    if (value.call !== null) return 'Function'
    return { map: 'Map', set: 'Set', iterator: 'Iterator', object: 'Object' }[value.kind]
  }
  // The language's own answer is right for all others.
  return Object.prototype.toString.call(value).slice('[object '.length, -1)
}

/** A symbol is a text that no script writes: with two marks, and a number or `for` where a script made it. */
export function isSymbol(value: Value): boolean {
  return typeof value === 'string' && value.startsWith('@@') && symbol.test(value)
}

const symbol = /^@@(?:iterator|asyncIterator|toPrimitive|toStringTag|replace|species|for .*|.* \d+)$/s

/** Says whether a value is an object. */
function isObject(value: Value): boolean {
  return isThing(value) || Array.isArray(value) || isBytes(value) || value instanceof RegExp
}

/** Says whether a value is of a type of the language; `undefined` where neither is known. */
export function isOfType(value: Value, type: string): boolean | undefined {
  if (value === unknown) return undefined
  if (!isObject(value)) return false
  return type === 'Object' || typeNameOf(value) === type.replace(/^Weak/, '')
}

/** Says whether a value has a property that it does not inherit. */
export function hasOwn(value: Value, name: string): boolean | typeof unknown {
  if (value === unknown) return unknown
  if (isThing(value)) return value.fields.has(name) || value.accessors.has(name)
  if (!Array.isArray(value) && typeof value !== 'string' && !isBytes(value)) return false
  return name === 'length' || (/^\d+$/.test(name) && Number(name) < value.length)
}

/** Makes `Object.prototype`. */
export function objectPrototype(machine: Machine): Thing {
  return objectOf({
    toString: functionOf((self) => {
      const tag = isThing(self) ? machine.member(self, '@@toStringTag') : undefined
      const name = typeof tag === 'string' ? tag : typeNameOf(self)
      return name === undefined ? unknown : `[object ${name}]`
    }),
    valueOf: functionOf((self) => self),
    hasOwnProperty: functionOf((self, [name]) => hasOwn(self, machine.textOf(name))),
    propertyIsEnumerable: functionOf((self, [name]) => hasOwn(self, machine.textOf(name))),
    isPrototypeOf: functionOf((self, [value]) => {
      for (let at = isThing(value) ? value.proto : null; at !== null; at = at.proto)
        if (at === self) return true
      return isThing(value) ? false : unknown
    }),
  })
}

/** Copies a value with all that it holds. */
export function cloned(value: Value, machine: Machine, depth = 0): Value {
  if (depth > deepestClone) return unknown
  const inner = (item: Value) => cloned(item, machine, depth + 1)
  if (Array.isArray(value)) {
    makeList(value.length, machine.effort)
    return value.map(inner)
  }
  if (isBytes(value)) {
    makeList(value.length, machine.effort)
    return value.slice()
  }
  if (!isThing(value)) return value
  if (value.call !== null) return unknown
  makeList(value.fields.size * 4, machine.effort)
  const made = new Thing()
  made.kind = value.kind
  for (const [name, item] of value.fields) made.fields.set(name, inner(item))
  for (const name of value.accessors.keys()) made.fields.set(name, inner(machine.member(value, name)))
  if (value.entries !== null)
    made.entries = new Map([...value.entries].map(([key, item]) => [inner(key), inner(item)]))
  return made
}

const deepestClone = 40
