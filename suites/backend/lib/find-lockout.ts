import type { Reply } from '../../../src/base/http/client.ts'
import { outageSeconds } from '../../../src/base/http/limits.ts'
import type { Observed } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { UserSession } from '../../../src/roles/backend/configuration.ts'
import { showReply } from './describe-reply.ts'

/** A new session may become valid a moment after the login. After the second one none is asked for: each try may prolong a ban. */
const pausesMs = [1_000, Number.POSITIVE_INFINITY]

/**
 * Signs a user in again and again, who is rejected with 401 as without a session. Null unless that lasts although another user is served:
 * a session that ended, a ban of this machine, a limit, an outage or a network may be the cause. So may the state of an
 * account that is answered with 403.
 */
export async function findLockout(
  { backend, clock, configuration }: CheckContext<'backend'>,
  user: UserSession,
  other: UserSession,
): Promise<Observed | null> {
  const { renew } = user
  if (renew === undefined || user.userId === other.userId || !backend.hasServed(user)) return null
  const seconds = outageSeconds(configuration.limits)
  const ask = (session: UserSession) =>
    backend.request({ session, newConnection: true, followRedirects: true })
  const isServed = (reply: Reply) => backend.issuedBy(reply) !== null
  let rejection = await ask(user)
  if (!isUnauthorized(rejection) || !isServed(await ask(other))) return null
  const sessions = new Set([user.token])
  for (const pauseMs of pausesMs) {
    const end = clock.monotonic() + (seconds * 1000) / pausesMs.length
    sessions.add(await renew(0))
    do {
      await clock.until(Math.min(end, clock.monotonic() + pauseMs))
      rejection = await ask(user)
      if (!isUnauthorized(rejection)) return null
    } while (clock.monotonic() < end)
  }
  const served = await ask(other)
  const isNewEachTime = sessions.size === pausesMs.length + 1
  if (!isNewEachTime || !isServed(served)) return null
  return {
    saw: `${JSON.stringify(user.userId)}, who had been served, rejected for ${seconds} s in new sessions as well (${showReply(rejection)}), while another user got a token`,
    expected: 'a token for a logged-in user (4.2.5)',
    fix: 'Count and ban only what was rejected: the session, or the client that sent it.',
    evidence: [rejection.exchange, served.exchange],
  }
}

function isUnauthorized(reply: Reply): boolean {
  return reply.kind === 'answer' && reply.status === 401
}
