import type { Reply } from '../../src/base/http/client.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { UserSession } from '../../src/roles/backend/types.ts'
import type { DoubleReaction, ScriptedMint } from '../../src/roles/mint/double.ts'
import type { End } from '../../src/roles/mint/expiry.ts'
import { showReply } from './lib/describe-reply.ts'
import {
  cacheUntil,
  failAfterExpiry,
  fallBackToLast,
  refreshInBackground,
  returnPrevious,
} from './lib/variant-caches.ts'

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
/** Caches drop a token some time before its end. */
const earlyMs = 500
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
  mints: 5,
  needs: ['backend', 'mintDouble', 'expiry'],
  stage: 'expiry',
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
  catches: {
    'keeps tokens for ever': { backend: cacheUntil(() => Number.POSITIVE_INFINITY) },
    'keeps one token for ever, for everyone': {
      backend: cacheUntil(
        () => Number.POSITIVE_INFINITY,
        () => 'everyone',
      ),
    },
    'reckons the expiry once, when it starts': {
      backend: cacheUntil(({ startedAt }) => startedAt + 900_000),
    },
    'keeps tokens for the lifetime it asked for, not the one it got': {
      backend: cacheUntil(({ keptAt }) => keptAt + 900_000),
    },
    'keeps tokens a minute too long': { backend: cacheUntil(({ expiresAt }) => expiresAt + 60_000) },
    'keeps tokens a few seconds too long': { backend: cacheUntil(({ expiresAt }) => expiresAt + 4000) },
    'keeps tokens as long as they are used': { backend: cacheUntil(({ usedAt }) => usedAt + 3000) },
    'goes by the expiry of whichever token came last': {
      backend: cacheUntil(({ lastExpiresAt }) => lastExpiresAt),
    },
    'takes seconds for minutes': {
      backend: cacheUntil(({ keptAt, expiresAt }) => keptAt + (expiresAt - keptAt) * 60),
    },
    'mints ahead for the next request': { backend: returnPrevious() },
    'renews an expired token only after handing it out': { backend: refreshInBackground() },
    'falls back on an expired token when the mint fails': { backend: fallBackToLast() },
    'falls back on an expired token at a limit': {
      backend: fallBackToLast(({ reply }) => reply?.status === 429),
    },
    'falls back on an expired token when its key is refused': {
      backend: fallBackToLast(({ reply }) => reply?.status === 401),
    },
    'falls back on an expired token when it cannot read the new one': {
      backend: fallBackToLast(({ reply }) => reply?.status === 200),
    },
    'falls back on an expired token when the mint cannot be reached': {
      backend: fallBackToLast(({ reply }) => reply === null),
    },
    'gives up once a kept token has expired': { backend: failAfterExpiry() },
    'keeps tokens until they expire': {
      backend: cacheUntil(({ expiresAt }) => expiresAt),
      as: 'warn',
    },
    'keeps tokens until shortly before they expire': {
      backend: cacheUntil(({ expiresAt }) => expiresAt - 300),
      as: 'warn',
    },
  },
})

function hasExpiry(token: string): boolean {
  return typeof readToken(token)?.claims?.['exp'] === 'number'
}

type Parts = CheckContext<'backend' | 'mintDouble' | 'expiry'>
type Tokens = ReturnType<typeof createTokens>

/** The tokens that the backend returned or was issued here, and when each expires. */
function createTokens({ backend, mintDouble, expiry, clock, configuration }: Parts, judge: Judge) {
  const longest = configuration.limits.maxTtlWaitSeconds
  const returned = new Map<string, End>()
  /** Those that the double has issued here, whether or not they were returned. */
  const issuedHere = new Map<string, End>()
  let hidden = false

  /** From the claims and the suite's monotonic clock, so that clock skew does not matter. */
  const endingOf = (token: string, { sentAt, receivedAt }: Pick<Reply, 'sentAt' | 'receivedAt'>) => {
    const { exp, iat } = readToken(token)?.claims ?? {}
    const lives = typeof exp === 'number' ? exp - clock.wall() / 1000 : 0
    const left = Math.max(lives, expiry.ttlSeconds)
    const lifetime = {
      byClaims: typeof exp === 'number' && typeof iat === 'number' ? exp - iat : left,
      // Detects a backdated `iat`.
      byClock: typeof exp === 'number' ? lives : null,
    }
    return { lifetime, askedSeconds: expiry.ttlSeconds, sentAt, receivedAt }
  }
  const note = (token: string, reply: Reply) => {
    const ending = endingOf(token, reply)
    const { byClaims, byClock } = ending.lifetime
    // A backend that mints in the background may do so after the double grants the requested lifetimes again.
    if (expiry.ttlSeconds <= longest && Math.min(byClaims, byClock ?? byClaims) > longest) {
      hidden = true
      judge.missed(
        `the backend returns tokens that live longer than the limit of ${longest} s (limits.maxTtlWaitSeconds)`,
      )
    } else returned.set(token, expiry.endOf(ending))
  }
  /** A token that the backend keeps for a later request may be returned for the first time after its expiry. */
  const noteIssued = (double: ScriptedMint) => {
    const now = clock.monotonic()
    for (const { issued } of double.calls()) {
      if (issued === null || issuedHere.has(issued)) continue
      const ending = endingOf(issued, { sentAt: now, receivedAt: now })
      if (ending.lifetime.byClaims <= longest) issuedHere.set(issued, expiry.endOf(ending))
    }
  }
  return {
    ask: (user: UserSession) => backend.request({ session: user, followRedirects: true }),
    /** Judges that the token has not expired; returns whether the reply has a token. */
    judged(reply: Reply, when: string): boolean {
      const token = backend.tokenOf(reply)
      if (token === null) return false
      const end = returned.get(token) ?? issuedHere.get(token)
      judge.must(end === undefined || reply.sentAt <= end.expiredAt, {
        case: when,
        saw: `a token returned ${Math.ceil((reply.sentAt - (end?.expiredAt ?? 0)) / 100) / 10} s after its expiry, ${when}`,
        expected: 'a valid token or an error (3)',
        fix: 'Mint for every request, or drop a cached token before its expiry.',
        evidence: [reply.exchange],
      })
      if (!returned.has(token)) note(token, reply)
      return true
    },
    /** One short turn in which the double grants the shortest lifetime. */
    turn: <T>(run: (double: ScriptedMint) => Promise<T>) =>
      mintDouble.scripted(async (double) => {
        double.lifetime(expiry.ttlSeconds)
        const result = await run(double)
        noteIssued(double)
        return result
      }),
    /** A token that was issued to another requirement, and is not known to have expired. */
    isOthers(reply: Reply, double: ScriptedMint): boolean {
      const token = backend.tokenOf(reply)
      return (
        token !== null &&
        hasExpiry(token) &&
        !returned.has(token) &&
        double.calls().every(({ issued }) => issued !== token)
      )
    },
    /** A token that is valid yet; a backend may take what it cannot read for a token. */
    isValid(reply: Reply): boolean {
      const token = backend.tokenOf(reply) ?? ''
      const end = returned.get(token)
      return hasExpiry(token) && end !== undefined && reply.sentAt <= end.expiredAt
    },
    areHidden: () => hidden,
    endOf: (reply: Reply): End | undefined => returned.get(backend.tokenOf(reply) ?? ''),
    lastEnd: () => Math.max(...[...returned.values()].map(({ expiredAt }) => expiredAt)),
    /** When all tokens have expired that the double has issued in this turn, and those of the replies. */
    lastEndOf(double: ScriptedMint, replies: readonly Reply[]): number {
      noteIssued(double)
      const ends = [
        ...double.calls().map(({ issued }) => issuedHere.get(issued ?? '')),
        ...replies.map((reply) => returned.get(backend.tokenOf(reply) ?? '')),
      ]
      return Math.max(clock.monotonic(), ...ends.map((end) => end?.expiredAt ?? 0))
    },
  }
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

/** The first user's request after the expiry. */
interface AfterExpiry {
  /** The token was issued to another requirement. */
  readonly isKept: boolean
  /** Monotonic milliseconds. */
  readonly sentAt: number
}

async function judgeAfterExpiry(
  { backend, expiry, available }: Parts,
  judge: Judge,
  { turn, ask, judged, isOthers, endOf }: Tokens,
): Promise<AfterExpiry> {
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
    const reply = await ask(user)
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
