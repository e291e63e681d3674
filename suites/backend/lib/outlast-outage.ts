import type { Reply } from '../../../src/base/http/client.ts'
import { outageSeconds } from '../../../src/base/limits.ts'
import { tellingWait } from '../../../src/base/told-wait.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { UserSession } from '../../../src/roles/backend/types.ts'
import type { ScriptedMint } from '../../../src/roles/mint/double.ts'

const pauseMs = 1_000
/** So long one request is waited for: a backend that is down may leave each without an answer. */
const answerMs = 5_000

/** How the time ended in which a backend gave no token for a session that it had served. */
export type Outage =
  | { readonly kind: 'served'; readonly reply: Reply }
  | { readonly kind: 'down'; readonly seconds: number; readonly reply: Reply; readonly alive: Reply }
  /** Something else may keep it from a token. */
  | { readonly kind: 'unclear' }

/**
 * Requests a token until one comes. A backend is down where none came although its mint answers, no limit refused the requests,
 * and it rejected those without a session meanwhile: then neither a network nor a gateway is the cause.
 */
export async function outlastOutage(
  parts: CheckContext<'backend' | 'mintDouble'>,
  double: ScriptedMint,
  session: UserSession,
): Promise<Outage> {
  const { backend, available, clock, configuration } = parts
  const { limits } = configuration
  // Nothing shows yet that a backend without a token so far can serve at all.
  const seconds = backend.hasServed(backend.alice) ? outageSeconds(limits) : limits.patienceSeconds
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
  const end = clock.monotonic() + seconds * 1000
  const aliveBefore = await ask(null)
  // Silence for everyone is an outage, or a network.
  if (!isRejection(aliveBefore)) return { kind: 'unclear' }
  let reply = await ask(session)
  let isOwnFailure = isFailureOfBackend(reply)
  const askAgain = async () => {
    while (backend.tokenOf(reply) === null && isOwnFailure && clock.monotonic() < end) {
      await clock.until(clock.monotonic() + pauseMs)
      reply = await ask(session)
      isOwnFailure &&= backend.tokenOf(reply) !== null || isFailureOfBackend(reply)
    }
  }
  const what = 'the backend to give tokens again'
  await tellingWait(askAgain, { what, longestMs: seconds * 1000, tell: backend.tellWait })
  if (backend.tokenOf(reply) !== null) return { kind: 'served', reply }
  const alive = await ask(null)
  const calls = double.calls().slice(callsBefore)
  const isServedByMint = calls.every(({ issued }) => issued !== null) && (await isMintServing())
  const isDown = isOwnFailure && isRejection(alive) && isServedByMint
  return isDown ? { kind: 'down', seconds, reply, alive } : { kind: 'unclear' }

  async function isMintServing(): Promise<boolean> {
    const mint = available('mint')
    return (
      mint === undefined ||
      (await mint
        .token(session.userId)
        .then(() => true)
        .catch(() => false))
    )
  }
}

/** An error, or silence. A limit, a ban or an ended session is answered with a 4xx. */
function isFailureOfBackend(reply: Reply): boolean {
  return reply.kind === 'answer' ? reply.status >= 500 : reply.failure === 'timeout'
}

function isRejection(reply: Reply): boolean {
  return reply.kind === 'answer' && reply.status >= 400 && reply.status < 500 && reply.status !== 429
}
