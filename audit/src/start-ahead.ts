import { defaultLimits } from './model/settings.ts'
import { boundedByMachine, kindOf } from './threads/kind.ts'
import { giveBack, takeThread } from './threads/reading-thread.ts'

/** Starts the thread of an audit that is about to begin: it loads what it needs while the program loads the rest. */
export function startAhead(): void {
  const kind = kindOf(boundedByMachine(defaultLimits))
  void giveBack(kind, takeThread(kind))
}
