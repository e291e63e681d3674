import type { Reply } from '../../../src/base/http/client.ts'
import { outageSeconds } from '../../../src/base/http/limits.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { UserSession } from '../../../src/roles/backend/configuration.ts'

/** A user who was served before is rejected for good, while another one is served. */
export interface Lockout {
  readonly user: UserSession
  readonly seconds: number
  readonly rejection: Reply
  /** The other user is served, so that this machine is neither banned nor limited. */
  readonly served: Reply
}

/** A new session may become valid a moment after the login. After the second one none is asked for: each try may prolong a ban. */
const pausesMs = [1_000, Number.POSITIVE_INFINITY]

/**
 * Signs a user in again and again, who is rejected with 401 as without a session. Null unless that lasts although another user is served:
 * a session that ended, a ban of this machine, a limit, an outage or a network may be the cause. So may the state of an
 * account that is answered with 403.
 */
export async function findLockout(
  { backend, clock, configuration }: CheckContext<'backend'>,
  [user, other]: readonly [UserSession, UserSession],
): Promise<Lockout | null> {
  const { renew } = user
  if (renew === undefined || user.userId === other.userId || !backend.hasServed(user)) return null
  const seconds = outageSeconds(configuration.limits)
  const ask = (session: UserSession) =>
    backend.request({ session, newConnection: true, followRedirects: true })
  const isServed = (reply: Reply) => backend.issuedBy(reply) !== null
  if (!isUnauthorized(await ask(user)) || !isServed(await ask(other))) return null
  const sessions = new Set([user.token])
  const staysRejected = async (): Promise<Reply | null> => {
    let rejection: Reply | null = null
    for (const pauseMs of pausesMs) {
      const end = clock.monotonic() + (seconds * 1000) / pausesMs.length
      sessions.add(await renew(0))
      do {
        await clock.until(Math.min(end, clock.monotonic() + pauseMs))
        rejection = await ask(user)
        if (!isUnauthorized(rejection)) return null
      } while (clock.monotonic() < end)
    }
    return rejection
  }
  const rejection = await staysRejected()
  const isNewEachTime = sessions.size === pausesMs.length + 1
  if (rejection === null || !isNewEachTime) return null
  const served = await ask(other)
  return isServed(served) ? { user, seconds, rejection, served } : null
}

function isUnauthorized(reply: Reply): boolean {
  return reply.kind === 'answer' && reply.status === 401
}
