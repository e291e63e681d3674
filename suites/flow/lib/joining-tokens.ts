import { Untested } from '../../../src/base/inconclusive.ts'
import type { CheckContext, CommonContext } from '../../../src/requirement/needs.ts'
import type { UserSession } from '../../../src/roles/backend/configuration.ts'
import type { FetchedToken } from '../../../src/roles/backend/driver.ts'
import { millisecondsLeft } from '../../lib/token-end.ts'

/** Covers clock skew and the time that a client needs to join. */
const enoughMs = 1500

/**
 * A token with enough of its lifetime left. A backend may cache a token until its expiry, and signaling may then reject it
 * for its age alone: such a token is dropped and another fetched. An expired token is the backend's fault.
 */
export async function fetchLastingToken(
  { backend, clock }: Pick<CheckContext<'backend'>, 'backend' | 'clock'>,
  session: UserSession,
): Promise<FetchedToken> {
  const token = await backend.token(session)
  const left = millisecondsLeft(token.jwt, clock)
  if (left <= 0 || left >= enoughMs) return token
  await clock.until(clock.monotonic() + enoughMs)
  return await backend.token(session)
}

/** Throws where the double signs with its own key, since no real signaling accepts such tokens. */
export function assertRealTokens({ available }: Pick<CommonContext, 'available'>): void {
  if (available('mintDouble')?.issuesRealTokens === false)
    throw new Untested(
      "needs tokens that signaling accepts while the backend mints at the suite's double: configure mint or token.signWith",
    )
}
