import { type Headers, headerOf } from '../../src/base/http/headers.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { UserSession } from '../../src/roles/backend/configuration.ts'
import type { DoubleCall, DoubleReaction, ScriptedMint } from '../../src/roles/mint/double.ts'
import { wereAtOnce } from '../lib/were-at-once.ts'
import { failTogether, heldMs } from './lib/fail-first-call.ts'
import { isOneUser, oneUserForTwo, type Sight, tokensTellNoUser, withSight } from './lib/sight.ts'
import { askInTime, longestKeptSeconds, shortLifetime } from './lib/with-short-lived-tokens.ts'

const requestsOfEach = 25
/** Fewer tokens than this per user show nothing about concurrent requests. */
const enough = 5
const longestDelayMs = 40
const sameApp = [['user-agent', 'twotoken/app']] as const
/** Seconds before its end at which caches usually drop a token. One that keeps the shortest was at work when all asked at once. */
const margins = [0, 10, 30, 60, 120, 300]
const longestKeptMs = 35_000
/** Failures of a mint call after which backends call again. */
const retriedFailures: readonly DoubleReaction[] = [{ status: 503, body: '{"error":"try again"}' }, 'reset']
/** Allows for clock skew between the issuer and this machine. */
const marginMs = 300

export default defineCheck({
  id: 'BACK-11',
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
      'Then the users take turns, with tokens that live a little longer than the 10, 30, 60, 120 and 300 s before whose end caches usually drop them, until one is kept.',
      "Last, two bursts of two requests each, in which the double fails each user's first mint call: with 503, then by a reset. A backend may call again, for the same user.",
      'Without the mint double, the userIds in the claims are judged, while the mint answers in its own order.',
    ],
    fails: [
      'A token minted for the other user, or returned to both; without the mint double, one with the userId of the other in its claims.',
    ],
    warns: ['An Idempotency-Key that mint calls for both users carry.'],
    untested: [
      'Requests that did not overlap, or took longer than a cache keeps a token.',
      'Mint calls of both users that could not fail at the same time.',
      'A backend that mints for one and the same user for both (BACK-05).',
    ],
  },
  mints: 150,
  needs: ['backend', 'bob'],
  atOnce: { backend: 2 },
  run: (parts, judge) =>
    withSight(parts, async (sight) => {
      const { backend, bob, random } = parts
      if (sight === null) return judge.untested(tokensTellNoUser)
      const { double } = sight
      const [ofAlice, ofBob] = [await sight.fetch(backend.alice), await sight.fetch(bob)]
      if (isOneUser(ofAlice, ofBob)) return judge.untested(oneUserForTwo)
      // The configured id where the backend answers from a cache.
      const users = [
        { session: backend.alice, id: ofAlice.user ?? backend.alice.userId },
        { session: bob, id: ofBob.user ?? bob.userId },
      ] as const
      if (double === null) {
        if (ofAlice.user === null || ofBob.user === null) return judge.untested(tokensTellNoUser)
        return judgeMixed(await askAtOnce(parts, users, judge), sight, judge)
      }
      double.delay(() => random() * longestDelayMs)
      const atOnce = await askAtOnce(parts, users, judge)
      double.delay(() => 0)
      const got = [
        ...atOnce,
        ...(await askWhatIsKept(parts, double, users, judge)),
        ...(await askWhileCallsFail(parts, double, users, judge)),
      ]
      judgeMixed(got, sight, judge)
      judgeIdempotencyKeys(double.calls(), judge)
    }),
})

type Parts = CheckContext<'backend' | 'bob'>

/** A user, and the id for which the backend mints for this user alone. */
interface User {
  readonly session: UserSession
  readonly id: string
}

type Asked = Awaited<ReturnType<typeof ask>>
type Got = Asked & { readonly jwt: string }

async function ask({ backend }: Pick<Parts, 'backend'>, user: User, headers: Headers = []) {
  const reply = await backend.request({ session: user.session, headers, followRedirects: true })
  return { user, reply, jwt: backend.tokenOf(reply) }
}

function tokensOf(asked: readonly Asked[]): Got[] {
  return asked.flatMap(({ jwt, ...one }) => (jwt === null ? [] : [{ ...one, jwt }]))
}

export async function askAtOnce(parts: Parts, users: readonly User[], judge: Judge): Promise<Got[]> {
  // Every other pair of them comes from the same app, as far as its headers tell.
  const askAll = async (asked: readonly User[]) =>
    tokensOf(await Promise.all(asked.map((user, place) => ask(parts, user, place % 4 < 2 ? sameApp : []))))
  const asked = Array.from({ length: requestsOfEach }, () => users).flat()
  const got = await askAll(asked)
  judge.observe('answered', `${got.length} of ${asked.length}`)
  // A rate limit may reject some of them: the rest is judged all the same.
  const areTooFew = () => users.some((user) => got.filter((one) => one.user === user).length < enough)
  // Behind a slow limit a backend gives up on its mint: one request of each user at once is served in time.
  for (let pair = 0; (areTooFew() || !haveOverlapped(got)) && pair < requestsOfEach; pair += 1)
    got.push(...(await askAll(users)))
  if (areTooFew()) judge.untested(`only ${got.length} concurrent requests got a token`)
  else if (!haveOverlapped(got)) judge.untested('no two requests of different users overlapped')
  return got
}

function haveOverlapped(got: readonly Got[]): boolean {
  return got.some((one) => got.some((other) => other.user !== one.user && wereAtOnce(one.reply, other.reply)))
}

/** The tokens that users get in turn, and the first one again, until one is kept. */
export async function askWhatIsKept(
  parts: Pick<Parts, 'backend' | 'clock'>,
  double: Pick<ScriptedMint, 'lifetime'>,
  [first, ...others]: readonly [User, ...User[]],
  judge: Judge,
): Promise<Got[]> {
  const { clock } = parts
  const got: Got[] = []
  for (const margin of margins) {
    let isOver = false
    const isInTime = await askInTime(double, clock, margin, async () => {
      const asked: Asked[] = []
      for (const user of [first, ...others, first]) asked.push(await ask(parts, user))
      got.push(...tokensOf(asked))
      // A reply by which nothing can be said. A mint may refuse so long a lifetime.
      const open = asked.find(({ reply }) => reply.kind === 'no-answer' || reply.status === 429)?.reply
      if (open !== undefined)
        judge.undecided('a rate limit or no response for a user who asked in turn', [open.exchange])
      const [before, again] = [asked.at(0)?.jwt ?? null, asked.at(-1)?.jwt ?? null]
      const isKept = before !== null && before === again
      // No later check is then answered with it: a cache may drop it earlier or later than usual.
      const end = clock.monotonic() + longestKeptMs
      for (let kept = isKept && margin > 0; kept && clock.monotonic() < end; ) {
        await clock.until(clock.monotonic() + 1000)
        kept = (await ask(parts, first)).jwt === again
      }
      // Where a user gets no token, more requests show no more.
      isOver = isKept || before === null || again === null || open !== undefined
      return isOver
    })
    if (!isOver && !isInTime)
      judge.untested(
        `the users' requests took longer than ${longestKeptSeconds} s, so a cache that drops tokens ${margin} s before their end could not be seen`,
      )
    if (isOver || !isInTime) break
  }
  return got
}

/** The tokens that users get while the first mint call for each of them fails, all once the last has arrived: retries are pending together. */
export async function askWhileCallsFail(
  parts: Pick<Parts, 'backend' | 'clock'>,
  double: Pick<ScriptedMint, 'answer'>,
  users: readonly [User, User],
  judge: Judge,
): Promise<Got[]> {
  const { clock } = parts
  const got: Got[] = []
  const askOnce = async (failure: DoubleReaction, order: readonly User[]) => {
    const failing = failTogether(double, clock, users, failure)
    const begun = clock.monotonic()
    const asked = await Promise.all([...order, ...order].map((user) => ask(parts, user)))
    got.push(...tokensOf(asked))
    // A backend that makes one call at a time had all of the requests while the first call waited.
    const isLate = (user: User) =>
      asked.every((one) => one.user !== user || one.reply.sentAt > begun + heldMs / 2)
    return { isMet: failing.isMet(), isMissed: failing.isGivenUp() && users.some(isLate) }
  }
  for (const [round, failure] of retriedFailures.entries()) {
    // Each user asks last once.
    const order = round === 0 ? users : users.toReversed()
    const first = await askOnce(failure, order)
    if (first.isMet && !first.isMissed) continue
    // A cache served them: it keeps no token of this lifetime for longer.
    await clock.until(clock.monotonic() + shortLifetime * 1000 + marginMs)
    const second = await askOnce(failure, order)
    if (second.isMissed) judge.missed('the mint calls of both users could not fail at the same time')
    if (!second.isMet) break
  }
  double.answer(null)
  return got
}

function judgeMixed(got: readonly Got[], { userOf }: Sight, judge: Judge): void {
  const isOfAnother = ({ user, jwt }: Got) => (userOf(jwt) ?? user.id) !== user.id
  const isGivenToBoth = ({ user, jwt }: Got) => got.some((one) => one.user !== user && one.jwt === jwt)
  const mixed = got.filter((one) => isOfAnother(one) || isGivenToBoth(one))
  judge.must(mixed.length === 0, {
    saw: `${mixed.length} of ${got.length} tokens that belong to another user`,
    expected: "the session user's token for every request (2.1.4)",
    fix: 'Share no state or mint call between users, nor the retry of a call that has failed.',
    evidence: mixed.slice(0, 4).map(({ reply }) => reply.exchange),
  })
}

/** A mint that heeds the key (draft-ietf-httpapi-idempotency-key-header) answers the second call with the first one's token. */
function judgeIdempotencyKeys(calls: readonly DoubleCall[], judge: Judge): void {
  const keyOf = ({ headers }: DoubleCall) => headerOf(headers, 'idempotency-key')
  const keyed = calls.filter((call) => call.userId !== null && keyOf(call) !== undefined)
  const reused = [...Map.groupBy(keyed, keyOf).values()]
    .filter((alike) => new Set(alike.map(({ userId }) => userId)).size > 1)
    .flat()
  judge.should(reused.length === 0, {
    saw: `${reused.length} mint calls for two users with one Idempotency-Key`,
    expected: 'a new key for each mint call, or none (2.1.4)',
    fix: 'Make the Idempotency-Key from a new random id for each call, and keep it for the retries of that call alone.',
    evidence: reused.slice(0, 4).map(({ exchange }) => exchange),
  })
}
