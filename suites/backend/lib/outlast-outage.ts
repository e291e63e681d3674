import type { Reply } from '../../../src/base/http/client.ts'
import { outageSeconds } from '../../../src/base/http/limits.ts'
import { firstOutagePauseMs } from '../../../src/base/times.ts'
import type { Observed } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { UserSession } from '../../../src/roles/backend/configuration.ts'
import type { Backend } from '../../../src/roles/backend/driver.ts'
import type { ScriptedMint } from '../../../src/roles/mint/double.ts'
import { isRejection, showReply } from './describe-reply.ts'

/** How long a caller waits: an app's patience. */
export const patienceMs = 5_000

export function askAnew(
  backend: Pick<Backend, 'request'>,
  session: UserSession | null,
  deadlineMs = patienceMs,
): Promise<Reply> {
  return backend.request({ session, deadlineMs, newConnection: true, followRedirects: session !== null })
}

/**
 * Requests a token until one comes. Where none does, the violation is certain only if the backend rejects requests without a session
 * meanwhile and its mint answers: else a ban, a rate limit, a network or an outage of the whole service may be the cause.
 */
export async function outlastOutage(
  { backend, available, clock, configuration: { limits } }: CheckContext<'backend'>,
  double: ScriptedMint,
  session: UserSession,
): Promise<Observed | 'served' | 'unclear'> {
  // Nothing shows yet that a backend without a token so far can serve at all.
  const seconds = backend.hasServed(backend.alice) ? outageSeconds(limits) : limits.patienceSeconds
  const end = clock.monotonic() + seconds * 1000
  // Calls that never end would be a failure of the mint that goes on.
  double.endHanging()
  const before = double.calls().length
  let tried = await askAnew(backend, session)
  if (isDown(tried) && !isRejection(await askAnew(backend, null))) return 'unclear'
  for (let waitMs = firstOutagePauseMs; isDown(tried) && clock.monotonic() < end; waitMs *= 2) {
    await clock.until(Math.min(end, clock.monotonic() + waitMs))
    tried = await askAnew(backend, session)
  }
  if (!isDown(tried)) return backend.tokenOf(tried) === null ? 'unclear' : 'served'
  const rejection = await askAnew(backend, null)
  const isMinted = double
    .calls()
    .slice(before)
    .every(({ issued }) => issued !== null)
  const ofMint = () =>
    available('mint')
      ?.token(session.userId)
      .catch(() => null)
  if (!isRejection(rejection) || !isMinted || (await ofMint()) === null) return 'unclear'
  return {
    saw: `no token within ${seconds} s for a session that the backend had served (${showReply(tried)}), although the mint issued tokens and the backend rejected a request without a session with ${rejection.status}`,
    expected: 'a token again (4.2.5)',
    fix: 'Ask the mint again after a while, as a half-open circuit breaker does, and free the slot of every call that fails.',
    // The others are errors: with them it would count as a fault of the network, which the rejection excludes.
    evidence: [rejection.exchange],
  }
}

/** An error, or silence. A limit, a ban or an ended session is answered with a 4xx. */
function isDown(reply: Reply): boolean {
  return reply.kind === 'answer' ? reply.status >= 500 : reply.failure === 'timeout'
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
