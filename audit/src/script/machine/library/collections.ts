import { pay } from '../../../model/effort.ts'
import { functionOf, Thing, type Value } from '../values.ts'
import type { Definitions } from './definitions.ts'

/** Defines maps, sets and symbols. */
export function defineCollections({ machine, define }: Definitions): void {
  const { effort } = machine
  const text = (value: Value) => machine.textOf(value)
  const collection = (kind: 'map' | 'set') =>
    functionOf((_, [from]) => {
      const made = new Thing()
      made.kind = kind
      made.entries = new Map()
      for (const item of machine.iterate(from) ?? []) {
        pay(effort, 4, 32)
        if (kind === 'set') made.entries.set(item, item)
        else if (Array.isArray(item)) made.entries.set(item[0], item[1])
      }
      return made
    })
  for (const name of ['Map', 'WeakMap']) define(name, collection('map'))
  for (const name of ['Set', 'WeakSet']) define(name, collection('set'))
  let symbols = 0
  const symbol = functionOf((_, [name = '']) => `@@${text(name)} ${++symbols}`)
  for (const name of ['iterator', 'asyncIterator', 'toPrimitive', 'toStringTag', 'replace', 'species'])
    symbol.fields.set(name, `@@${name}`)
  symbol.fields.set(
    'for',
    functionOf((_, [name]) => `@@for ${text(name)}`),
  )
  define('Symbol', symbol)
}
