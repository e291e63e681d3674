import { hole } from '../../model/mint-call.ts'
import { inOrder } from '../evaluate/value.ts'

/** A value that depends on something outside of the script. */
export const unknown = Symbol('unknown')

export type Value =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | typeof unknown
  | Value[]
  | Bytes
  | RegExp
  | Thing

/** Typed arrays of numbers. */
export type Bytes =
  | Uint8Array
  | Uint8ClampedArray
  | Uint16Array
  | Uint32Array
  | Int8Array
  | Int16Array
  | Int32Array
  | Float32Array
  | Float64Array

export type Native = (self: Value, args: readonly Value[]) => Value

/** A getter or a setter in the place of a value. */
export interface Accessor {
  readonly get: Value
  readonly set: Value
}

interface Traps {
  readonly get: ((name: string) => Value) | null
  readonly set: ((name: string, value: Value) => void) | null
  readonly remove?: (name: string) => void
  /** Says whether it has a property beside its fields. */
  readonly has?: (name: string) => boolean
}

const noAccessors = new Map<string, Accessor>()

/** An object, a class or a function. */
export class Thing {
  readonly fields = new Map<string, Value>()
  accessors: Map<string, Accessor> = noAccessors
  proto: Thing | null
  /** Makes it callable. */
  call: ((self: Value, args: readonly Value[], made?: Thing) => Value) | null = null
  isClass = false
  /** Parameters of a function before one that may be left out; `null` where that is not known. */
  arity: number | null = null
  /** Prototype that a function was put on by hand, as compilers for old browsers do. */
  owner: Thing | null = null
  isArrow = false
  /** The library's: what else it has is not known. */
  isNative = false
  /** Entries of a map or a set, or what an iterator still has to give. */
  entries: Map<Value, Value> | null = null
  kind: 'object' | 'map' | 'set' | 'iterator' = 'object'
  /** An iterator of an asynchronous generator. */
  isAsync = false
  items: Value[] = []
  next = 0
  /** Traps of a proxy: each is asked before the object itself. */
  traps: Traps | null = null

  constructor(proto: Thing | null = null) {
    this.proto = proto
  }
}

export function addAccessor(holder: Thing, name: string, accessor: Partial<Accessor>): void {
  if (holder.accessors === noAccessors) holder.accessors = new Map()
  holder.accessors.set(name, { get: undefined, set: undefined, ...holder.accessors.get(name), ...accessor })
}

/** Gives a property a value; a function on a prototype is a method of it. */
export function setField(object: Thing, name: string, value: Value): void {
  object.fields.set(name, value)
  if (isThing(value) && value.call !== null && name !== 'constructor' && object.fields.has('constructor'))
    value.owner = object
}

/** Gives the prototype of a function's objects; it is made when it is first asked for. */
export function prototypeOf(callable: Thing): Thing | null {
  const own = callable.fields.get('prototype')
  if (isThing(own)) return own
  if (callable.call === null || callable.isArrow || own !== undefined) return null
  const made = new Thing()
  made.fields.set('constructor', callable)
  callable.fields.set('prototype', made)
  return made
}

export function functionOf(call: Native): Thing {
  const made = new Thing()
  made.call = call
  made.isArrow = true
  made.isNative = true
  return made
}

export function objectOf(fields: Readonly<Record<string, Value>>): Thing {
  const made = new Thing()
  for (const [name, value] of Object.entries(fields)) made.fields.set(name, value)
  return made
}

/** @param result is what a generator returns after its last item */
export function iteratorOf(items: Value[], result?: Value): Thing {
  const made = new Thing()
  made.kind = 'iterator'
  made.items = items
  if (result !== undefined) made.fields.set(resultOfIterator, result)
  return made
}

export const resultOfIterator = '@@result'

export function isBytes(value: Value): value is Bytes {
  return ArrayBuffer.isView(value)
}

/** Prototypes that scripts put lists and typed arrays on: by a class that extends `Array`, or as the package `buffer` does. */
export const prototypesOf = new WeakMap<Bytes | Value[] | RegExp, Thing>()

const buffers = new WeakSet<Bytes>()

/** Gives the bytes of a typed array as its buffer, from which other arrays are made without a copy. */
export function bufferOf(bytes: Bytes): Uint8Array {
  const buffer = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  buffers.add(buffer)
  return buffer
}

export function isBuffer(value: Bytes): boolean {
  return buffers.has(value)
}

export function isThing(value: Value): value is Thing {
  return value instanceof Thing
}

/** Lists the names of an object's own properties. */
export function namesOf({ fields, accessors }: Thing): readonly string[] {
  return inOrder([...fields.keys(), ...accessors.keys()], (name) => name)
}

/** Says whether a condition is true; `undefined` where that is not known. */
export function truthOf(value: Value): boolean | undefined {
  return value === unknown ? undefined : Boolean(value)
}

/** How a value that is no object reads inside a text, with a hole where it is not known. */
export function plainText(value: Value): string {
  return value === unknown || isThing(value) || value instanceof RegExp ? hole : String(value)
}
