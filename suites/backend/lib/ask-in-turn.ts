import type { Reply } from '../../../src/base/http/client.ts'
import type { Headers } from '../../../src/base/http/headers.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { UserSession } from '../../../src/roles/backend/configuration.ts'
import type { DoubleReaction, ScriptedMint } from '../../../src/roles/mint/double.ts'
import { failFirstCalls, heldMs } from './fail-first-calls.ts'
import { keptSeconds, shortLifetime } from './with-short-lived-tokens.ts'

/** Seconds before its end at which caches usually drop a token. A token with a shorter life is never kept. */
const usualMargins = [10, 30, 60, 120, 300]
const longestKeptMs = 35_000
/** Failures of a mint call after which backends call again. */
const retriedFailures: readonly DoubleReaction[] = [{ status: 503, body: '{"error":"try again"}' }, 'reset']
/** Requests of each user in a burst in which one of the user's mint calls fails. */
const requestsWhileFailing = 2
/** Allows for clock skew between the issuer and this machine. */
const marginMs = 300

/** A user, and the id for which the backend mints for this user alone. */
export interface User {
  readonly session: UserSession
  readonly id: string
}

interface Asked {
  readonly user: User
  readonly reply: Reply
  readonly jwt: string | null
}

/** A user's token as the app gets it. */
export interface Got extends Asked {
  readonly jwt: string
}

type Parts = Pick<CheckContext<'backend'>, 'backend' | 'clock'>

export async function ask({ backend }: Parts, user: User, headers: Headers = []): Promise<Asked> {
  const reply = await backend.request({ session: user.session, headers, followRedirects: true })
  return { user, reply, jwt: backend.tokenOf(reply) }
}

export function tokensOf(asked: readonly Asked[]): Got[] {
  return asked.flatMap(({ jwt, ...one }) => (jwt === null ? [] : [{ ...one, jwt }]))
}

/** Asks each user, and the first one again, for tokens of this lifetime. */
async function takeTurns(
  parts: Parts,
  double: Pick<ScriptedMint, 'lifetime'>,
  [first, ...others]: readonly [User, ...User[]],
  { margin, seconds }: { readonly margin: number; readonly seconds: number },
) {
  const { clock } = parts
  const begun = clock.monotonic()
  double.lifetime(margin + seconds)
  const asked: Asked[] = []
  for (const user of [first, ...others, first]) asked.push(await ask(parts, user))
  double.lifetime(shortLifetime)
  // `exp` has whole seconds: a token may end one earlier.
  const wasInTime = clock.monotonic() - begun < (seconds - 1) * 1000
  // A reply by which nothing can be said. A mint may refuse so long a lifetime.
  const open = asked.find(({ reply }) => reply.kind === 'no-answer' || reply.status === 429)?.reply
  const [before, again] = [asked.at(0)?.jwt ?? null, asked.at(-1)?.jwt ?? null]
  const isServed = before !== null && again !== null
  const isKept = isServed && before === again
  if (isKept && margin + seconds > shortLifetime) await waitUntilDropped(parts, first, again)
  return { got: tokensOf(asked), isServed, isKept, open, wasInTime }
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
    let isSeen = false
    for (const seconds of keptSeconds) {
      const turns = await takeTurns(parts, double, users, { margin, seconds })
      const { isServed, isKept, open } = turns
      got.push(...turns.got)
      if (open !== undefined)
        judge.undecided('a rate limit or no response for a user who asked in turn', [open.exchange])
      // Where a user gets no token, more requests show no more.
      if (!isServed || isKept || open !== undefined) return got
      isSeen = turns.wasInTime
      if (isSeen) break
    }
    if (isSeen) continue
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
    if ((await ask(parts, user)).jwt !== kept) return
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
      const asked = Array.from({ length: requestsWhileFailing }, () => order.map((user) => ask(parts, user)))
      const all = await Promise.all(asked.flat())
      got.push(...tokensOf(all))
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
