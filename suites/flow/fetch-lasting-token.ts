import type { Clock } from '../../src/base/clock.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import type { PartsOf } from '../../src/requirement/needs.ts'
import type { FetchedToken } from '../../src/roles/backend/driver.ts'
import type { UserSession } from '../../src/roles/backend/types.ts'

/** Clocks may differ by as much, and a client needs some time to join. */
const enoughMs = 1500

/**
 * A token with some of its life left. A backend may keep one until it expires, and signaling may then refuse it for
 * its age alone: such a one is let go, and another fetched. A token that has ended already is the backend's mistake.
 */
export async function fetchLastingToken(
  { backend, clock }: Pick<PartsOf<'backend'>, 'backend' | 'clock'>,
  session: UserSession,
): Promise<FetchedToken> {
  const token = await backend.token(session)
  const left = millisecondsLeft(token.jwt, clock)
  if (left <= 0 || left >= enoughMs) return token
  await clock.until(clock.monotonic() + enoughMs)
  return await backend.token(session)
}

/** Until the token ends; endless where that cannot be read. */
export function millisecondsLeft(jwt: string, clock: Clock): number {
  const exp = readToken(jwt)?.claims?.['exp']
  return typeof exp === 'number' ? exp * 1000 - clock.wall() : Number.POSITIVE_INFINITY
}
