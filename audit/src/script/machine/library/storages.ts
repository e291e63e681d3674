import { pay } from '../../../model/effort.ts'
import { functionOf, objectOf, type Value } from '../values.ts'
import type { Definitions } from './definitions.ts'

/** Defines the storages of a page, which give what the script has given them. */
export function defineStorages({ machine, define }: Definitions): void {
  for (const name of ['localStorage', 'sessionStorage']) {
    const kept = new Map<string, Value>()
    define(
      name,
      objectOf({
        getItem: functionOf((_, [key]) => kept.get(machine.textOf(key)) ?? null),
        setItem: functionOf((_, [key, value]) => {
          pay(machine.effort, 8, 64)
          kept.set(machine.textOf(key), value)
          return undefined
        }),
        removeItem: functionOf((_, [key]) => {
          kept.delete(machine.textOf(key))
          return undefined
        }),
      }),
    )
  }
}
