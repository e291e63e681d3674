import type { Reply } from '../../src/base/http/client.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { UserSession } from '../../src/roles/backend/configuration.ts'
import type { DoubleReaction, ScriptedMint } from '../../src/roles/mint/double.ts'
import { showReply } from './lib/describe-reply.ts'
import { askTwice, createTokens, hasExpiry, type Parts, type Tokens } from './lib/expiring-tokens.ts'

/** Another request of the first user comes this much later, before a token of three seconds may have expired. */
const laterMs = 1200
/** The second user's token lives this much longer, so that it is valid yet when the first user's has expired. */
const longerSeconds = 1
/** A token that is minted ahead is issued this soon after the reply. */
const shortlyMs = 500
/** Tokens are requested again this soon after their expiry. */
const afterMs = 400
/** A later request does not show what a cache keeps for a few seconds too long. */
const mostLateMs = 1000
/** Where a request came too late, the second user's token lives this much longer than the first user's. */
const muchLongerSeconds = 3

/** Backends tell failures apart: a limit, a key that is no longer valid, an answer that cannot be read. */
type Failure = readonly [when: string, reaction: DoubleReaction]

const failures: readonly Failure[] = [
  ...[503, 429, 401].map(
    (status) => [`answered ${status}`, { status, body: '{"error":{"code":"refused"}}' }] as const,
  ),
  ['answered 200 with truncated JSON', { status: 200, body: '{"token":"eyJhbGciOiJFUzI1NiJ9.eyJz' }],
  ['closed the connection', 'reset'],
]

const whileFailing = (when: string) => `on a request after its expiry while the mint ${when}`

export default defineCheck({
  id: 'BACK-10',
  role: 'backend',
  level: 'MUST',
  kind: 'positive',
  clauses: ['5.5', '3'],
  basis: 'A token ends with its lifetime: after it a new one is minted (3).',
  title: 'mints per request and never returns an expired token',
  why: 'A cached token has used up part of its lifetime. Signaling rejects an expired one, and an app that fetches again gets the same token.',
  how: {
    does: [
      "The suite's mint double issues short-lived tokens.",
      'Two requests in a row should cause two mint calls.',
      'Alice requests again after the expiry of her token, while a later token of bob is still valid; bob requests after the expiry of his, while the mint answers 503, 429, 401 and truncated JSON, and closes the connection.',
      'Where the answer is a token that was issued to another requirement, the same is done once more.',
      'Where a backend keeps tokens, two more requests are made, and one after the expiry of all that was issued for them, until which a token that was returned twice stays in use. Where a kept token lives too long to be waited out, all is done once more.',
    ],
    fails: ['A token returned after its expiry.', 'Two failures in a row while the mint issues tokens.'],
    warns: ['Fewer mint calls than requests, since a backend may cache a token during its lifetime.'],
    untested: [
      'Two requests that could not be made within the lifetime of a token.',
      'A request after the expiry that came too late, twice.',
    ],
  },
  mints: 6,
  needs: ['backend', 'mintDouble', 'expiry'],
  stage: 'expiry in its lane',
  async run(parts, judge) {
    const { backend, expiry, available } = parts
    const { alice } = backend
    const bob = available('bob')
    const tokens = createTokens(parts, judge)
    const { turn, ask, judged } = tokens

    const { first, second, mints, isMissed, ofBob, isOthers } = await turn(async (double) => {
      const pair = await askTwice(parts, double)
      const isOthers = tokens.isOthers(pair.first.answer, double)
      double.lifetime(pair.seconds + longerSeconds)
      return { ...pair, isOthers, ofBob: bob === undefined ? null : await ask(bob) }
    })
    judge.observe('backend.mintsForTwoRequests', mints)
    if (isMissed) judge.missed('two requests could not be made within the lifetime of a token')
    else
      judge.should(mints >= 2 && first.jwt !== second.jwt, {
        saw: `${mints} mint ${mints === 1 ? 'call' : 'calls'} for two requests, and ${first.jwt === second.jwt ? 'the same token twice' : 'two tokens'}`,
        expected: 'a newly minted token for each request (5.5)',
        fix: 'Call the mint for every request; keep no calling token in the process.',
        evidence: [first.exchange, second.exchange],
      })
    if (!hasExpiry(first.jwt)) return judge.onlyObserved('the expiry of the tokens cannot be read')
    judged(first.answer, 'on the first request')
    judged(second.answer, 'on a request at once')
    const end = tokens.lastEnd()
    if (ofBob !== null) judged(ofBob, 'on the first request')
    let endOfBob = tokens.lastEnd()

    await expiry.until(second.answer.receivedAt + laterMs)
    await turn(async () => judged(await ask(alice), 'on a later request'))

    await expiry.until(end + afterMs)
    const { isKept, sentAt } = await judgeAfterExpiry(parts, judge, tokens)
    const isTooLate = sentAt > end + afterMs + mostLateMs
    // After its end, bob's token no longer shows a cache that goes by the latest one.
    const isAfterBob = endOfBob > end && sentAt > endOfBob
    if ((isTooLate || isAfterBob) && !tokens.areHidden()) endOfBob = await askInTime(parts, judge, tokens)
    if (isKept || isOthers || mints < 2 || tokens.areHidden()) await askUndisturbed(parts, judge, tokens)
    if (bob === undefined) return
    await expiry.until(endOfBob + afterMs)
    await failForEach(bob, tokens, parts)
    // A circuit breaker may have opened: the next check meets a backend that serves.
    await turn(() => backend.token(alice))
  },
})

/** The first user's request after the expiry: when it was sent, and whether its token was issued to another requirement. */
async function judgeAfterExpiry(
  { backend, expiry, available }: Parts,
  judge: Judge,
  { turn, ask, judged, isOthers, endOf }: Tokens,
) {
  const { alice } = backend
  const bob = available('bob')
  const { late, refused, isKept } = await turn(async (double) => {
    const first = await ask(alice)
    // One failure is allowed here (3), and a busy backend or mint may cause it: the next request counts. Where the backend
    // refuses everyone for a while, that request waits until another user is served, or patience ends.
    if (backend.tokenOf(first) === null && bob !== undefined) await backend.token(bob).catch(() => undefined)
    const late = backend.tokenOf(first) === null ? await ask(alice) : first
    const calls = double.calls()
    return {
      late,
      isKept: isOthers(late, double),
      refused: calls.length > 0 && calls.every(({ issued }) => issued === null),
    }
  })
  const isServed = judged(late, 'on a request after its expiry')
  if (!isServed) await assertServing(late, { backend, available })
  if (refused && !isServed)
    judge.lost('control failed: the mint issued no second token to the backend', [late.exchange])
  else
    judge.must(isServed, {
      saw: `${showReply(late)} and no token for a valid session after the expiry of its first token`,
      expected: 'a new token (3)',
      fix: 'Mint a new token once the cached one has expired.',
      evidence: [late.exchange],
    })
  const end = endOf(late)
  if (isKept && end !== undefined) await expiry.until(end.expiredAt + afterMs)
  return { isKept, sentAt: late.sentAt }
}

/**
 * Asks once more soon after the expiry, while a token of the second user is valid for longer. Returns when all tokens have
 * expired.
 */
function askInTime({ backend, expiry, available }: Parts, judge: Judge, tokens: Tokens): Promise<number> {
  const { turn, ask, judged, lastEnd, lastEndOf } = tokens
  const bob = available('bob')
  return turn(async (double) => {
    const before = await ask(backend.alice)
    const hadToken = judged(before, 'on a request before its expiry')
    const end = lastEndOf(double, [before])
    double.lifetime(expiry.ttlSeconds + muchLongerSeconds)
    if (bob !== undefined) judged(await ask(bob), 'on a request before its expiry')
    await expiry.until(end + afterMs)
    const late = await ask(backend.alice)
    const hasToken = judged(late, 'on a request after its expiry')
    if (!hadToken || !hasToken)
      judge.undecided(`${showReply(hadToken ? late : before)}, around the expiry of a token`, [
        (hadToken ? late : before).exchange,
      ])
    judgeLateness(judge, late, end)
    return lastEnd()
  })
}

function judgeLateness(judge: Judge, { sentAt }: Reply, end: number): void {
  if (sentAt > end + afterMs + mostLateMs)
    judge.missed(
      `the request after the expiry of a token came ${((sentAt - end) / 1000).toFixed(1)} s after it, too late to see what a cache keeps`,
    )
}

/** A session that has ended meanwhile says nothing about tokens, nor does a ban of this machine. */
async function assertServing(
  reply: Reply,
  { backend, available }: Pick<Parts, 'backend' | 'available'>,
): Promise<void> {
  if (reply.kind !== 'answer') return
  const bob = available('bob')
  if (reply.status === 401) await backend.token(backend.alice)
  if ((reply.status === 403 || reply.status === 429) && bob !== undefined) await backend.token(bob)
}

/** Others, which run meanwhile, are issued tokens that a backend returns in place of those of this double: they wait here. */
function askUndisturbed(
  { backend, expiry, clock }: Parts,
  judge: Judge,
  { turn, ask, judged, lastEndOf }: Tokens,
): Promise<void> {
  const { alice } = backend
  return turn(async (double) => {
    const before = await ask(alice)
    const reply = await ask(alice)
    for (const one of [before, reply]) judged(one, 'on a request at once')
    await expiry.until(reply.receivedAt + shortlyMs)
    const end = lastEndOf(double, [before, reply])
    const isKeptInUse = backend.tokenOf(reply) === backend.tokenOf(before)
    let used = reply
    while (isKeptInUse && clock.monotonic() + laterMs < end) {
      await expiry.until(clock.monotonic() + laterMs)
      const again = await ask(alice)
      if (again.sentAt > used.receivedAt + laterMs + mostLateMs)
        judge.missed('a token could not be kept in use until its expiry')
      used = again
    }
    await expiry.until(end + afterMs)
    const late = await ask(alice)
    judgeLateness(judge, late, end)
    judged(
      late,
      isKeptInUse
        ? 'on a request after its expiry, until which it was in use'
        : 'on a request after its expiry, which it was issued for the request before',
    )
  })
}

/** Asks while the mint fails in each way, and again undisturbed where another requirement's valid token was the answer. */
async function failForEach(
  user: UserSession,
  { turn, ask, judged, isValid, lastEndOf }: Tokens,
  { expiry }: Parts,
): Promise<void> {
  const askWhile = async (double: ScriptedMint, [when, reaction]: Failure) => {
    double.answer(() => reaction)
    const reply = await ask(user, `an ordinary request while the mint ${when}`)
    judged(reply, whileFailing(when))
    return reply
  }
  const hidden: Failure[] = []
  for (const failure of failures)
    if (isValid(await turn((double) => askWhile(double, failure)))) hidden.push(failure)
  if (hidden.length === 0) return
  await turn(async (double) => {
    const fresh = await ask(user)
    judged(fresh, 'on a request before the mint fails')
    await expiry.until(lastEndOf(double, [fresh]) + afterMs)
    for (const failure of hidden) await askWhile(double, failure)
  })
}
