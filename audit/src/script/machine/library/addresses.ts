import { functionOf, objectOf, Thing, unknown, type Value } from '../values.ts'
import type { Definitions } from './definitions.ts'

/** Defines what makes and reads addresses. */
export function defineAddresses({ machine, define }: Definitions): void {
  const text = (value: Value) => machine.textOf(value)
  const query = (given: string) => {
    const made = new Thing()
    const values = new URLSearchParams(given)
    made.fields.set(
      'get',
      functionOf((_, [name]) => values.get(text(name))),
    )
    made.fields.set(
      'toString',
      functionOf(() => values.toString()),
    )
    return made
  }
  define(
    'URLSearchParams',
    functionOf((_, [given = '']) =>
      typeof given === 'string' && given.length < 4096 ? query(given) : unknown,
    ),
  )
  define(
    'URL',
    functionOf((_, [given, base]) => {
      if (typeof given !== 'string' || given.length > 4096) return unknown
      const address = URL.parse(given, typeof base === 'string' ? base : undefined)
      if (address === null) return unknown
      const { href, host, hostname, pathname, search, hash, origin, username, password } = address
      const made = objectOf({ href, host, hostname, pathname, search, hash, origin, username, password })
      made.fields.set('searchParams', query(search))
      made.fields.set(
        'toString',
        functionOf(() => href),
      )
      return made
    }),
  )
}
