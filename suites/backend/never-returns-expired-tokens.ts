import type { Reply } from '../../src/base/http/client.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { UserSession } from '../../src/roles/backend/configuration.ts'
import type { DoubleReaction, ScriptedMint } from '../../src/roles/mint/double.ts'
import { showReply } from './lib/describe-reply.ts'

/** Another request of the first user comes this much later, before a token of three seconds may have expired. */
const laterMs = 1200
/** The second user's token lives this much longer, so that it is valid yet when the first user's has expired. */
const longerSeconds = 3
/** Tokens are requested again this soon after their expiry. */
const afterMs = 400
/** A later request does not show what a cache keeps for a few seconds too long. */
const mostLateMs = 1000
/** Caches drop a token some time before its end. */
const earlyMs = 500

/** Backends tell failures apart: a limit, a key that is no longer valid, an answer that cannot be read. */
const failures: readonly (readonly [when: string, reaction: DoubleReaction])[] = [
  ...[503, 429, 401].map(
    (status) => [`answered ${status}`, { status, body: '{"error":{"code":"refused"}}' }] as const,
  ),
  ['answered 200 with truncated JSON', { status: 200, body: '{"token":"eyJhbGciOiJFUzI1NiJ9.eyJz' }],
  ['closed the connection', 'reset'],
]

export default defineCheck({
  id: 'BACK-10',
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
  mints: 10,
  needs: ['backend', 'mintDouble', 'expiry'],
  stage: 'expiry in its lane',
  async run(parts, judge) {
    const { backend, mintDouble, expiry, available, clock } = parts
    const { alice } = backend
    const bob = available('bob')
    await mintDouble.scripted(async (double) => {
      const { judgeToken, ask, lastEnd } = watchTokens(parts, double, judge)
      const { first, second, mints, seconds, isMissed } = await askTwice(parts, double)
      judge.observe('backend.mintsForTwoRequests', mints)
      if (isMissed) judge.missed('two requests could not be made within the lifetime of a token')
      else
        judge.should(mints >= 2 && first.jwt !== second.jwt, {
          saw: `${mints} mint ${mints === 1 ? 'call' : 'calls'} for two requests, and ${first.jwt === second.jwt ? 'the same token twice' : 'two tokens'}`,
          expected: 'a newly minted token for each request (5.5)',
          fix: 'Call the mint for every request; keep no calling token in the process.',
          evidence: [first.exchange, second.exchange],
        })
      if (typeof readToken(first.jwt)?.claims?.['exp'] !== 'number')
        return judge.onlyObserved('the expiry of the tokens cannot be read')
      judgeToken(first.answer, 'on the first request')
      judgeToken(second.answer, 'on a request at once')
      const end = lastEnd()
      double.lifetime(seconds + longerSeconds)
      if (bob !== undefined) await ask(bob, 'on the first request')
      double.lifetime(expiry.ttlSeconds)
      // A token that is kept stays in use.
      do {
        await expiry.until(clock.monotonic() + laterMs)
        await ask(alice, 'on a later request')
      } while (mints < 2 && clock.monotonic() + laterMs < end)

      await expiry.until(end + afterMs)
      const before = double.calls().length
      const late = await askAfterExpiry(parts, ask)
      if (late.sentAt > end + afterMs + mostLateMs)
        judge.missed(
          `the request after the expiry of a token came ${((late.sentAt - end) / 1000).toFixed(1)} s after it, too late to see what a cache keeps`,
        )
      const isServed = backend.tokenOf(late) !== null
      const calls = double.calls().slice(before)
      if (!isServed && calls.length > 0 && calls.every(({ issued }) => issued === null))
        judge.lost('control failed: the mint issued no second token to the backend', [late.exchange])
      else
        judge.must(isServed, {
          saw: `${showReply(late)} and no token for a valid session after the expiry of its first token`,
          expected: 'a new token (3)',
          fix: 'Mint a new token once the cached one has expired.',
          evidence: [late.exchange],
        })
      // A backend may have minted ahead for it.
      await expiry.until(lastEnd() + afterMs)
      await ask(alice, 'on a request after its expiry, which it was issued for a request before')
      if (bob === undefined) return
      for (const [when, reaction] of failures) {
        double.answer(() => reaction)
        await ask(
          bob,
          `on a request after its expiry while the mint ${when}`,
          `an ordinary request while the mint ${when}`,
        )
      }
      double.answer(null)
      // A circuit breaker may have opened: the next check meets a backend that serves.
      await backend.token(alice)
    })
  },
})

type Parts = CheckContext<'backend' | 'mintDouble' | 'expiry'>
type Ask = ReturnType<typeof watchTokens>['ask']

/** When each token expires that was returned, or issued by the double and may be returned later. */
function watchTokens({ backend, expiry, clock, configuration }: Parts, double: ScriptedMint, judge: Judge) {
  const longest = configuration.limits.maxTtlWaitSeconds
  /** In monotonic milliseconds. */
  const ends = new Map<string, number>()
  /** From the claims and the suite's monotonic clock, so that clock skew does not matter. False where it lives too long. */
  const note = (token: string, { sentAt, receivedAt }: Pick<Reply, 'sentAt' | 'receivedAt'>): boolean => {
    const { exp, iat } = readToken(token)?.claims ?? {}
    const lives = typeof exp === 'number' ? exp - clock.wall() / 1000 : null
    const byClaims =
      typeof exp === 'number' && typeof iat === 'number' ? exp - iat : Math.max(lives ?? 0, expiry.ttlSeconds)
    // A backend that mints in the background may do so after the double grants the requested lifetimes again.
    if (expiry.ttlSeconds <= longest && Math.min(byClaims, lives ?? byClaims) > longest) return false
    // A lifetime by the clock detects a backdated `iat`.
    const lifetime = { byClaims, byClock: lives }
    const { expiredAt } = expiry.endOf({ lifetime, askedSeconds: expiry.ttlSeconds, sentAt, receivedAt })
    ends.set(token, expiredAt)
    return true
  }
  const noteIssued = () => {
    const now = { sentAt: clock.monotonic(), receivedAt: clock.monotonic() }
    for (const { issued } of double.calls()) if (issued !== null && !ends.has(issued)) note(issued, now)
  }
  const judgeToken = (reply: Reply, when: string) => {
    const token = backend.tokenOf(reply)
    if (token === null) return
    const late = reply.sentAt - (ends.get(token) ?? reply.sentAt)
    judge.must(late <= 0, {
      case: when,
      saw: `a token returned ${Math.ceil(late / 100) / 10} s after its expiry, ${when}`,
      expected: 'a valid token or an error (3)',
      fix: 'Mint for every request, or drop a cached token before its expiry.',
      evidence: [reply.exchange],
    })
    if (!ends.has(token) && !note(token, reply))
      judge.missed(
        `the backend returns tokens that live longer than the limit of ${longest} s (limits.maxTtlWaitSeconds)`,
      )
  }
  return {
    judgeToken,
    async ask(session: UserSession, when: string, name = 'an ordinary request'): Promise<Reply> {
      const reply = await backend.request({ session, followRedirects: true, case: name })
      judgeToken(reply, when)
      noteIssued()
      return reply
    },
    lastEnd(): number {
      noteIssued()
      return Math.max(clock.monotonic(), ...ends.values())
    },
  }
}

/** One failure is allowed here (3), and a busy backend or mint may cause it: the next request counts. */
async function askAfterExpiry({ backend, available }: Parts, ask: Ask): Promise<Reply> {
  const { alice } = backend
  const bob = available('bob')
  const when = 'on a request after its expiry'
  const first = await ask(alice, when)
  if (backend.tokenOf(first) !== null) return first
  // Where the backend refuses everyone for a while, that request waits until another user is served, or patience ends.
  if (bob !== undefined) await backend.token(bob).catch(() => undefined)
  const late = await ask(alice, when)
  if (late.kind === 'no-answer' || backend.tokenOf(late) !== null) return late
  // A session that has ended meanwhile says nothing about tokens, nor does a ban of this machine.
  if (late.status === 401) await backend.token(alice)
  if ((late.status === 403 || late.status === 429) && bob !== undefined) await backend.token(bob)
  return late
}

/** Two requests of the first user, within the lifetime of a token: a longer one where they took too long. */
export async function askTwice(
  { backend, expiry, configuration }: Pick<Parts, 'backend' | 'expiry' | 'configuration'>,
  double: Pick<ScriptedMint, 'calls' | 'lifetime'>,
) {
  const askWithin = async (seconds: number) => {
    double.lifetime(seconds)
    const before = double.calls().length
    const first = await backend.token(backend.alice)
    const second = await backend.token(backend.alice)
    const mints = double.calls().length - before
    const areNew = mints >= 2 && first.jwt !== second.jwt
    // `exp` has whole seconds: a token may end one earlier.
    const end = first.answer.sentAt + (seconds - 1) * 1000 - earlyMs
    return { first, second, mints, seconds, isMissed: areNew && second.answer.sentAt >= end }
  }
  let pair = await askWithin(expiry.ttlSeconds)
  for (const seconds of expiry.lifetimes) {
    if (!pair.isMissed || seconds > configuration.limits.maxTtlWaitSeconds) break
    if (seconds > pair.seconds) pair = await askWithin(seconds)
  }
  return pair
}
