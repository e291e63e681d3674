import type { Machine } from '../machine.ts'
import type { Value } from '../values.ts'

/** Where a part of the library puts its globals. */
export interface Definitions {
  readonly machine: Machine
  define(name: string, value: Value): void
}
