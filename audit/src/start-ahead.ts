import { defaultLimits } from './model/settings.ts'
import { boundedByMachine, kindOf } from './threads/kind.ts'
import { startThread } from './threads/seats.ts'

/** Starts the thread of an audit that is about to begin: it loads what it needs while the program loads the rest. */
export function startAhead(): void {
  startThread(kindOf(boundedByMachine(defaultLimits)))
}
