import { makeText } from '../../evaluate/value.ts'
import { functionOf, type Native, unknown, type Value } from '../values.ts'
import type { Definitions } from './definitions.ts'

/** Defines `String`, and what encodes and decodes texts. */
export function defineStrings({ machine, define }: Definitions): void {
  const { effort } = machine
  const text = (value: Value) => machine.textOf(value)
  const characters: Native = (_, codes) => {
    makeText(codes.length * 2, effort)
    if (!codes.every((code) => typeof code === 'number' || typeof code === 'string')) return unknown
    const numbers = codes.map(Number)
    return numbers.every((code) => code >= 0 && code <= 0x10_ffff)
      ? numbers.map((code) => String.fromCodePoint(Math.trunc(code))).join('')
      : unknown
  }
  const string = functionOf((_, [value = '']) => (value === unknown ? unknown : text(value)))
  string.fields.set('fromCharCode', functionOf(characters))
  string.fields.set('fromCodePoint', functionOf(characters))
  string.fields.set(
    'raw',
    functionOf((_, [strings, ...values]) => {
      const raw = machine.iterate(machine.member(strings, 'raw'))
      if (raw === null) return unknown
      const parts = raw.map((part, at) => {
        const made = text(part) + (at < values.length ? text(values[at]) : '')
        makeText(made.length, effort)
        return made
      })
      return parts.join('')
    }),
  )
  define('String', string)
}
