import type { Library, Machine } from '../machine.ts'
import { functionOf, isBytes, isThing, Thing, unknown, type Value } from '../values.ts'
import { defineAddresses } from './addresses.ts'
import { defineArrays, listFrom } from './arrays.ts'
import { defineBytes } from './bytes.ts'
import { defineCode } from './code.ts'
import { defineCollections } from './collections.ts'
import type { Definitions } from './definitions.ts'
import { defineEncodings } from './encodings.ts'
import { hooksOf } from './hooks.ts'
import { defineJson } from './json.ts'
import { bytesMethod, listMethod } from './list-methods.ts'
import { defineNumbers, numberMethod } from './numbers.ts'
import { callMethod, mapMethod } from './object-methods.ts'
import { defineObjects } from './objects.ts'
import { definePromises, promised } from './promises.ts'
import { defineStorages } from './storages.ts'
import { defineStrings } from './strings.ts'
import { textMethod } from './text-methods.ts'

const definitions: readonly ((definitions: Definitions) => void)[] = [
  defineStrings,
  defineEncodings,
  defineNumbers,
  defineArrays,
  defineBytes,
  defineObjects,
  defineJson,
  defineCollections,
  definePromises,
  defineAddresses,
  defineStorages,
  defineCode,
]

/** Types that scripts give further methods. */
const extendable: readonly {
  readonly global: 'String' | 'Number' | 'RegExp' | 'Array'
  readonly isOf: (value: Value) => boolean
}[] = [
  { global: 'String', isOf: (value) => typeof value === 'string' },
  { global: 'Number', isOf: (value) => typeof value === 'number' },
  { global: 'RegExp', isOf: (value) => value instanceof RegExp },
  { global: 'Array', isOf: (value) => Array.isArray(value) },
]

/** Makes the globals and methods that scripts put texts together with. */
export function createLibrary(machine: Machine): Library {
  const globals = new Map<string, Value>()
  const window = new Thing()
  const define = (name: string, value: Value) => {
    globals.set(name, value)
    window.fields.set(name, value)
  }
  for (const add of definitions) add({ machine, define })
  for (const name of ['window', 'globalThis', 'self', 'global']) define(name, window)
  // Names of module systems, which a page does not have.
  for (const name of ['exports', 'module', 'define']) globals.set(name, undefined)
  const prototypes = extendable.map(({ global, isOf }) => {
    const prototype = functionOf(() => unknown)
    const holder = globals.get(global) as Value
    if (isThing(holder)) holder.fields.set('prototype', prototype)
    const own = globalThis[global].prototype
    prototype.traps = { get: null, set: null, has: (name) => name in own }
    return { prototype, isOf }
  })
  // Their methods take what is like a list, too, or a pattern: `Array.prototype.slice.call('text')`.
  for (const { prototype } of prototypes.slice(-2))
    prototype.traps = {
      ...prototype.traps,
      get: (name) =>
        prototype.fields.get(name) ??
        functionOf((self, args) => {
          const result = methodOf(listLike(self, machine), name, args, machine)
          return result === null ? unknown : result.value
        }),
      set: null,
    }
  const hooks = hooksOf(machine)
  const types = new Map<Value, string>()
  for (const [name, value] of globals) if (isThing(value) && value.call !== null) types.set(value, name)
  return {
    extension(object, name) {
      for (const { prototype, isOf } of prototypes) {
        if (prototype === object || prototype.fields.size === 0 || !isOf(object)) continue
        const added = prototype.fields.get(name)
        if (added !== undefined) return added
      }
      return undefined
    },
    hook: (name) => hooks.get(name),
    typeOf: (type) => types.get(type),
    global: (name) => (globals.has(name) ? { value: globals.get(name) } : undefined),
    method(self, name, args) {
      const isNothing = self === unknown || self === null || self === undefined
      return (isNothing ? null : methodOf(self, name, args, machine)) ?? promised(self, name, args, machine)
    },
  }
}

/** Gives the items of a text or of an object with a length, as a list; anything else as it is. */
function listLike(value: Value, machine: Machine): Value {
  if (typeof value !== 'string' && !isThing(value)) return value
  return listFrom([value], machine)
}

function methodOf(
  self: Value,
  name: string,
  args: readonly Value[],
  machine: Machine,
): { readonly value: Value } | null {
  if (typeof self === 'string' || self instanceof RegExp) return textMethod(self, name, args, machine)
  if (Array.isArray(self)) return listMethod(self, name, args, machine)
  if (isBytes(self)) return bytesMethod(self, name, args, machine)
  if (isThing(self)) return mapMethod(self, name, args, machine) ?? callMethod(self, name, args, machine)
  return typeof self === 'number' || typeof self === 'bigint' ? numberMethod(self, name, args) : null
}
