import { pay } from '../../model/effort.ts'
import { hole } from '../../model/mint-call.ts'
import { makeList, makeText } from '../evaluate/value.ts'
import { mostInherited, mostTaken } from './budget.ts'
import { isInherited } from './inheritance.ts'
import { typeNameOf } from './library/types.ts'
import type { Library, Machine } from './machine.ts'
import {
  type Accessor,
  bufferOf,
  functionOf,
  isBytes,
  isThing,
  plainText,
  prototypeOf,
  prototypesOf,
  setField,
  type Thing,
  truthOf,
  unknown,
  type Value,
} from './values.ts'

const stepsOfMember = 3

/** Properties of lists, beside their items. */
const extras = new WeakMap<Value[], Map<string, Value>>()

/** Sets a named property of a list, such as the raw texts of a template. */
export function setExtra(list: Value[], name: string, value: Value): void {
  const own = extras.get(list) ?? new Map<string, Value>()
  extras.set(list, own)
  own.set(name, value)
}

/** How a value reads inside a text, with a hole where it is not known. */
export function textOf(value: Value, machine: Machine): string {
  if (Array.isArray(value)) {
    pay(machine.effort, 1 + value.length)
    const texts = value.map((item) => {
      const text = item === null || item === undefined ? '' : machine.textOf(item)
      makeText(text.length + 1, machine.effort)
      return text
    })
    return texts.join(',')
  }
  if (isThing(value)) {
    for (const name of ['@@toPrimitive', 'toString', 'valueOf']) {
      if (value.traps === null && !isInherited(value, name)) continue
      const method = machine.member(value, name)
      if (!isThing(method) || method.call === null) continue
      const text = machine.call(method, value, ['default'])
      if (!isThing(text)) return machine.textOf(text)
    }
    return hole
  }
  if (isBytes(value)) {
    makeText(value.length * 4, machine.effort)
    return value.join()
  }
  return plainText(value)
}

/** Gives what a loop over a value takes; `null` where that is not known. */
export function iterate(value: Value, machine: Machine): readonly Value[] | null {
  if (Array.isArray(value)) return value
  if (typeof value === 'string' || isBytes(value)) {
    makeList(value.length, machine.effort)
    return [...value]
  }
  if (!isThing(value)) return null
  makeList((value.entries?.size ?? 0) * 4 + Math.max(0, value.items.length - value.next), machine.effort)
  if (value.kind === 'map') return [...(value.entries ?? [])].map(([key, item]): Value => [key, item])
  if (value.kind === 'set') return [...(value.entries?.keys() ?? [])]
  if (value.kind === 'iterator') {
    const rest = value.items.slice(value.next)
    value.next = value.items.length
    return rest
  }
  const own = machine.member(value, '@@iterator') ?? machine.member(value, '@@asyncIterator')
  if (isThing(own) && own.call !== null) {
    const iterator = machine.call(own, value, [])
    return iterator === value ? drained(value, machine) : machine.iterate(iterator)
  }
  return drained(value, machine)
}

/** Takes the values of an iterator of the script until it is done. */
function drained(iterator: Thing, machine: Machine): Value[] | null {
  const next = machine.member(iterator, 'next')
  if (!isThing(next) || next.call === null) return null
  const items: Value[] = []
  while (items.length < mostTaken) {
    const result = machine.call(next, iterator, [])
    if (!isThing(result) || truthOf(machine.member(result, 'done')) !== false) {
      if (isThing(result) && machine.member(result, 'done') === undefined) {
        items.push(machine.member(result, 'value'))
        continue
      }
      break
    }
    items.push(machine.member(result, 'value'))
  }
  return items
}

/** Finds the getter and the setter of a property. */
export function accessorOf(object: Thing, name: string): Accessor | undefined {
  for (
    let at: Thing | null = object, steps = 0;
    at !== null && steps < mostInherited;
    at = at.proto, steps++
  ) {
    const found = at.accessors.get(name)
    if (found !== undefined) return found
    if (at.fields.has(name)) return undefined
  }
  return undefined
}

/** Gives a method that a class has which is derived from patterns, as compilers make for named groups. */
export function ownMethodOf(pattern: RegExp, name: string): Value {
  const proto = prototypesOf.get(pattern)
  return proto?.fields.get(name)
}

/** Reads a property. */
export function memberOf(object: Value, name: string, machine: Machine, library: Library): Value {
  if (object === unknown || object === null || object === undefined) return library.hook(name) ?? unknown
  if (isThing(object)) {
    if (object.traps?.get != null) return object.traps.get(name)
    for (
      let at: Thing | null = object, steps = 0;
      at !== null && steps < mostInherited;
      at = at.proto, steps++
    ) {
      const accessor = at.accessors.get(name)
      if (accessor !== undefined) return machine.call(accessor.get, object, [])
      if (at.fields.has(name)) return at.fields.get(name)
    }
    const proto = name === 'prototype' ? prototypeOf(object) : null
    if (proto !== null) return proto
    if (name === 'size' && object.entries !== null) return object.entries.size
    if (name === 'length' && object.arity !== null) return object.arity
  } else if (Array.isArray(object) || isBytes(object) || typeof object === 'string') {
    if (name === 'length') return object.length
    if (/^\d+$/.test(name)) return object[Number(name)]
    if (isBytes(object) && name === 'buffer') return bufferOf(object)
    if (isBytes(object) && name === 'byteLength') return object.byteLength
    const proto = typeof object === 'string' ? undefined : prototypesOf.get(object)
    const added = proto === undefined || !isInherited(proto, name) ? undefined : machine.member(proto, name)
    if (added !== undefined) return added
    const extra = Array.isArray(object) ? extras.get(object)?.get(name) : undefined
    if (extra !== undefined) return extra
  } else if (object instanceof RegExp) {
    const own = ownMethodOf(object, name)
    if (own !== undefined) return own
    if (name === 'source') return object.source
    if (name === 'lastIndex') return object.lastIndex
  }
  const extension = library.extension(object, name)
  if (extension !== undefined) return extension
  if (name === 'constructor') return library.global(typeNameOf(object) ?? '')?.value ?? unknown
  if (!mayHave(object, name)) return undefined
  return functionOf((self, args) => library.method(self, name, args)?.value ?? unknown)
}

/** Says whether the language may give a value that property: one that it has not, such as `__esModule`, is no value. */
function mayHave(object: Value, name: string): boolean {
  if (isThing(object)) {
    if (name === '@@asyncIterator') return object.isAsync
    if (object.kind !== 'object' || object.isNative) return true
    return name in (object.call === null ? Object.prototype : Function.prototype)
  }
  return (name.startsWith('@@') && name !== '@@asyncIterator') || name in Object(object)
}

/** Gives a property a value. */
export function setMember(object: Value, name: string, value: Value, machine: Machine): void {
  pay(machine.effort, stepsOfMember, 16)
  if (isThing(object)) {
    if (object.traps?.set != null) {
      object.traps.set(name, value)
      return
    }
    const accessor = accessorOf(object, name)
    if (accessor === undefined) setField(object, name, value)
    else machine.call(accessor.set, object, [value])
    return
  }
  if (Array.isArray(object) || isBytes(object)) {
    if (name === 'length' && Array.isArray(object) && typeof value === 'number') {
      if (value >= 0 && value <= object.length) object.length = value
      return
    }
    if (/^\d{1,6}$/.test(name)) {
      const index = Number(name)
      if (isBytes(object)) {
        if (typeof value === 'number') object[index] = value
        return
      }
      if (index > object.length) pay(machine.effort, index - object.length, 8 * (index - object.length))
      while (object.length < index) object.push(undefined)
      object[index] = value
      return
    }
    if (Array.isArray(object)) {
      const own = extras.get(object) ?? new Map<string, Value>()
      extras.set(object, own)
      own.set(name, value)
    }
  }
}
