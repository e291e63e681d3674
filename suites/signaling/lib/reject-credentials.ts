import type { Clock } from '../../../src/base/clock.ts'
import type { Forgery } from '../../../src/base/tokens/forge.ts'
import { attack, type Case, listNames, type Met, type Tried } from '../../../src/requirement/attack.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { Attempt, AttemptRequest } from '../../../src/roles/signaling/attempt.ts'
import type { Signaling } from '../../../src/roles/signaling/driver.ts'
import { namesUser } from '../../../src/roles/signaling/named-user.ts'
import { millisecondsLeft } from '../../lib/token-end.ts'

/** A credential that signaling must reject, and the declared user; its name is a noun: "a token with an empty signature". */
export interface Credential extends Case, Pick<AttemptRequest, 'headers' | 'query'> {
  readonly token: string | null
  /** Undefined: no user is declared. */
  readonly userId: string | undefined
  /** The token is a valid one, and something else is wrong. */
  readonly isGenuine?: true
  /** Only the serialisation is malformed, which some libraries ignore: to accept it warns. */
  readonly isLenient?: true | undefined
  /** Where the profile cannot carry it, no client can send it: nothing is left untested. */
  readonly isOptional?: true
}

export interface Offered extends Met {
  readonly made: Attempt
}

/** So many at a time: a service that rejects by silence costs its whole timeout for each. */
const atOnce = 12
/** A service may take longer to decide than a client is ready to wait. */
const patienceMs = 20_000

/** Offers each credential by a socket of its own. A forgery that equals a token of the service is left out. */
export function offering<One extends Credential>(signaling: Signaling, credentials: readonly One[]) {
  const begun = signaling.clock.monotonic()
  return {
    control: signaling.control,
    of: 'for',
    cases: credentials.filter(
      ({ token, isGenuine }) => isGenuine || token === null || !signaling.isGenuine(token),
    ),
    together: atOnce,
    async send(one: One, isAgain: boolean): Promise<Offered> {
      const made = await signaling.attempt({
        ...requestOf(one),
        deadlineMs: isAgain ? patienceMs : undefined,
      })
      const isUndecided = made.outcome === 'refused' && made.undecided === true && made.unreachable !== true
      const isUnsent = made.outcome === 'untestable' && one.isOptional !== true
      const unseen = isUnsent
        ? `${made.reason}, so that nothing was sent`
        : hasExpiredOnTheWay(one, made, begun, signaling.clock)
          ? 'a rejection after the token had expired that it was made of'
          : null
      return { made, isUndecided, unseen, evidence: [made.exchange] }
    },
    // A service may reject by silence or by a reset: it does so again, and with more time.
    recurs: () => true,
  }
}

/** All must be rejected, between two controls. A rejection behind a success sign counts: the welcome warns. */
export async function rejectCredentials(
  signaling: Signaling,
  judge: Judge,
  credentials: readonly Credential[],
  fix: string,
  clause = '1.3',
): Promise<void> {
  const offers = offering(signaling, credentials)
  if (offers.cases.length === 0) return judge.untested('every forgery equals a token that the service issued')
  await attack<Credential, Offered>(judge, {
    ...offers,
    breaches: [
      {
        level: 'must',
        saw: (seen, { isLenient }) => (isLenient ? null : sawSuccess(seen)),
        expected: `every one of them rejected (${clause})`,
        fix,
      },
      {
        level: 'advisory',
        saw: (seen, { isLenient }) => (isLenient ? sawSuccess(seen) : null),
        expected: 'three parts and nothing behind them',
        fix: 'Reject a token that does not have exactly three parts.',
      },
    ],
    async judgeAll(tried) {
      judgeReached(tried, judge)
      await judgeWelcomes(tried, signaling, judge)
    },
  })
}

export function sawSuccess({ made }: Offered): string | null {
  return made.outcome === 'accepted' ? 'a success sign' : null
}

/** Says which credentials the service did not judge. */
export function judgeReached(tried: readonly Tried<Credential, Offered>[], judge: Judge): void {
  for (const { one, seen } of tried) {
    const { made } = seen
    if (made.outcome === 'refused' && made.unreachable === true)
      judge.lost(`signaling ${made.summary} when offered ${one.name}`, [made.exchange])
  }
}

/** A welcome before the rejection warns; a frame about a user in between is a violation. */
export async function judgeWelcomes(
  tried: readonly Tried<Credential, Offered>[],
  signaling: Signaling,
  judge: Judge,
): Promise<void> {
  const welcomed = tried.filter(({ seen }) => welcomeIn(seen.made) !== undefined)
  const [first] = welcomed
  if (first === undefined) return
  judge.advisory(false, {
    saw: `a success sign that was taken back for ${listNames(welcomed.map(({ one }) => one.name))}`,
    expected: 'no success sign before the token is verified',
    fix: 'Verify the token before the first frame that says success.',
    evidence: [first.seen.made.exchange],
  })
  await using witness = await signaling.witness()
  const repeated = await signaling.attempt(requestOf(first.one))
  const tells = (made: Attempt, userId: string | undefined, from: number) =>
    userId !== undefined && namesUser({ events: welcomeIn(made)?.slice(from) ?? [] }, userId)
  // The frame with the sign may repeat the id that the client has sent.
  const leaks = welcomed.filter(
    ({ one: { userId }, seen }) => signaling.hasJoined(userId ?? '') && tells(seen.made, userId, 1),
  )
  const isTold = first.one.userId !== witness.userId && tells(repeated, witness.userId, 0)
  judge.must(leaks.length === 0 && !isTold, {
    saw: `data of a user sent between a success sign and the rejection, for ${(leaks[0] ?? first).one.name}`,
    expected: 'no data for a client without a valid token (4.3)',
    fix: 'Verify the token before sending anything about users.',
    evidence: [...leaks.map(({ seen }) => seen.made.exchange), ...(isTold ? [repeated.exchange] : [])],
  })
}

function welcomeIn(made: Attempt) {
  return made.outcome === 'refused' ? made.welcome : undefined
}

function requestOf({ token, name, userId, headers, query }: Credential): AttemptRequest {
  return { token, case: name, declaredUser: userId, headers, query }
}

/** Its rejection shows nothing: the token was valid when the attacks began, and has ended before this one was decided. */
export function hasExpiredOnTheWay(
  { token }: Pick<Credential, 'token'>,
  made: Attempt,
  begun: number,
  clock: Pick<Clock, 'wall' | 'monotonic'>,
): boolean {
  const leftAt = (instant: number) => millisecondsLeft(token ?? '', clock, instant)
  return made.outcome === 'refused' && leftAt(begun) > 0 && leftAt(made.decidedAt) <= 0
}

export function toCredentials(forgeries: readonly Forgery[], of = 'a token'): Credential[] {
  return forgeries.map(({ name, ...forgery }) => ({ name: `${of} ${name}`, ...forgery }))
}

/** The same credentials of clients that declare no user, and of some that declare one who was accepted a moment ago. */
export async function declareOthers<One extends Omit<Credential, 'userId'>>(
  credentials: readonly One[],
  { callingTokens, signaling }: CheckContext<'callingTokens' | 'signaling'>,
  known = credentials,
): Promise<Credential[]> {
  if (!signaling.declaresUser) return []
  const { jwt, userId } = await callingTokens.fresh()
  await signaling.accepted({ jwt, userId })
  const declaring = (some: readonly One[], declared: string | undefined, how: string) =>
    some.map((one) => ({ ...one, name: `${one.name}, with ${how}`, userId: declared }))
  return [
    // A service may accept a client under another name, which no declared user would match.
    ...declaring(credentials, undefined, 'no userId declared'),
    // Authorisation may be cached by user.
    ...declaring(known, userId, 'the userId of a client that has just joined'),
  ]
}
