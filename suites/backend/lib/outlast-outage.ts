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
