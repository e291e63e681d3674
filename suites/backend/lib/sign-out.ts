import { readRateLimit } from '../../../src/base/http/read-rate-limit.ts'
import { servedAfterSignOutSeconds } from '../../../src/base/times.ts'
import type { CheckContext, Needed } from '../../../src/requirement/needs.ts'
import { millisecondsLeft } from '../../lib/token-end.ts'
import { type Offered, offerRequest } from './offer-request.ts'
import { withShortLivedTokens } from './with-short-lived-tokens.ts'

type Parts = CheckContext<'backend' | 'signOutHook'>

/** Seconds after the sign-out at which the session is tried again. */
const ladder = [0.5, 1, 2, 4, 7, servedAfterSignOutSeconds]

/** A rejection that was due with the last of them may be seen so much later. */
const lateSeconds = 1

/** Nodes behind a balancer may know of it or not: so many connections must meet the rejection. */
const connections = 8

/** A session is signed out once: all requirements of a run judge the same sign-out. */
const endings = new WeakMap<Needed['signOutHook'], ReturnType<typeof choose>>()

/** Chooses the session of the hook, once; anew where nothing could be said of the last one. */
export function chooseEndingSession(parts: Parts): ReturnType<typeof choose> {
  const { signOutHook } = parts
  const known = endings.get(signOutHook)
  if (known !== undefined) return known
  const forget = () => endings.delete(signOutHook)
  const chosen = choose(parts, forget)
  chosen.catch(forget)
  endings.set(signOutHook, chosen)
  return chosen
}

async function choose(parts: Parts, forget: () => void) {
  const { signOutHook, backend, clock } = parts
  const { session, run } = await signOutHook.choose()
  const start = async () => {
    await withShortLivedTokens(parts, () => backend.token(backend.sessionOf(session)))
    await run()
    return clock.monotonic()
  }
  const begin = () => {
    const signedOutAt = start()
    const outcome = signedOutAt.then((at) => watch(parts, session, at))
    outcome.then(({ isUndecided }) => isUndecided && forget(), forget)
    return { signedOutAt, outcome }
  }
  let begun: ReturnType<typeof begin> | undefined
  return {
    session,
    /** Signs the session out, unless that was done before: monotonic milliseconds, and what the backend answers it then. */
    signOut() {
      begun ??= begin()
      return begun
    },
  }
}

/**
 * Offers the session until it is rejected; returns the last response, and the seconds until then.
 * `missed` is why a rejection says nothing of the sign-out; null where it does.
 */
export async function watch(parts: Parts, session: string, signedOutAt: number) {
  const { backend, clock } = parts
  const offer = () => withShortLivedTokens(parts, () => offerToNodes(backend, session))
  let offered = await offer()
  for (const after of ladder) {
    if (!offered.hasToken && !offered.isUndecided) break
    await clock.until(signedOutAt + after * 1000)
    offered = await offer()
  }
  const { sentAt } = offered.reply
  const seconds = Math.round((sentAt - signedOutAt) / 100) / 10
  const hasEnded = millisecondsLeft(session, clock, sentAt) <= 0
  const isLate = seconds > servedAfterSignOutSeconds + lateSeconds
  const missed = hasEnded
    ? 'the session had expired when it was rejected (exp)'
    : isLate
      ? `the first rejection was seen ${Math.round(seconds)} s after the sign-out: none was tried in time`
      : null
  return { ...offered, seconds, missed: offered.hasToken ? null : missed }
}

/** The rejection, unless a further connection leads to a node that serves the session. */
async function offerToNodes(backend: Parts['backend'], session: string): Promise<Offered> {
  const first = await offerRequest(backend, { session })
  if (first.hasToken || first.isUndecided) return first
  for (let tries = 1; tries < connections; tries += 1) {
    const again = await offerRequest(backend, { session, newConnection: true })
    // A rate limit for rejected sessions says nothing against the rejection before it.
    if (readRateLimit(again.reply) !== null) return first
    if (again.hasToken || again.isUndecided) return again
  }
  return first
}
