import type { Reply } from '../../src/base/http/client.ts'
import { type Headers, headerOf } from '../../src/base/http/headers.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { pathsHolding } from '../../src/base/tokens/find-user-claim.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { ConfiguredSession, UserSession } from '../../src/roles/backend/types.ts'
import type { DoubleCall, DoubleReaction, ScriptedMint } from '../../src/roles/mint/double.ts'
import { failFirstCalls, heldMs } from './lib/fail-first-calls.ts'
import { findMintedUser } from './lib/find-minted-user.ts'
import { learnTokenUser, type ReadTokenUser, tokensTellNoUser } from './lib/read-token-user.ts'
import { cacheUntil } from './lib/variant-caches.ts'
import {
  retryForLastAsked,
  retryForLastServed,
  retryLostConnections,
  retryNewestFirst,
  shareRetry,
} from './lib/variant-retries.ts'
import {
  answerInOrder,
  cacheInSlot,
  shareBy,
  shareInFlight,
  storeReplyInVariable,
  storeUserInVariable,
} from './lib/variant-sharing.ts'
import { shortLifetime } from './lib/with-short-lived-tokens.ts'

const requestsOfEach = 25
/** Fewer tokens than this per user show nothing about concurrent requests. */
const enough = 5
const longestDelayMs = 40
/** Seconds before its end at which caches usually drop a token. A token with a shorter life is never kept. */
const usualMargins = [10, 30, 60, 120, 300]
const longestKeptMs = 35_000
/** So long a cache may keep a token while all users ask: longer where they could not in the time before. */
const keptSeconds = [shortLifetime, 3 * shortLifetime, 10 * shortLifetime] as const
/** Failures of a mint call after which backends call again. */
const retriedFailures: readonly DoubleReaction[] = [{ status: 503, body: '{"error":"try again"}' }, 'reset']
/** Requests of each user in a burst in which one of the user's mint calls fails. */
const requestsWhileFailing = 2
/** Allows for clock skew between the issuer and this machine. */
const marginMs = 300
const sameApp = [['user-agent', 'twotoken/app']] as const

export default defineCheck({
  id: 'BACK-11',
  role: 'backend',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.1.4'],
  basis: 'One JWT is never used for two people (2.1.4).',
  title: 'never mixes up users under concurrent requests',
  why: "State shared between two requests, or one mint call shared by two users, gives one user another user's identity, rarely enough to be overlooked.",
  how: {
    does: [
      "Two users send 25 requests each, all at once, half of them with the same User-Agent, while the suite's mint double answers out of order.",
      'Expects for each user only tokens minted for that user.',
      'Then the users take turns, with tokens that live a little longer than the 10, 30, 60, 120 and 300 s before whose end caches usually drop them, until one is kept. Two users of backend.sessions.odd whose ids have the same length take part.',
      "Last, two bursts of two requests each, in which the double fails each user's first mint call: with 503, then by a reset. A backend may call again, for the same user.",
      'Without the mint double, the userIds in the claims are judged, while the mint answers in its own order.',
    ],
    fails: [
      "A token minted for the other user, with the other user's id in its claims, or returned to both.",
    ],
    warns: ['An Idempotency-Key that mint calls for both users carry.'],
    untested: [
      'Requests that did not overlap, or took longer than a cache keeps a token.',
      'Mint calls of both users that could not fail at the same time.',
    ],
  },
  mints: 150,
  needs: ['backend', 'bob'],
  atOnce: { backend: 2 },
  async run(parts, judge) {
    const mintDouble = parts.available('mintDouble')
    if (mintDouble !== undefined)
      return await mintDouble.scripted((double) => judgeMintCalls(parts, double, judge))
    const readUser = await learnTokenUser(parts)
    if (readUser === null) return judge.untested(tokensTellNoUser)
    await judgeTokens(parts, readUser, judge)
  },
  catches: {
    'shares a mint call that is under way': { backend: shareInFlight(() => 'everyone') },
    'shares a mint call between requests of the same app': {
      backend: shareBy(({ 'user-agent': agent }) => agent ?? ''),
    },
    'shares a mint call between ids of the same beginning': {
      backend: shareInFlight((userId) => userId.slice(0, 2)),
    },
    'shares a mint call that is under way, and cannot be pointed at the mint double': {
      backend: shareInFlight(() => 'everyone'),
      withoutDouble: true,
    },
    'keeps the user in a variable, and cannot be pointed at the mint double': {
      backend: storeUserInVariable(),
      withoutDouble: true,
    },
    'keeps the user in a variable': { backend: storeUserInVariable() },
    "keeps the mint's answer in a variable": { backend: storeReplyInVariable() },
    'keeps one token for everyone': {
      backend: cacheUntil(
        ({ expiresAt }) => expiresAt,
        () => 'everyone',
      ),
    },
    'keeps one token for everyone, until a minute before its end': {
      backend: cacheUntil(
        ({ expiresAt }) => expiresAt - 60_000,
        () => 'everyone',
      ),
    },
    'keeps tokens by the length of the id': {
      backend: cacheUntil(
        ({ expiresAt }) => expiresAt,
        ({ length }) => String(length),
      ),
    },
    'keeps the last token for a moment': { backend: cacheInSlot(20) },
    'answers in the order in which the mint does': { backend: answerInOrder() },
    'retries a failed mint call for the user who asked last': { backend: retryForLastAsked() },
    'retries a failed mint call for the user who was served last': { backend: retryForLastServed() },
    'retries the newest of the failed mint calls first': { backend: retryNewestFirst() },
    'shares the retry of failed mint calls': { backend: shareRetry() },
    'retries mint calls whose connection was lost at once, for the user who asked last': {
      backend: retryLostConnections(),
    },
    'sends one Idempotency-Key for all users': {
      backend: {
        callMint: (call, usual) =>
          usual({ ...call, headers: { ...call.headers, 'idempotency-key': 'calling-token' } }),
      },
      as: 'warn',
    },
  },
})

type Parts = CheckContext<'backend' | 'bob'>

interface User {
  readonly session: UserSession
  /** The id for which the backend mints for this user alone. */
  readonly id: string
}

interface Got {
  readonly user: User
  readonly jwt: string
  readonly exchange: string
  readonly reply: Reply
}

/** A user's token as the app gets it, and the reply; no token where the backend gives none. */
async function askFor(
  { backend }: Parts,
  user: User,
  headers: Headers = [],
): Promise<{ readonly got: Got[]; readonly reply: Reply }> {
  const reply = await backend.request({ session: user.session, headers, followRedirects: true })
  const jwt = backend.tokenOf(reply)
  return { reply, got: jwt === null ? [] : [{ user, jwt, exchange: reply.exchange, reply }] }
}

async function ask(parts: Parts, user: User, headers?: Headers): Promise<Got[]> {
  return (await askFor(parts, user, headers)).got
}

/** The tokens that users got in turn. */
interface Turns {
  readonly got: readonly Got[]
  /** Null where a user got no token. */
  readonly kept: boolean | null
  /** A reply by which nothing can be said of that: no response, or a rate limit. */
  readonly open: Reply | undefined
  /** All were asked while a token of this lifetime could be kept. */
  readonly wasInTime: boolean
}

async function takeTurns(
  parts: Parts,
  double: Pick<ScriptedMint, 'lifetime'>,
  [first, ...others]: readonly [User, ...User[]],
  { margin, seconds }: { readonly margin: number; readonly seconds: number },
): Promise<Turns> {
  const { clock } = parts
  const begun = clock.monotonic()
  double.lifetime(margin + seconds)
  const asked: Awaited<ReturnType<typeof askFor>>[] = []
  for (const user of [first, ...others, first]) asked.push(await askFor(parts, user))
  double.lifetime(shortLifetime)
  const got = asked.flatMap((one) => one.got)
  const [before, again] = [asked.at(0)?.got[0], asked.at(-1)?.got[0]]
  // A mint may refuse so long a lifetime.
  const open = asked.find(({ reply }) => reply.kind === 'no-answer' || reply.status === 429)?.reply
  // `exp` has whole seconds: a token may end one earlier.
  const wasInTime = clock.monotonic() - begun < (seconds - 1) * 1000
  if (before === undefined || again === undefined) return { got, kept: null, open, wasInTime }
  const kept = before.jwt === again.jwt
  if (kept && margin + seconds > shortLifetime) await waitUntilDropped(parts, first, again.jwt)
  return { got, kept, open, wasInTime }
}

/**
 * The tokens that users get in turn from a backend that may drop them some time before their end. They live a little longer
 * than that, until one is kept.
 */
export async function askWhatIsKept(
  parts: Parts,
  double: Pick<ScriptedMint, 'lifetime'>,
  users: readonly [User, ...User[]],
  judge: Judge,
): Promise<Got[]> {
  const got: Got[] = []
  // A cache that keeps the shortest was at work when all asked at once.
  for (const margin of [0, ...usualMargins]) {
    let last: Turns | undefined
    for (const seconds of keptSeconds) {
      last = await takeTurns(parts, double, users, { margin, seconds })
      got.push(...last.got)
      const { kept, open } = last
      if (open !== undefined)
        judge.undecided('a rate limit or no response for a user who asked in turn', [open.exchange])
      // Where a user gets no token, more requests show no more.
      if (kept !== false || open !== undefined) return got
      if (last.wasInTime) break
    }
    if (last?.wasInTime !== false) continue
    judge.untested(
      `the users' requests took longer than ${keptSeconds.at(-1)} s, so a cache that drops tokens ${margin} s before their end could not be seen`,
    )
    return got
  }
  return got
}

/** No later check is then answered with a token of this one: a cache may drop it earlier or later than usual. */
async function waitUntilDropped(parts: Parts, user: User, kept: string): Promise<void> {
  const { clock } = parts
  const end = clock.monotonic() + longestKeptMs
  while (clock.monotonic() < end) {
    await clock.until(clock.monotonic() + 1000)
    const [now] = await ask(parts, user)
    if (now?.jwt !== kept) return
  }
}

/** The tokens that users get while the first mint call for each of them fails. */
export async function askWhileCallsFail(
  parts: Parts,
  double: Pick<ScriptedMint, 'answer'>,
  users: readonly [User, User],
  judge: Judge,
): Promise<Got[]> {
  const { clock } = parts
  const ids = users.map(({ id }) => id)
  const got: Got[] = []
  for (const [round, failure] of retriedFailures.entries()) {
    // Each user asks last once.
    const order = round % 2 === 0 ? users : users.toReversed()
    const askOnce = async () => {
      const failed = failFirstCalls(double, ids, failure, clock)
      const asked = Array.from({ length: requestsWhileFailing }, () =>
        order.map(async (user) => ({ user, ...(await askFor(parts, user)) })),
      )
      const all = await Promise.all(asked.flat())
      got.push(...all.flatMap((one) => one.got))
      const givenUpAt = failed.givenUpAt()
      // A backend that makes one call at a time had all of the requests while the first call waited.
      const isLate = (user: User) =>
        all.every((one) => one.user !== user || one.reply.sentAt > (givenUpAt ?? 0) - heldMs / 2)
      return { count: failed.count(), isMissed: givenUpAt !== null && users.some(isLate) }
    }
    const first = await askOnce()
    if (first.count > 0 && !first.isMissed) continue
    // A cache served them: it keeps no token of this lifetime for longer.
    await clock.until(clock.monotonic() + shortLifetime * 1000 + marginMs)
    const second = await askOnce()
    if (second.isMissed) judge.missed('the mint calls of both users could not fail at the same time')
    if (second.count === 0) break
  }
  double.answer(null)
  return got
}

/** The tokens that both users got, asking all at once. */
export async function askAtOnce(parts: Parts, users: readonly User[], judge: Judge): Promise<Got[]> {
  const askAll = async (asked: readonly User[]): Promise<Got[]> => {
    // Every other pair of them comes from the same app, as far as its headers tell.
    const got = asked.map((user, place) => ask(parts, user, place % 4 < 2 ? sameApp : []))
    return (await Promise.all(got)).flat()
  }
  const asked = Array.from({ length: requestsOfEach }, () => users).flat()
  const got = await askAll(asked)
  judge.observe('answered', `${got.length} of ${asked.length}`)
  // A rate limit may reject some of them: the rest is judged all the same.
  const areTooFew = () => users.some((user) => got.filter((one) => one.user === user).length < enough)
  // Behind a slow limit a backend gives up on its mint: one request of each user at once is served in time.
  for (let pair = 0; areTooFew() && pair < requestsOfEach; pair += 1) got.push(...(await askAll(users)))
  if (areTooFew()) {
    judge.untested(`only ${got.length} concurrent requests got a token`)
    return got
  }
  for (let pair = 0; !haveOverlapped(got) && pair < enough; pair += 1) got.push(...(await askAll(users)))
  if (!haveOverlapped(got)) judge.untested('no two requests of different users overlapped')
  return got
}

function haveOverlapped(got: readonly Got[]): boolean {
  return got.some(({ user, reply: one }) =>
    got.some(
      ({ user: other, reply }) =>
        other !== user && reply.sentAt < one.receivedAt && one.sentAt < reply.receivedAt,
    ),
  )
}

function judgeMixed(got: readonly Got[], isOfAnother: (one: Got) => boolean, judge: Judge): void {
  const isGivenToBoth = ({ user, jwt }: Got) => got.some((one) => one.user !== user && one.jwt === jwt)
  const mixed = got.filter((one) => isOfAnother(one) || isGivenToBoth(one))
  judge.must(mixed.length === 0, {
    saw: `${mixed.length} of ${got.length} tokens that belong to another user`,
    expected: "the session user's token for every request (2.1.4)",
    fix: 'Share no state or mint call between users, nor the retry of a call that has failed.',
    evidence: mixed.slice(0, 4).map(({ exchange }) => exchange),
  })
}

async function judgeMintCalls(parts: Parts, double: ScriptedMint, judge: Judge): Promise<void> {
  const { backend, bob, random, configuration } = parts
  const { userIdClaim } = configuration.token
  double.lifetime(shortLifetime)
  /** The configured id where the backend answers from a cache. */
  const alone = async (session: UserSession): Promise<User> => {
    const { jwt } = await backend.token(session)
    return { session, id: findMintedUser(double, jwt) ?? session.userId }
  }
  const alice = await alone(backend.alice)
  const other = await alone(bob)
  double.delay(() => random() * longestDelayMs)
  const atOnce = await askAtOnce(parts, [alice, other], judge)
  double.delay(() => 0)
  const alike = await findAlike(parts, double, [backend.alice, bob])
  const kept = await askWhatIsKept(parts, double, [alice, other, ...alike], judge)
  const got = [...atOnce, ...kept, ...(await askWhileCallsFail(parts, double, [alice, other], judge))]
  const idsOf = mintedIds(double.calls())
  const names = (jwt: string, id: string) =>
    pathsHolding(readToken(jwt)?.claims ?? {}, id, userIdClaim).length > 0
  const users = [alice, other, ...alike]
  const isOfAnother = ({ user, jwt }: Got) => {
    const ids = idsOf.get(jwt)
    if (ids !== undefined && !ids.has(user.id)) return true
    const namesAnother = users.some(({ id }) => id !== user.id && names(jwt, id))
    return namesAnother && !names(jwt, user.id)
  }
  judgeMixed(got, isOfAnother, judge)
  judgeIdempotencyKeys(double.calls(), judge)
}

/** Two users whose ids have the same length, and are served: a cache may be keyed by less than the id. */
async function findAlike(
  parts: Parts,
  double: ScriptedMint,
  usual: readonly [UserSession, UserSession],
): Promise<readonly User[]> {
  const { backend, configuration } = parts
  const sessions: readonly ConfiguredSession[] = [...usual, ...(configuration.backend?.sessions.odd ?? [])]
  const twin = sessions.find(({ userId }, place) => {
    const isAlike = (one: ConfiguredSession) => one.userId.length === userId.length
    // Alice and bob are compared as it is.
    return place >= usual.length && sessions.slice(0, place).some(isAlike)
  })
  const first = sessions.find(({ userId }) => userId.length === twin?.userId.length)
  const users: User[] = []
  for (const session of [first, twin]) {
    if (session === undefined || usual.some((one) => one === session)) continue
    const jwt = backend.tokenOf(await backend.request({ session, followRedirects: true }))
    if (jwt !== null) users.push({ session, id: findMintedUser(double, jwt) ?? session.userId })
  }
  return users
}

/** A mint that heeds the key (draft-ietf-httpapi-idempotency-key-header) answers the second call with the first one's token. */
function judgeIdempotencyKeys(calls: readonly DoubleCall[], judge: Judge): void {
  const first = new Map<string, DoubleCall>()
  const reused = calls.flatMap((call) => {
    const key = headerOf(call.headers, 'idempotency-key')
    if (key === undefined || call.userId === null) return []
    const before = first.get(key) ?? call
    first.set(key, before)
    return before.userId === call.userId ? [] : [before, call]
  })
  judge.should(reused.length === 0, {
    saw: `${reused.length / 2} mint calls with the Idempotency-Key of a call for another user`,
    expected: 'a key of its own for each mint call, or none (2.1.4)',
    fix: 'Make the Idempotency-Key from a new random id for each call, and keep it for the retries of that call alone.',
    evidence: reused.slice(0, 4).map(({ exchange }) => exchange),
  })
}

/** Without the mint double: whom the tokens name. */
async function judgeTokens(parts: Parts, readUser: ReadTokenUser, judge: Judge): Promise<void> {
  const { backend, bob } = parts
  const idOf = async (session: UserSession) => readUser((await backend.token(session)).jwt)
  const ofAlice = await idOf(backend.alice)
  const ofBob = await idOf(bob)
  if (ofAlice === null || ofBob === null) return judge.untested(tokensTellNoUser)
  const users = [
    { session: backend.alice, id: ofAlice },
    { session: bob, id: ofBob },
  ] as const
  const got = await askAtOnce(parts, users, judge)
  judgeMixed(got, ({ user, jwt }) => (readUser(jwt) ?? user.id) !== user.id, judge)
}

/** The userIds of each token's mint calls. */
function mintedIds(calls: readonly DoubleCall[]): Map<string, Set<string>> {
  const ids = new Map<string, Set<string>>()
  for (const { issued, userId } of calls)
    if (issued !== null && userId !== null) ids.set(issued, (ids.get(issued) ?? new Set()).add(userId))
  return ids
}
