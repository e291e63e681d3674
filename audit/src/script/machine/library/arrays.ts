import { makeList } from '../../evaluate/value.ts'
import type { Machine } from '../machine.ts'
import {
  type Bytes,
  functionOf,
  isBuffer,
  isBytes,
  isThing,
  type Native,
  prototypesOf,
  type Thing,
  unknown,
  type Value,
} from '../values.ts'
import type { Definitions } from './definitions.ts'

/** Defines `Array`, and typed arrays of small whole numbers. */
export function defineArrays({ machine, define }: Definitions): void {
  const { effort } = machine
  const array = functionOf((self, args) => {
    const [first] = args
    // An object of a class that extends it.
    if (Array.isArray(self) && prototypesOf.has(self)) {
      makeList(args.length, effort)
      for (const arg of args) self.push(arg)
      return self
    }
    if (args.length !== 1 || typeof first !== 'number') return [...args]
    if (!(first >= 0 && first < longest)) return unknown
    makeList(first, effort)
    return Array.from({ length: Math.trunc(first) }, () => undefined)
  })
  array.fields.set(
    'from',
    functionOf((_, args) => listFrom(args, machine)),
  )
  array.fields.set(
    'of',
    functionOf((_, args) => [...args]),
  )
  array.fields.set(
    'isArray',
    functionOf((_, [value]) => (value === unknown ? unknown : Array.isArray(value))),
  )
  define('Array', array)
  defineTypedArrays({ machine, define })
}

function defineTypedArrays({ machine, define }: Definitions): void {
  const { effort } = machine
  const kinds = {
    Uint8Array,
    Uint8ClampedArray,
    Uint16Array,
    Uint32Array,
    Int8Array,
    Int16Array,
    Int32Array,
    Float32Array,
    Float64Array,
  }
  for (const [name, Kind] of Object.entries(kinds)) {
    const make: Native = (_, [from, offset, length]) => {
      if (typeof from === 'number') {
        if (!(from >= 0 && from < longest)) return unknown
        makeList(from, effort)
        return new Kind(from)
      }
      if (isBytes(from)) {
        makeList(from.length, effort)
        if (!isBuffer(from)) return Kind.from(from)
        return viewOf(Kind, from, offset, length)
      }
      const items = machine.iterate(from)
      if (items === null || !items.every((item) => typeof item === 'number')) return unknown
      makeList(items.length, effort)
      return Kind.from(items as number[])
    }
    const kind = functionOf(make)
    kind.fields.set(
      'from',
      functionOf((self, args) => {
        const items = listFrom(args, machine)
        return items === unknown ? unknown : make(self, [items])
      }),
    )
    if (name === 'Uint8Array')
      for (const encoding of ['base64', 'hex'] as const)
        kind.fields.set(
          encoding === 'hex' ? 'fromHex' : 'fromBase64',
          functionOf((_, [text]) => {
            if (typeof text !== 'string') return unknown
            makeList(text.length, effort)
            return new Uint8Array(Buffer.from(text, encoding))
          }),
        )
    kind.fields.set(
      'of',
      functionOf((self, args) => make(self, [[...args]])),
    )
    define(name, kind)
  }
}

type Kind = {
  readonly BYTES_PER_ELEMENT: number
  new (buffer: ArrayBufferLike, offset: number, length: number): Bytes
}

/** Makes an array of a buffer, in place. */
function viewOf(Kind: Kind, buffer: Bytes, offset: Value, length: Value): Value {
  const size = Kind.BYTES_PER_ELEMENT
  const from = typeof offset === 'number' ? offset : 0
  const count = typeof length === 'number' ? length : Math.floor((buffer.byteLength - from) / size)
  const isWithin = from >= 0 && count >= 0 && from + count * size <= buffer.byteLength
  if (!isWithin || (buffer.byteOffset + from) % size !== 0) return unknown
  return new Kind(buffer.buffer, buffer.byteOffset + from, count)
}

const longest = 1_000_000

/** Makes a list of what a loop over a value takes, or of an object with a length. */
export function listFrom([from, each]: readonly Value[], machine: Machine): Value {
  let items = machine.iterate(from)
  const length = isThing(from) ? machine.member(from, 'length') : undefined
  if (
    (items === null || items.length === 0) &&
    typeof length === 'number' &&
    length > 0 &&
    length < longest
  ) {
    makeList(length, machine.effort)
    items = Array.from({ length }, (_, at) => (from as Thing).fields.get(String(at)))
  }
  if (items === null) return unknown
  makeList(items.length, machine.effort)
  return each === undefined ? [...items] : items.map((item, at) => machine.call(each, undefined, [item, at]))
}
