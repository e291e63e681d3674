import { pay } from '../../../model/effort.ts'
import { makeList, makeText } from '../../evaluate/value.ts'
import {
  type Bytes,
  bufferOf,
  functionOf,
  isBytes,
  type Native,
  objectOf,
  unknown,
  type Value,
} from '../values.ts'
import type { Definitions } from './definitions.ts'

/** Defines what makes texts of bytes, and bytes of texts. */
export function defineBytes({ machine, define }: Definitions): void {
  const { effort } = machine
  const bytesOf: Native = (_, [from, encoding = 'utf8']) => {
    if (typeof from === 'string') {
      makeText(from.length * 2, effort)
      return typeof encoding === 'string' && Buffer.isEncoding(encoding)
        ? new Uint8Array(Buffer.from(from, encoding))
        : unknown
    }
    if (isBytes(from)) return from
    const items = machine.iterate(from)
    if (items === null || !items.every((item) => typeof item === 'number')) return unknown
    makeList(items.length, effort)
    return Uint8Array.from(items as number[])
  }
  const buffer = functionOf(bytesOf)
  buffer.fields.set('from', functionOf(bytesOf))
  buffer.fields.set(
    'alloc',
    functionOf((_, [size]) => {
      if (typeof size !== 'number' || !(size >= 0 && size < 1_000_000)) return unknown
      makeList(size, effort)
      return new Uint8Array(size)
    }),
  )
  buffer.fields.set(
    'concat',
    functionOf((_, [list]) => {
      const parts = machine.iterate(list)
      if (parts === null || !parts.every(isBytes)) return unknown
      makeList(
        (parts as Bytes[]).reduce((sum, { length }) => sum + length, 0),
        effort,
      )
      const items = (parts as Bytes[]).flatMap((part) => [...part])
      return Uint8Array.from(items)
    }),
  )
  define('Buffer', buffer)
  defineBuffers({ machine, define })
  define(
    'TextDecoder',
    functionOf((_, [encoding = 'utf-8']) =>
      objectOf({
        decode: functionOf((_, [bytes]) => {
          const made = bytesOf(unknown, [bytes])
          if (!isBytes(made) || typeof encoding !== 'string') return unknown
          makeText(made.byteLength, effort)
          const whole = Buffer.from(made.buffer, made.byteOffset, made.byteLength)
          return /16/.test(encoding) ? whole.toString('utf16le') : whole.toString('utf8')
        }),
      }),
    ),
  )
  define(
    'TextEncoder',
    functionOf(() => objectOf({ encode: functionOf((_, [value]) => bytesOf(unknown, [value])) })),
  )
}

const longestBuffer = 1_000_000
const viewed = {
  Int8: 1,
  Uint8: 1,
  Int16: 2,
  Uint16: 2,
  Int32: 4,
  Uint32: 4,
  Float32: 4,
  Float64: 8,
} as const

/** Defines buffers, and views that read and write their numbers. */
function defineBuffers({ machine, define }: Definitions): void {
  const { effort } = machine
  const buffer = functionOf((_, [size]) => {
    if (typeof size !== 'number' || !(size >= 0 && size < longestBuffer)) return unknown
    makeList(size, effort)
    return bufferOf(new Uint8Array(size))
  })
  buffer.fields.set(
    'isView',
    functionOf((_, [value]) => (value === unknown ? unknown : isBytes(value))),
  )
  define('ArrayBuffer', buffer)
  define(
    'DataView',
    functionOf((_, [bytes, offset]) => {
      if (!isBytes(bytes)) return unknown
      const from = typeof offset === 'number' && offset >= 0 ? Math.min(offset, bytes.byteLength) : 0
      const whole = new Uint8Array(bytes.buffer, bytes.byteOffset + from, bytes.byteLength - from)
      const view = new DataView(whole.buffer, whole.byteOffset, whole.byteLength)
      const made = objectOf({ buffer: bytes, byteLength: whole.byteLength, byteOffset: from })
      pay(effort, 40, 2000)
      for (const [type, size] of Object.entries(viewed) as [keyof typeof viewed, number][]) {
        const isWithin = (at: Value): at is number =>
          typeof at === 'number' && at >= 0 && at + size <= whole.byteLength
        made.fields.set(
          `get${type}`,
          functionOf((_, [at = 0, isLittle]) =>
            isWithin(at) ? view[`get${type}`](at, isLittle === true) : unknown,
          ),
        )
        made.fields.set(
          `set${type}`,
          functionOf((_, [at = 0, value, isLittle]) => {
            if (isWithin(at) && typeof value === 'number') view[`set${type}`](at, value, isLittle === true)
            return undefined
          }),
        )
      }
      return made
    }),
  )
}
