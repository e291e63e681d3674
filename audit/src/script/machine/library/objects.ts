import { type Effort, pay } from '../../../model/effort.ts'
import { makeList } from '../../evaluate/value.ts'
import type { Machine } from '../machine.ts'
import { accessorOf, setExtra } from '../members.ts'
import {
  addAccessor,
  functionOf,
  isBytes,
  isThing,
  type Native,
  namesOf,
  objectOf,
  prototypeOf,
  prototypesOf,
  setField,
  Thing,
  unknown,
  type Value,
} from '../values.ts'
import type { Definitions } from './definitions.ts'
import { cloned, hasOwn, objectPrototype } from './types.ts'

/** Defines `Object` and `Reflect`. */
export function defineObjects({ machine, define }: Definitions): void {
  const text = (value: Value) => machine.textOf(value)
  const itself = functionOf((_, [value]) => value)
  const object = functionOf((_, [value]) => value ?? new Thing())
  for (const name of ['freeze', 'seal', 'preventExtensions']) object.fields.set(name, itself)
  for (const name of ['isFrozen', 'isSealed'])
    object.fields.set(
      name,
      functionOf((_, [value]) => !isThing(value) && !Array.isArray(value)),
    )
  object.fields.set(
    'isExtensible',
    functionOf((_, [value]) => isThing(value) || Array.isArray(value)),
  )
  object.fields.set(
    'setPrototypeOf',
    functionOf((_, [value, proto]) => {
      if (isThing(value) && (isThing(proto) || proto === null) && value !== proto) value.proto = proto
      else if ((isBytes(value) || value instanceof RegExp) && isThing(proto)) prototypesOf.set(value, proto)
      return value
    }),
  )
  const prototype = objectPrototype(machine)
  prototype.fields.set('constructor', object)
  object.fields.set('prototype', prototype)
  define(
    'structuredClone',
    functionOf((_, [value]) => cloned(value, machine)),
  )
  const statics = staticsOf(machine, prototype)
  for (const [name, native] of Object.entries(statics)) object.fields.set(name, functionOf(native))
  define('Object', object)
  define(
    'Reflect',
    objectOf({
      get: functionOf((_, [value, name, receiver]) => {
        const accessor = isThing(value) && isThing(receiver) ? accessorOf(value, text(name)) : undefined
        return accessor === undefined
          ? machine.member(value, text(name))
          : machine.call(accessor.get, receiver, [])
      }),
      set: functionOf((_, [value, name, item]) => {
        machine.setMember(value, text(name), item)
        return true
      }),
      has: functionOf((_, [value, name]) =>
        isThing(value) ? machine.member(value, text(name)) !== undefined : unknown,
      ),
      ownKeys: functionOf(statics['keys'] as Native),
      defineProperty: functionOf((_, [target, name, how]) => {
        defineProperty(target, text(name), how)
        return true
      }),
      getPrototypeOf: functionOf(statics['getPrototypeOf'] as Native),
      getOwnPropertyDescriptor: functionOf(statics['getOwnPropertyDescriptor'] as Native),
      apply: functionOf((_, [callee, self, args]) => machine.call(callee, self, machine.iterate(args) ?? [])),
      construct: functionOf((_, [callee, args, made]) => {
        const result = machine.construct(callee, machine.iterate(args) ?? [])
        // A class that old code derives makes its objects by the class it is derived from.
        if (isThing(made) && isThing(result) && isThing(callee) && result.proto === prototypeOf(callee))
          result.proto = prototypeOf(made)
        return result
      }),
    }),
  )
  defineProxy({ machine, define })
}

function staticsOf(machine: Machine, prototype: Thing): Record<string, Native> {
  const { effort } = machine
  const text = (value: Value) => machine.textOf(value)
  const entriesOf = (value: Value) => entriesIn(value, machine)
  return {
    assign: (_, [target, ...sources]) => copyFields(target, sources, machine),
    entries: (_, [value]) => entriesOf(value)?.map(([name, item]): Value => [name, item]) ?? unknown,
    values: (_, [value]) => entriesOf(value)?.map(([, item]) => item) ?? unknown,
    keys: (_, [value]) => entriesOf(value)?.map(([name]) => name) ?? unknown,
    getOwnPropertyNames: (_, [value]) => entriesOf(value)?.map(([name]) => name) ?? unknown,
    create: (_, [proto, all]) => {
      const made = new Thing(isThing(proto) ? proto : null)
      defineAll(made, all, effort)
      return made
    },
    getOwnPropertySymbols: (_, [value]) => (isThing(value) ? [] : unknown),
    getOwnPropertyDescriptor: (_, [value, name]) => descriptorOf(value, text(name), effort),
    getOwnPropertyDescriptors: (_, [value]) => {
      if (!isThing(value)) return unknown
      const made = new Thing()
      for (const name of [...value.fields.keys(), ...value.accessors.keys()])
        made.fields.set(name, descriptorOf(value, name, effort))
      return made
    },
    getPrototypeOf: (_, [value]) => {
      if (value === prototype) return null
      if (!isThing(value)) return machine.member(machine.member(value, 'constructor'), 'prototype')
      if (value.proto !== null || value.call === null) return value.proto ?? prototype
      return machine.member(machine.library.global('Function')?.value, 'prototype')
    },
    fromEntries: (_, [pairs]) => {
      const made = new Thing()
      for (const pair of machine.iterate(pairs) ?? []) {
        pay(effort, 4, 32)
        if (Array.isArray(pair)) made.fields.set(machine.textOf(pair[0]), pair[1])
      }
      return made
    },
    defineProperty: (_, [target, name, how]) => {
      defineProperty(target, text(name), how)
      return target
    },
    defineProperties: (_, [target, all]) => {
      defineAll(target, all, effort)
      return target
    },
    hasOwn: (_, [value, name]) => hasOwn(value, text(name)),
    is: (_, [one, other]) => (one === unknown || other === unknown ? unknown : Object.is(one, other)),
  }
}

function copyFields(target: Value, sources: readonly Value[], machine: Machine): Value {
  const { effort } = machine
  if (!isThing(target)) return unknown
  for (const source of sources) {
    if (!isThing(source)) continue
    pay(effort, 4 * source.fields.size, 64 * source.fields.size)
    for (const name of source.fields.keys()) target.fields.set(name, machine.member(source, name))
    for (const name of source.accessors.keys()) target.fields.set(name, machine.member(source, name))
  }
  return target
}

function entriesIn(value: Value, machine: Machine): [string, Value][] | null {
  const { effort } = machine
  if (Array.isArray(value) || typeof value === 'string') {
    makeList(value.length * 4, effort)
    return [...value].map((item, at) => [String(at), item])
  }
  if (!isThing(value)) return null
  makeList(value.fields.size * 4, effort)
  return namesOf(value)
    .filter((name) => !name.startsWith('@@') && !name.startsWith('#') && name !== 'constructor')
    .map((name) => [name, machine.member(value, name)])
}

function defineAll(object: Value, all: Value, effort: Effort): void {
  if (!isThing(all)) return
  for (const [name, how] of all.fields) {
    pay(effort, 4, 32)
    defineProperty(object, name, how)
  }
}

function defineProperty(object: Value, name: string, how: Value): void {
  if (!isThing(how)) return
  const [get, set, value] = ['get', 'set', 'value'].map((field) => how.fields.get(field))
  if (Array.isArray(object)) {
    if (value !== undefined) setExtra(object, name, value)
  } else if (isThing(object)) {
    if (get !== undefined) addAccessor(object, name, { get, set })
    else if (how.fields.has('value')) setField(object, name, value)
  }
}

/** Describes a property as `defineProperty` takes it. */
function descriptorOf(object: Value, name: string, effort: Effort): Value {
  if (!isThing(object)) return unknown
  pay(effort, 4, 128)
  const accessor = object.accessors.get(name)
  const shared = { enumerable: true, configurable: true }
  if (accessor !== undefined) return objectOf({ ...accessor, ...shared })
  if (!object.fields.has(name)) return undefined
  return objectOf({ value: object.fields.get(name), writable: true, ...shared })
}

/** Proxies ask their handler where that answers by itself, and their object otherwise. */
function defineProxy({ machine, define }: Definitions): void {
  const { effort } = machine
  const proxy: Native = (_, [target, handler]) => {
    const [get, set, apply, deleteProperty] = ['get', 'set', 'apply', 'deleteProperty'].map((name) => {
      const trap = isThing(handler) ? machine.member(handler, name) : undefined
      return isThing(trap) && trap.call !== null ? trap : null
    })
    if (get == null && set == null && apply == null) return target
    if (!isThing(target)) return target
    const made = new Thing(target)
    pay(effort, 4, 96)
    made.traps = {
      get: get == null ? null : (name) => machine.call(get, handler, [target, name, made]),
      set: (name, value) => {
        if (set == null) machine.setMember(target, name, value)
        else machine.call(set, handler, [target, name, value, made])
      },
      remove: (name) => {
        if (deleteProperty == null) target.fields.delete(name)
        else machine.call(deleteProperty, handler, [target, name])
      },
    }
    made.call =
      target.call === null
        ? null
        : (self, args) =>
            apply == null
              ? machine.call(target, self, args)
              : machine.call(apply, handler, [target, self, [...args]])
    return made
  }
  const maker = functionOf(proxy)
  const revoke = functionOf(() => undefined)
  maker.fields.set(
    'revocable',
    functionOf((self, args) => objectOf({ proxy: proxy(self, args), revoke })),
  )
  define('Proxy', maker)
}
