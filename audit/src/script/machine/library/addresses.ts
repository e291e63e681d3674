import { pay } from '../../../model/effort.ts'
import { makeList } from '../../evaluate/value.ts'
import type { Machine } from '../machine.ts'
import { functionOf, isThing, iteratorOf, objectOf, type Thing, unknown, type Value } from '../values.ts'
import type { Definitions } from './definitions.ts'

const longest = 4096

/** Writes a list of pairs, a map or an object as a query; `null` where it is not known. */
function pairsOf(given: Value, machine: Machine): string | null {
  if (!isThing(given) && !Array.isArray(given)) return null
  const isPlain = isThing(given) && given.kind === 'object'
  const pairs = isPlain
    ? [...given.fields].map(([name, item]): Value => [name, item])
    : machine.iterate(given)
  const written = new URLSearchParams()
  for (const pair of pairs ?? []) {
    const [name, value] = machine.iterate(pair) ?? []
    pay(machine.effort, 8, 64)
    written.append(machine.textOf(name), machine.textOf(value))
  }
  return written.toString()
}

/** Makes the parameters of a query. */
function query(given: string, machine: Machine): Thing {
  const values = new URLSearchParams(given)
  const text = (value: Value) => machine.textOf(value)
  pay(machine.effort, given.length, 2000 + given.length * 8)
  const all = () => {
    makeList(4 * values.size, machine.effort)
    return [...values]
  }
  const pairs = () => iteratorOf(all().map(([name, value]): Value => [name, value]))
  const change = (how: 'append' | 'set') =>
    functionOf((_, [name, value]) => {
      pay(machine.effort, 8, 64)
      values[how](text(name), text(value))
      return undefined
    })
  return objectOf({
    get: functionOf((_, [name]) => values.get(text(name))),
    getAll: functionOf((_, [name]) => values.getAll(text(name))),
    has: functionOf((_, [name]) => values.has(text(name))),
    append: change('append'),
    set: change('set'),
    keys: functionOf(() => iteratorOf(all().map(([name]) => name))),
    values: functionOf(() => iteratorOf(all().map(([, value]) => value))),
    entries: functionOf(pairs),
    '@@iterator': functionOf(pairs),
    forEach: functionOf((_, [each]) => {
      for (const [name, value] of all()) machine.call(each, undefined, [value, name])
      return undefined
    }),
    toString: functionOf(() => values.toString()),
  })
}

/** Defines what makes and reads addresses. */
export function defineAddresses({ machine, define }: Definitions): void {
  define(
    'URLSearchParams',
    functionOf((_, [given = '']) => {
      const written = typeof given === 'string' ? given : pairsOf(given, machine)
      return written === null || written.length > longest ? unknown : query(written, machine)
    }),
  )
  define(
    'URL',
    functionOf((_, [given, base]) => {
      if (typeof given !== 'string' || given.length > longest) return unknown
      const address = URL.parse(given, typeof base === 'string' ? base : undefined)
      if (address === null) return unknown
      const { href, host, hostname, pathname, search, hash, origin, username, password } = address
      const made = objectOf({ href, host, hostname, pathname, search, hash, origin, username, password })
      made.fields.set('searchParams', query(search, machine))
      made.fields.set(
        'toString',
        functionOf(() => href),
      )
      return made
    }),
  )
}
