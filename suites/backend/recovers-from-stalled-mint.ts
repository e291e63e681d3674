import { awaitedLater } from '../../src/base/awaited-later.ts'
import { watchForStandstills } from '../../src/base/standstill.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge, Observed } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { UserSession } from '../../src/roles/backend/configuration.ts'
import type { ScriptedMint } from '../../src/roles/mint/double.ts'
import { answeredFromCache, askPastCache } from './lib/ask-past-cache.ts'
import { isFailure, showReply } from './lib/describe-reply.ts'
import { findLockout } from './lib/find-lockout.ts'
import { askAnew, outlastOutage, patienceMs } from './lib/outlast-outage.ts'
import { scriptShortLived, shortLifetime } from './lib/with-short-lived-tokens.ts'

const callers = 100
/** As many calls fail at once as open most circuit breakers; fewer than half open no usual one. */
export const failuresInARow = 20
const leastFailures = failuresInARow / 2
const longestFailingMs = 60_000
/** Between two tries of the user who comes after them. */
const pauseMs = 250

type Parts = CheckContext<'backend' | 'mintDouble'>

export default defineCheck({
  id: 'BACK-22',
  level: 'MUST',
  kind: 'handles-failure',
  clauses: ['4.2.4', '4.2.5'],
  basis:
    'The backend returns a calling token to a logged-in user (4.2.5), and an error while the mint call fails (4.2.4).',
  title: 'serves tokens again after the mint has stalled',
  why: 'A backend that waits for ever for each mint call runs out of connections or workers, and stays down when the mint is back.',
  how: {
    does: [
      "The suite's mint double leaves the calls for 100 simultaneous requests without an answer; each caller gives up after 5 s.",
      'It then answers 500 at once to 20 calls, one request after the other, since callers may have shared one call in the silence.',
      'Then the double answers again, and a user requests a token until one comes that is newly minted, for at most limits.backendAnswerSeconds; the seconds are recorded.',
      'Where none has come by then, calls that still wait for the double are ended, and a token is requested for limits.neverSeconds, or 120 s.',
      'A control precedes. A session that was served before and is not any more is waited for as long, a user who is rejected with new sessions of their command besides.',
    ],
    fails: [
      'A 2xx status without a token meanwhile.',
      'The first token afterwards minted for the user whose calls failed before, and given to another.',
      'No token at all, while requests without a session are rejected and the mint issues tokens: a network or a limit is not the cause.',
      'A user who was served before rejected with 401 for good, in new sessions as well, while another user is served.',
    ],
    warns: ['No token by then, unless the backend got a new one from the double meanwhile.'],
    untested: [
      'A token that came too late by the clock, while this machine was too slow to measure the time.',
      'Fewer than 10 failures in a row, or a request of another user without a response behind them.',
    ],
  },
  mints: 3,
  needs: ['backend', 'mintDouble'],
  stage: 'straining',
  atOnce: { backend: callers },
  async run(parts, judge) {
    const { backend, mintDouble, available } = parts
    const { alice } = backend
    const bob = available('bob')
    // Before the calls stall, since a user may be locked out by what other requirements sent.
    const lockout = bob && ((await findLockout(parts, alice, bob)) ?? (await findLockout(parts, bob, alice)))
    if (lockout) return void judge.must(false, lockout)
    const last = bob ?? alice
    const { outage, stalled } = await scriptShortLived(mintDouble, async (double) => {
      const down = await findOutage(parts, double)
      return { outage: down, stalled: down === null ? await stall(parts, double) : 0 }
    })
    if (outage !== null) return void judge.must(false, outage)
    judge.observe('backend.stalledMintCalls', stalled)
    if (stalled === 0) return judge.untested('the backend made no mint call that could have stalled')
    const missed = await mintDouble.scripted((double) => failInARow(parts, double, last))
    await mintDouble.scripted((double) => judgeRecovery(parts, double, last, judge))
    // A backend that does not recover has shown more than failures in a row could.
    if (missed !== null && judge.holdsSoFar()) judge.missed(missed)
  },
})

/** The control: null where it is served, at the latest after an outage that has ended. */
async function findOutage(parts: Parts, double: ScriptedMint): Promise<Observed | null> {
  const { backend } = parts
  const outage = await outlastOutage(parts, double, backend.alice)
  if (outage === 'served') return null
  if (outage !== 'unclear' && backend.hasServed(backend.alice)) return outage
  await backend.token()
  return null
}

/** Requests whose mint calls get no answer, until their callers give up. Returns how many mint calls they caused. */
async function stall(parts: Parts, double: ScriptedMint): Promise<number> {
  const { backend, clock } = parts
  const before = double.calls().length
  const over = new AbortController()
  const called = Promise.withResolvers<void>()
  double.answer(() => {
    called.resolve()
    return 'hang'
  })
  const request = { session: backend.alice, givenUp: over.signal, newConnection: true, followRedirects: true }
  const first = awaitedLater(askPastCache(parts, double, request))
  // The others follow a first one whose call has arrived, so that a cache answers none of them.
  await Promise.race([called.promise, first])
  const others = Array.from({ length: callers - 1 }, () => awaitedLater(backend.request(request)))
  const all = Promise.all([first, ...others])
  await Promise.race([all, clock.until(clock.monotonic() + patienceMs)])
  over.abort()
  await all
  return double.calls().length - before
}

/**
 * Requests until so many mint calls were refused, or one caused none: a breaker is open, or a cache answers. Returns why they show
 * nothing; null where they do.
 */
export async function failInARow(
  { backend, clock }: Pick<Parts, 'backend' | 'clock'>,
  double: Pick<ScriptedMint, 'answer' | 'calls' | 'lifetime'>,
  session: UserSession,
): Promise<string | null> {
  double.lifetime(shortLifetime)
  double.answer(() => ({ status: 500, body: '{"error":{"code":"internal"}}' }))
  const count = () => double.calls().length
  const end = clock.monotonic() + longestFailingMs
  let seen = -1
  while (seen < count() && seen < failuresInARow && clock.monotonic() < end) {
    seen = count()
    await askAnew(backend, session)
  }
  const failed = count()
  if (seen < failed && failed < leastFailures)
    return `only ${failed} mint calls in a row could fail within ${longestFailingMs / 1000} s`
  if (session === backend.alice) return null
  // The next request is another user's than the call that failed last.
  const reply = await askAnew(backend, backend.alice)
  return reply.kind === 'no-answer' && count() === failed
    ? "another user's request met no response and caused no mint call that could fail"
    : null
}

/** Requests a token until one is newly minted. The time in which this machine stands still does not count. */
async function judgeRecovery(parts: Parts, double: ScriptedMint, last: UserSession, judge: Judge) {
  const { backend, clock, configuration } = parts
  const { backendAnswerSeconds } = configuration.limits
  const longestMs = backendAnswerSeconds * 1000
  double.lifetime(shortLifetime)
  using standstills = watchForStandstills()
  const start = clock.monotonic()
  const elapsedMs = () => clock.monotonic() - start - standstills.lostIn(start, clock.monotonic())
  const ask = async () => {
    const reply = await askAnew(backend, last, longestMs)
    const token = backend.tokenOf(reply)
    judge.must(token !== null || reply.kind === 'no-answer' || isFailure(reply), {
      saw: `${showReply(reply)} and no token before the backend serves tokens again`,
      expected: 'a non-2xx response (4.2.4)',
      fix: 'Answer 502 with { "error": "…" } also where the mint is not called, as by an open circuit breaker.',
      evidence: [reply.exchange],
    })
    // A token from a cache needs no mint.
    return { reply, token, call: double.calls().find(({ issued }) => issued !== null && issued === token) }
  }
  let { reply, token, call } = await ask()
  while (call === undefined && elapsedMs() + pauseMs < longestMs) {
    await clock.until(clock.monotonic() + pauseMs)
    ;({ reply, token, call } = await ask())
  }
  const ms = clock.monotonic() - start
  const seconds = Math.round(ms / 100) / 10
  if (call !== undefined) {
    judge.observe('backend.secondsUntilRecovered', seconds)
    if (ms > longestMs && elapsedMs() <= longestMs)
      judge.missed(
        `a token came after ${seconds} s, while this machine was too slow to measure ${backendAnswerSeconds} s`,
      )
    // A user whose call failed just before stays behind in a backend that forgets it after a success alone.
    const { userId } = backend.alice
    judge.must(last.userId === userId || call.userId !== userId, {
      saw: `a token minted for ${JSON.stringify(userId)}, whose mint calls had failed, given to ${JSON.stringify(last.userId)}`,
      expected: "the session's user as the userId of every mint call (4.2.2)",
      fix: 'Take the user from the session of the request alone, and keep nothing of a request that failed.',
      evidence: [reply.exchange],
    })
    return
  }
  if (token !== null) return judge.untested(answeredFromCache)
  // Calls may be those of requests whose callers have given up: a backend may be down behind them.
  const hasCalled = double.calls().some(({ issued }) => issued !== null)
  const outage = await outlastOutage(parts, double, last)
  if (typeof outage === 'object') judge.must(false, outage)
  else if (hasCalled)
    judge.missed(
      'the backend called the mint again and got a token, but its response came too late: the machine may be busy',
    )
  else
    judge.should(false, {
      saw: `no token for a valid session within ${seconds} s after the mint answered again`,
      expected: `a token within ${backendAnswerSeconds} s (4.2.4)`,
      fix: 'Bound every mint call by a deadline, and free its connection and worker when the deadline passes.',
      evidence: [reply.exchange],
    })
}
