import type { BackendCall } from '../../../src/roles/client/types.ts'

/** A call that is given up later than this was not cancelled by the sign-out alone: limits of clients are longer. */
const longestCancelledMs = 4000

type Call = Pick<BackendCall, 'at' | 'givenUpAt'>

/**
 * Says whether a late response could reach one of these calls of a user who has signed out, unless the client cancelled it at the
 * sign-out. On a busy machine a client gives its call up by its own limit instead, before or after that.
 */
export function isAnyHeld(calls: readonly Call[], signedOutAt: number): boolean {
  return calls.some(
    ({ at, givenUpAt }) =>
      givenUpAt === null || (givenUpAt >= signedOutAt && givenUpAt - at <= longestCancelledMs),
  )
}
