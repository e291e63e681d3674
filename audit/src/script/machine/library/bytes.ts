import { makeList, makeText } from '../../value.ts'
import { type Bytes, functionOf, isBytes, type Native, objectOf, unknown } from '../values.ts'
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
