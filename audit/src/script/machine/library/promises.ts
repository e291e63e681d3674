import type { Machine } from '../machine.ts'
import { functionOf, isThing, objectOf, unknown, type Value } from '../values.ts'
import type { Definitions } from './definitions.ts'

/** Defines promises, each of which is what it is fulfilled with, and timers, which have run out. */
export function definePromises({ machine, define }: Definitions): void {
  const itself = functionOf((_, [value]) => value)
  const promise = functionOf((_, [executor]) => {
    let value: Value = unknown
    let isDone = false
    machine.call(executor, undefined, [
      functionOf((_, [given]) => {
        if (!isDone) value = given
        isDone = true
        return undefined
      }),
      functionOf(() => undefined),
    ])
    return value === undefined ? unknown : value
  })
  promise.fields.set('resolve', itself)
  for (const name of ['all', 'allSettled', 'any', 'race'])
    promise.fields.set(
      name,
      functionOf((_, [list]) => {
        const items = machine.iterate(list)
        if (items === null) return unknown
        if (name === 'all') return [...items]
        return name === 'allSettled'
          ? items.map((value) => objectOf({ status: 'fulfilled', value }))
          : items[0]
      }),
    )
  define('Promise', promise)
  for (const name of [
    'setTimeout',
    'queueMicrotask',
    'requestAnimationFrame',
    'setImmediate',
    'requestIdleCallback',
  ])
    define(
      name,
      functionOf((_, [callback, , ...args]) => {
        if (typeof callback === 'string') machine.evaluate(callback)
        else machine.call(callback, undefined, args)
        return 1
      }),
    )
}

/** Calls what waits for a promise, which is the value itself. */
export function promised(
  self: Value,
  name: string,
  [done]: readonly Value[],
  machine: Machine,
): { readonly value: Value } | null {
  if (name === 'then') return { value: isThing(done) ? machine.call(done, undefined, [self]) : self }
  if (name === 'catch') return { value: self }
  if (name !== 'finally') return null
  if (isThing(done)) machine.call(done, undefined, [])
  return { value: self }
}
