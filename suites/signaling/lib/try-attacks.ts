import type { Clock } from '../../../src/base/clock.ts'
import type { Headers } from '../../../src/base/http/headers.ts'
import { readToken } from '../../../src/base/tokens/decode.ts'
import { type Forgery, madeUp, type Original, takenApart } from '../../../src/base/tokens/forge.ts'
import { inBatches } from '../../../src/requirement/in-batches.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import type { CallingTokens } from '../../../src/roles/backend/calling-tokens.ts'
import type { Attempt, AttemptRequest } from '../../../src/roles/signaling/attempt.ts'
import { isBrokenOff, type Signaling } from '../../../src/roles/signaling/driver.ts'
import { judgeWelcomes } from './judge-welcomes.ts'

/** A credential that signaling must reject, and the declared user. */
export interface Attack {
  /** A noun: "a token with an empty signature", "no credential". */
  readonly what: string
  readonly token: string | null
  /** Undefined: no user is declared. */
  readonly userId: string | undefined
  /** Sent with the upgrade in addition. */
  readonly headers?: Headers
  readonly query?: AttemptRequest['query']
  /** The token is a valid one, and something else is wrong. */
  readonly isGenuine?: true
  /** Only the serialisation is malformed, which some libraries ignore: to accept it warns. */
  readonly isLenient?: true | undefined
  /** Where the profile cannot carry it, no client can send it: nothing is left untested. */
  readonly isOptional?: true
}

/** The clause that asks for the rejection, and the sentence that says what to change. */
export interface Rule {
  readonly clause: string
  readonly fix: string
}

/** So many at a time: a service that rejects by silence costs its whole timeout for each. */
const atOnce = 12
/** Those that met silence wait together: an idle connection costs a service little, and each waits for long. */
const silentAtOnce = 24
const namedAtMost = 6
/** A service may take longer to decide than a client is ready to wait. */
const patienceMs = 20_000

/** Tries every attack; all must be rejected. Attacks that could not be sent, or never reached the service, are reported. */
export async function mustReject(
  attacks: readonly Attack[],
  signaling: Signaling,
  judge: Judge,
  { clause, fix }: Rule,
): Promise<void> {
  const begun = signaling.clock.wall()
  const tried = await tryAll(attacks, signaling)
  for (const { attack, made } of tried) {
    if (made.outcome === 'untestable' && attack.isOptional !== true)
      judge.untested(`${attack.what} could not be sent: ${made.reason}`)
    if (made.outcome === 'refused' && made.unreachable)
      judge.lost(`signaling ${made.summary} when offered ${attack.what}`, [made.exchange])
  }
  const outlived = tried.filter((one) => hasExpiredOnTheWay(one, begun, signaling.clock))
  if (outlived.length > 0)
    judge.untested(`rejected after the token had expired that it was made of: ${listAttacks(outlived)}`)
  const judged = tried.filter((one) => one.made.outcome !== 'untestable' && !outlived.includes(one))
  await judgeWelcomes(
    judged.map(({ attack, made }) => ({ request: requestOf(attack), made })),
    signaling,
    judge,
  )
  const accepted = judged.filter(({ made }) => made.outcome === 'accepted')
  if (tried.length === 0) judge.untested('every forgery equals a token that the service issued')
  if (judged.length === 0) return
  const forged = accepted.filter(({ attack }) => attack.isLenient !== true)
  judge.must(forged.length === 0, {
    saw: `${forged.length} of ${judged.length} attempts accepted: ${listAttacks(forged)}`,
    expected: `every one of them rejected (${clause})`,
    fix,
    evidence: (forged.length > 0 ? forged : judged).slice(0, namedAtMost).map(({ made }) => made.exchange),
  })
  const lenient = accepted.filter(({ attack }) => attack.isLenient === true)
  judge.advisory(lenient.length === 0, {
    saw: `a malformed serialisation accepted: ${listAttacks(lenient)}`,
    expected: 'three parts and nothing behind them',
    fix: 'Reject a token that does not have exactly three parts.',
    evidence: lenient.slice(0, namedAtMost).map(({ made }) => made.exchange),
  })
}

/** Its rejection shows nothing: the token was valid when the attacks began, and has ended before this one was decided. */
export function hasExpiredOnTheWay(
  { attack, made }: Tried,
  begun: number,
  clock: Pick<Clock, 'wall' | 'monotonic'>,
): boolean {
  const exp = readToken(attack.token ?? '')?.claims?.['exp']
  if (made.outcome !== 'refused' || typeof exp !== 'number') return false
  const decided = clock.wall() - (clock.monotonic() - made.decidedAt)
  return exp * 1000 > begun && exp * 1000 <= decided
}

function listAttacks(tried: readonly Tried[]): string {
  const names = tried.slice(0, namedAtMost).map(({ attack }) => attack.what)
  if (tried.length > names.length) names.push(`${tried.length - names.length} more`)
  return names.join('; ')
}

export interface Tried {
  readonly attack: Attack
  readonly made: Attempt
}

/**
 * Offers each attack and returns the outcomes. A forgery that equals a token of the service is left out. An
 * attempt may end as services also fail: a reset, 502 to 504, overload, silence. It is made again with few
 * others at once, and with more time. It is a rejection only where that happens to it again.
 */
export async function tryAll(attacks: readonly Attack[], signaling: Signaling): Promise<Tried[]> {
  const forged = attacks.filter(
    ({ token, isGenuine }) => isGenuine || token === null || !signaling.isGenuine(token),
  )
  const tried = await offerAll(forged, atOnce, signaling)
  const open = tried.filter(isOpen)
  const [first, ...others] = open
  if (first === undefined) return tried
  const decided = tried.filter((one) => !isOpen(one))
  if (decided.some(({ made }) => made.outcome !== 'untestable'))
    return [...decided, ...(await settle(open, signaling))]
  // A service that rejects by silence or by a reset alone is not made to do so twice for each.
  const [again = first] = await settle([first], signaling)
  return [...decided, again, ...(isOpen(again) ? others : await settle(others, signaling))]
}

/** Those that broke off one by one; those that met silence together, for longer. */
async function settle(tried: readonly Tried[], signaling: Signaling): Promise<Tried[]> {
  const attacksOf = (some: readonly Tried[]) => some.map(({ attack }) => attack)
  const brokenOff = tried.filter(({ made }) => isBrokenOff(made))
  const silent = tried.filter(({ made }) => !isBrokenOff(made))
  return [
    ...(await offerAll(attacksOf(brokenOff), 1, signaling)),
    ...(await offerAll(attacksOf(silent), silentAtOnce, signaling, patienceMs)),
  ]
}

function offerAll(
  attacks: readonly Attack[],
  size: number,
  signaling: Signaling,
  deadlineMs?: number,
): Promise<Tried[]> {
  return inBatches(attacks, size, async (attack) => ({
    attack,
    made: await signaling.attempt({ ...requestOf(attack), deadlineMs }),
  }))
}

function requestOf({ token, what, userId, headers, query }: Attack): AttemptRequest {
  return { token, case: what, declaredUser: userId, headers, query }
}

/** Nothing says yet whether the service has decided. */
function isOpen({ made }: Tried): boolean {
  return made.outcome === 'refused' && made.undecided === true && made.unreachable !== true
}

export function toAttacks(forgeries: readonly Forgery[], of = 'a token'): Attack[] {
  return forgeries.map(({ name, ...forgery }) => ({ what: `${of} ${name}`, ...forgery }))
}

/** A fresh calling token and the JWS from which forgeries are made: a made-up one where the token cannot be parsed. */
export interface Specimen {
  readonly jwt: string
  readonly original: Original
  readonly readable: boolean
}

/** A token that the service has not seen. */
export async function fetchUnseen(tokens: CallingTokens): Promise<Specimen> {
  const { jwt, userId } = await tokens.fresh()
  const original = takenApart(jwt, userId)
  const now = Math.floor(Date.now() / 1000)
  return { jwt, original: original ?? madeUp(userId, now), readable: original !== null }
}

/** A token that the service has just accepted: a cached verdict is part of the attack. */
async function fetchAccepted(tokens: CallingTokens, signaling: Signaling): Promise<Specimen> {
  const specimen = await fetchUnseen(tokens)
  await signaling.accepted({ jwt: specimen.jwt, userId: specimen.original.userId })
  return specimen
}

/** One specimen that the service has accepted and one that it has never seen, with names for their forgeries. */
export async function fetchSpecimens(
  tokens: CallingTokens,
  signaling: Signaling,
): Promise<readonly (Specimen & { readonly name: string })[]> {
  const [known, unknown] = await Promise.all([fetchAccepted(tokens, signaling), fetchUnseen(tokens)])
  return [
    { ...known, name: 'an accepted token' },
    { ...unknown, name: 'an unused token' },
  ]
}
