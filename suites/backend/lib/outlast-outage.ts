import type { Reply } from '../../../src/base/http/client.ts'
import { outageSeconds } from '../../../src/base/http/limits.ts'
import { firstOutagePauseMs } from '../../../src/base/times.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { UserSession } from '../../../src/roles/backend/configuration.ts'
import type { ScriptedMint } from '../../../src/roles/mint/double.ts'

/** The end of an outage: the backend had served before, and then failed for each session. */
export type Outage =
  | { readonly kind: 'served' }
  | {
      readonly kind: 'down'
      readonly seconds: number
      readonly tried: Reply
      /** Shows that the backend is there. */
      readonly rejection: Reply & { readonly kind: 'answer' }
    }
  /** A ban, a limit, a network or an outage of the whole service may be the cause. */
  | { readonly kind: 'unclear' }

/** So long one request is waited for: a backend that is down may leave each without an answer. */
const answerMs = 5_000

/**
 * Requests a token until one comes. Where none does, the backend is down only if it rejects requests without a session meanwhile
 * and its mint answers: then neither a ban, a rate limit nor a network is the cause.
 */
export async function outlastOutage(
  { backend, available, clock, configuration: { limits } }: CheckContext<'backend' | 'mintDouble'>,
  double: ScriptedMint,
  session: UserSession,
): Promise<Outage> {
  // Nothing shows yet that a backend without a token so far can serve at all.
  const seconds = backend.hasServed(backend.alice) ? outageSeconds(limits) : limits.patienceSeconds
  const end = clock.monotonic() + seconds * 1000
  const ask = (user: UserSession | null) =>
    backend.request({
      session: user,
      deadlineMs: answerMs,
      newConnection: true,
      followRedirects: user !== null,
    })
  // Calls that never end would be a failure of the mint that goes on.
  double.endHanging()
  const callsBefore = double.calls().length
  let tried = await ask(session)
  if (isFailure(tried) && !isRejection(await ask(null))) return { kind: 'unclear' }
  for (let pauseMs = firstOutagePauseMs; isFailure(tried) && clock.monotonic() < end; pauseMs *= 2) {
    await clock.until(Math.min(end, clock.monotonic() + pauseMs))
    tried = await ask(session)
  }
  if (!isFailure(tried)) return { kind: backend.tokenOf(tried) === null ? 'unclear' : 'served' }
  const rejection = await ask(null)
  const isServedByMint = double
    .calls()
    .slice(callsBefore)
    .every(({ issued }) => issued !== null)
  return isRejection(rejection) && isServedByMint && (await isMintServing())
    ? { kind: 'down', seconds, tried, rejection }
    : { kind: 'unclear' }

  async function isMintServing(): Promise<boolean> {
    const mint = available('mint')
    if (mint === undefined) return true
    const token = await mint.token(session.userId).catch(() => null)
    return token !== null
  }
}

/** An error, or silence. A limit, a ban or an ended session is answered with a 4xx. */
function isFailure(reply: Reply): boolean {
  return reply.kind === 'answer' ? reply.status >= 500 : reply.failure === 'timeout'
}

/** Neither a failure nor a limit on the rate. */
function isRejection(reply: Reply): reply is Reply & { readonly kind: 'answer' } {
  return reply.kind === 'answer' && reply.status >= 400 && reply.status < 500 && reply.status !== 429
}
