import type { Effort } from '../../model/effort.ts'
import type { Value } from './values.ts'

/** Services of the machine that a call of the engine needs. */
export interface Host {
  readonly effort: Effort
  /** Values that storages of the app keep, by their names. */
  readonly stored: Map<string, Value>
  call(callee: Value, self: Value, args: readonly Value[]): Value
  get(of: Value, name: string): Value
  put(of: Value, name: string, value: Value): void
  construct(callee: Value, args: readonly Value[]): Value
  made(text: string): void
}
