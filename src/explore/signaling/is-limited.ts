import type { Attempt } from '../../roles/signaling/attempt.ts'
import { unavailableByEvent } from '../../roles/signaling/fault-of-event.ts'

/** A limit or an overload decides nothing about a token, also where the profile names it as a failure. */
export function isLimited(made: Pick<Attempt, 'events'> & { readonly undecided?: boolean }): boolean {
  const last = made.events.at(-1)
  return made.undecided === true || (last !== undefined && unavailableByEvent(last) !== undefined)
}
