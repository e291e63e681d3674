import type { BackendCall } from '../../../src/roles/client/types.ts'

/** Limits of clients are longer: a call that is given up sooner was cancelled, as by the next user's connection. */
const shortestLimitMs = 4000
/** How long a cancellation may take to arrive. */
const arrivalMs = 1000

type Call = Pick<BackendCall, 'at' | 'givenUpAt'>

/** When the sign-out was begun, and was over. */
export interface SignOut {
  readonly from: number
  readonly to: number
}

/**
 * Says whether a late response could reach one of these calls of a user who has signed out, unless the client cancelled it at the
 * sign-out. On a busy machine a client gives its call up by its own limit instead, before or after that.
 */
export function isAnyHeld(calls: readonly Call[], { from, to }: SignOut): boolean {
  return calls.some(({ at, givenUpAt }) => {
    if (givenUpAt === null) return true
    return givenUpAt >= from && (givenUpAt <= to + arrivalMs || givenUpAt - at <= shortestLimitMs)
  })
}
