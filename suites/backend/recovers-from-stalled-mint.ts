import { awaitedLater } from '../../src/base/awaited-later.ts'
import type { Reply } from '../../src/base/http/client.ts'
import { ControlLost } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { UserSession } from '../../src/roles/backend/configuration.ts'
import type { BackendRequest } from '../../src/roles/backend/driver.ts'
import type { DoubleCall, ScriptedMint } from '../../src/roles/mint/double.ts'
import { answeredFromCache, askPastCache } from './lib/ask-past-cache.ts'
import { isFailure, showReply } from './lib/describe-reply.ts'
import { findLockout, type Lockout } from './lib/find-lockout.ts'
import { mustGetToken } from './lib/offer-request.ts'
import { type Outage, outlastOutage } from './lib/outlast-outage.ts'
import { countPromptTime } from './lib/prompt-time.ts'
import { shortLifetime } from './lib/with-short-lived-tokens.ts'

const callers = 100
/** All at once would only measure how many connections a busy machine opens. */
const waves = 5
const betweenWavesMs = 75
/** How long each of them waits: an app's patience. */
const patienceMs = 5000
/** On a busy machine that time passes more slowly than the clock, and this bounds it. */
const mostSlower = 4
/** Tries of one caller where a busy machine may explain the silence. */
const mostTries = 3
/** As many calls fail at once as open most circuit breakers. */
export const failuresInARow = 20
/** A backend that tries each call again makes fewer of them. */
const longestFailingMs = 10_000
/** Fewer open no usual circuit breaker: until then, the failures may take so many times as long. */
const leastFailures = failuresInARow / 2
const timesLonger = 6
/** Between two tries of the user who comes after them. */
const pauseMs = 250

export default defineCheck({
  id: 'BACK-22',
  role: 'backend',
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
      'Runs after the other requirements, since it may leave the backend without answers.',
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
    const { backend, mintDouble, available, configuration, clock } = parts
    const { alice } = backend
    const bob = available('bob')
    // Before the calls stall, since a user may be locked out by what other requirements sent.
    const lockout = bob === undefined ? null : await findLockoutOfAny(parts, [alice, bob])
    if (lockout !== null) return accuseOfLockout(judge, lockout)
    const last = bob ?? alice
    const { outage, stalled } = await mintDouble.scripted(async (double) => {
      double.lifetime(shortLifetime)
      const down = await findOutage(parts, double)
      return { outage: down, stalled: down === null ? await stall(parts, double) : 0 }
    })
    if (outage !== null) return accuse(judge, outage)
    judge.observe('backend.stalledMintCalls', stalled)
    if (stalled === 0) return judge.untested('the backend made no mint call that could have stalled')
    const recover = async (double: ScriptedMint) => {
      double.lifetime(shortLifetime)
      const start = clock.monotonic()
      const longestMs = configuration.limits.backendAnswerSeconds * 1000
      using prompt = countPromptTime(clock)
      const late = new AbortController()
      void prompt.until(longestMs).then(() => late.abort())
      const ask = (givenUp?: AbortSignal) =>
        backend.request({
          session: last,
          deadlineMs: longestMs,
          givenUp,
          newConnection: true,
          followRedirects: true,
        })
      let reply = await ask(late.signal)
      const judgeRefusal = () =>
        judge.must(backend.tokenOf(reply) !== null || reply.kind === 'no-answer' || isFailure(reply), {
          saw: `${showReply(reply)} and no token before the backend serves tokens again`,
          expected: 'a non-2xx response (4.2.4)',
          fix: 'Answer 502 with { "error": "…" } also where the mint is not called, as by an open circuit breaker.',
          evidence: [reply.exchange],
        })
      // A token from a cache needs no mint.
      const isServed = () =>
        double.calls().some(({ issued }) => issued !== null && issued === backend.tokenOf(reply))
      judgeRefusal()
      while (!isServed() && prompt.elapsedMs() + pauseMs < longestMs) {
        await clock.until(clock.monotonic() + pauseMs)
        reply = await ask(late.signal)
        judgeRefusal()
      }
      // A backend that the stall has blocked for good does not connect again: one that does may be on a busy machine.
      for (let tries = 0; !isServed() && double.connections() > 0 && tries < mostTries; tries += 1) {
        reply = await ask()
        judgeRefusal()
      }
      const seconds = Math.round((clock.monotonic() - start) / 100) / 10
      if (isServed()) {
        judge.observe('backend.secondsUntilRecovered', seconds)
        if (seconds * 1000 > longestMs && !late.signal.aborted)
          judge.missed(
            `a token came after ${seconds} s, while this machine was too slow to measure ${configuration.limits.backendAnswerSeconds} s`,
          )
        return judgeUser(judge, { last, alice, given: double.calls(), reply, token: backend.tokenOf(reply) })
      }
      if (backend.tokenOf(reply) !== null) return judge.untested(answeredFromCache)
      // Calls may be those of requests whose callers have given up: a backend may be down behind them.
      const hasCalled = double.calls().some(({ issued }) => issued !== null)
      const outage = await outlastOutage(parts, double, last)
      if (outage.kind === 'down') return accuse(judge, outage)
      if (hasCalled)
        return judge.untested(
          'the backend called the mint again and got a token, but its response came too late: the machine may be busy',
        )
      judge.should(false, {
        saw: `no token for a valid session within ${seconds} s after the mint answered again`,
        expected: `a token within ${configuration.limits.backendAnswerSeconds} s (4.2.4)`,
        fix: 'Bound every mint call by a deadline, and free its connection and worker when the deadline passes.',
        evidence: [reply.exchange],
      })
    }
    const missed = await mintDouble.scripted((double) => failInARow(parts, double, last))
    await mintDouble.scripted(recover)
    // A backend that does not recover has shown more than failures in a row could.
    if (missed !== null && judge.holdsSoFar()) judge.missed(missed)
  },
})

type Parts = CheckContext<'backend' | 'mintDouble'>
type Down = Extract<Outage, { kind: 'down' }>

/** A user whose call failed just before stays behind in a backend that forgets it after a success alone. */
function judgeUser(
  judge: Judge,
  {
    last,
    alice,
    given,
    reply,
    token,
  }: {
    readonly last: UserSession
    readonly alice: UserSession
    readonly given: readonly DoubleCall[]
    readonly reply: Reply
    readonly token: string | null
  },
): void {
  if (last.userId === alice.userId) return
  const call = given.find(({ issued }) => issued !== null && issued === token)
  judge.must(call?.userId !== alice.userId, {
    saw: `a token minted for ${JSON.stringify(alice.userId)}, whose mint calls had failed, given to ${JSON.stringify(last.userId)}`,
    expected: "the session's user as the userId of every mint call (4.2.2)",
    fix: 'Take the user from the session of the request alone, and keep nothing of a request that failed.',
    evidence: [reply.exchange],
  })
}

async function findLockoutOfAny(
  parts: Parts,
  [one, other]: readonly [UserSession, UserSession],
): Promise<Lockout | null> {
  return (await findLockout(parts, [one, other])) ?? (await findLockout(parts, [other, one]))
}

function accuseOfLockout(judge: Judge, { user, seconds, served, rejection }: Lockout): void {
  judge.must(false, {
    saw: `${JSON.stringify(user.userId)}, who had been served, rejected for ${seconds} s in new sessions as well (${showReply(rejection)}), while another user got a token`,
    expected: 'a token for a logged-in user (4.2.5)',
    fix: 'Count and ban only what was rejected: the session, or the client that sent it.',
    evidence: [rejection.exchange, served.exchange],
  })
}

/** The control: null where it is served, at the latest after an outage that has ended. */
async function findOutage(parts: Parts, double: ScriptedMint): Promise<Down | null> {
  const { backend } = parts
  try {
    await mustGetToken(backend, { session: backend.alice }, "alice's session")
    return null
  } catch (error) {
    if (!(error instanceof ControlLost)) throw error
    const outage = await outlastOutage(parts, double, backend.alice)
    if (outage.kind === 'served') return null
    if (outage.kind === 'unclear' || !backend.hasServed(backend.alice)) throw error
    return outage
  }
}

function accuse(judge: Judge, { seconds, tried, rejection }: Down): void {
  judge.must(false, {
    saw: `no token within ${seconds} s for a session that the backend had served (${showReply(tried)}), although the mint issued tokens and the backend rejected a request without a session with ${rejection.status}`,
    expected: 'a token again (4.2.5)',
    fix: 'Ask the mint again after a while, as a half-open circuit breaker does, and free the slot of every call that fails.',
    // The others are errors: with them it would count as a fault of the network, which the rejection excludes.
    evidence: [rejection.exchange],
  })
}

/**
 * Requests whose mint calls get no answer, until their callers give up. The others follow a first one whose call has arrived, so
 * that a cache answers none of them. Returns how many mint calls they caused.
 */
async function stall(parts: CheckContext<'backend'>, double: ScriptedMint): Promise<number> {
  const { backend, clock } = parts
  const before = double.calls().length
  using prompt = countPromptTime(clock)
  const over = new AbortController()
  const request = {
    session: backend.alice,
    deadlineMs: patienceMs * mostSlower,
    givenUp: over.signal,
    newConnection: true,
    followRedirects: true,
  }
  const { first } = await callFirst(parts, double, request)
  const stalling = [first]
  for (let wave = 0; wave < waves; wave += 1) {
    const size = callers / waves - (wave === 0 ? 1 : 0)
    stalling.push(...Array.from({ length: size }, () => awaitedLater(backend.request(request))))
    await clock.until(clock.monotonic() + betweenWavesMs)
  }
  await Promise.race([Promise.all(stalling), prompt.until(prompt.elapsedMs() + patienceMs)])
  over.abort()
  await Promise.all(stalling)
  return double.calls().length - before
}

/**
 * Requests until so many mint calls were refused, or one caused none: a breaker is open, or a cache answers. Returns why they show
 * nothing; null where they do.
 */
export async function failInARow(
  { backend, clock }: Pick<CheckContext<'backend'>, 'backend' | 'clock'>,
  double: Pick<ScriptedMint, 'answer' | 'calls' | 'lifetime'>,
  session: UserSession,
): Promise<string | null> {
  double.lifetime(shortLifetime)
  double.answer(() => ({ status: 500, body: '{"error":{"code":"internal"}}' }))
  const start = clock.monotonic()
  const count = () => double.calls().length
  const mostMs = () => (count() < leastFailures ? timesLonger : 1) * longestFailingMs
  let seen = -1
  while (seen < count() && seen < failuresInARow && clock.monotonic() - start < mostMs()) {
    seen = count()
    await backend.request({ session, deadlineMs: patienceMs, newConnection: true, followRedirects: true })
  }
  const failed = count()
  if (seen < failed && failed < leastFailures)
    return `only ${failed} mint calls in a row could fail within ${(longestFailingMs * timesLonger) / 1000} s`
  if (session === backend.alice) return null
  // The next request is another user's than the call that failed last.
  const reply = await backend.request({
    session: backend.alice,
    deadlineMs: patienceMs,
    newConnection: true,
  })
  return reply.kind === 'no-answer' && count() === failed
    ? "another user's request met no response and caused no mint call that could fail"
    : null
}

/** A first caller, once its mint call has arrived; a cached token is asked past, and a silence without a call is tried again. */
async function callFirst(
  parts: CheckContext<'backend'>,
  double: ScriptedMint,
  request: BackendRequest,
): Promise<{ readonly first: Promise<Reply> }> {
  const { backend, configuration } = parts
  const unmetMs = configuration.limits.backendAnswerSeconds * 1000
  for (let tries = 1; ; tries += 1) {
    const called = Promise.withResolvers<null>()
    double.answer(() => {
      called.resolve(null)
      return 'hang'
    })
    const asking = awaitedLater(askPastCache(parts, double, request, unmetMs))
    const first = asking.then(({ reply }) => reply)
    const unmet = await Promise.race([called.promise, first])
    const isOver =
      unmet === null ||
      backend.tokenOf(unmet) !== null ||
      (unmet.kind === 'no-answer' && double.calls().some(({ isWaiting }) => isWaiting))
    if (isOver || tries === mostTries) return { first: awaitedLater(first) }
  }
}
