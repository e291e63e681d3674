import type { Clock } from '../../base/clock.ts'
import type { Answer, Reply } from '../../base/http/client.ts'
import { headerOf } from '../../base/http/headers.ts'
import { retryAfterSeconds } from '../../base/http/limiter.ts'
import { readRateLimit } from '../../base/http/read-rate-limit.ts'
import { readToken } from '../../base/tokens/decode.ts'
import { lifetimeOf } from '../../base/tokens/token-lifetime.ts'
import type { Mint } from '../../roles/mint/driver.ts'
import { type Breach, pausing, type StepOutcome, type Telling } from '../engine/subject.ts'
import {
  type AskedLifetime,
  type AskStep,
  isIn,
  type Key,
  type MintStep,
  type StateName,
  stateKeys,
  type User,
  wrongKeys,
} from './steps.ts'

/** What the mint did first: stories judge whether that changes. */
export interface Norms {
  /** By what was asked for. */
  readonly granted: Map<AskedLifetime, Granted>
  /** Keys in a state that were rejected, each with the monotonic time until which the last rejection is said to last. */
  readonly rejectedUntil: Map<StateName, number>
  readonly served: Set<StateName>
  /** Tokens name their user where it can be read. */
  namesUser: boolean
}

/** A lifetime, and the end that the token states, in seconds since 1970; null where it states none. */
interface Granted {
  readonly seconds: number
  readonly end: number | null
}

/** The text of a key; null for none at all, undefined where there is no such key. */
export type KeyOf = (key: Key) => string | null | undefined

interface Story {
  readonly mint: Mint
  readonly clock: Clock
  readonly newUser: () => string
  readonly userIds: Readonly<Record<User, string>>
  readonly keyOf: KeyOf
  readonly ttlSeconds: Readonly<Record<AskedLifetime, number | undefined>>
  readonly norms: Norms
  /** Monotonic milliseconds from which a token for the revoked key warns, and fails. */
  readonly revocation: { readonly warnsAt: number; readonly failsAt: number }
  readonly idempotencyKeys: readonly string[]
  readonly issued: Map<string, User>
}

interface Request extends Pick<AskStep, 'key' | 'lifetime' | 'idempotency'> {
  readonly who: User
  /** Nothing else is under way. */
  readonly isAlone: boolean
}

interface Asked extends Request {
  readonly userId: string
  readonly reply: Reply
  readonly jwt: string | null
}

/** A service may round ends to a minute, or to a longer mark that they all share, and spread them. */
const roundingSeconds = 60
const longerMarks = [3600, 1800, 900, 600, 300]
const spread = 0.1
/** A counter that rejects every n-th request is seldom longer. */
const ordinaryInARow = 12
/** Account states, overloads and limits say nothing about what was asked. */
const undecided: readonly number[] = [402, 403, 429, 502, 503, 504]

const ordinary: Request = {
  key: 'the right key',
  who: 'alice',
  lifetime: 'none',
  idempotency: null,
  isAlone: true,
}

/** One story about a mint: which keys have asked for whom, and what they got. */
export function tellMint(story: Story): Telling<MintStep> {
  const hasKey = (key: Key) => story.keyOf(key) !== undefined
  return {
    control: () => askOrdinary(story),
    steps: {
      pause: pausing(story.clock),
      ask: {
        can: ({ key, beside }) => hasKey(key) && (beside === undefined || hasKey(beside.key)),
        take: (step) => ask(story, step),
      },
    },
    end: () => ask(story, { ...ordinary, does: 'ask', who: ['alice'] }),
  }
}

/** Learns what the mint grants, too. Limits, outages and the network may end service as well. */
async function askOrdinary(story: Story): Promise<Breach | null> {
  story.norms.namesUser = (await story.mint.userIdPaths()).length > 0
  const made = await send(story, ordinary, story.newUser())
  const { reply, jwt } = made
  if (jwt === null || reply.kind === 'no-answer') {
    const came = reply.kind === 'no-answer' ? reply.message : `returned ${reply.status} without a token`
    const isDecision =
      reply.kind === 'answer' && !undecided.includes(reply.status) && readRateLimit(reply) === null
    return {
      invariant: 'EXP-43',
      level: isDecision ? undefined : 'SHOULD',
      saw: `a mint that ${came} for every ordinary request with the right key since the last story`,
      evidence: [reply.exchange],
    }
  }
  judgeLifetime(story, made)
  return null
}

async function ask(story: Story, step: AskStep): Promise<StepOutcome> {
  const { beside } = step
  const isAlone = step.who.length === 1 && beside === undefined
  const requests = step.who.map((who): Request => ({ ...step, who, isAlone }))
  if (beside !== undefined) requests.push({ ...step, ...beside, isAlone })
  const made = await Promise.all(requests.map((request) => send(story, request)))
  const breaches = made.flatMap((one) => judge(story, one))
  for (const one of made) noteState(story, one)
  return { did: describeStep(step), came: made.map(describe), breaches }
}

async function send(
  { mint, keyOf, idempotencyKeys, ttlSeconds, ...story }: Story,
  request: Request,
  userId = story.userIds[request.who],
): Promise<Asked> {
  const { key, who, lifetime, idempotency } = request
  const idempotencyKey = idempotency === null ? undefined : idempotencyKeys[idempotency]
  const reply = await mint.request({
    key: keyOf(key) ?? null,
    userId,
    ttlSeconds: ttlSeconds[lifetime],
    headers: idempotencyKey === undefined ? [] : [['idempotency-key', idempotencyKey]],
    followRedirects: key === 'the right key' || key === 'the key of another project',
    expectsLimit: key !== 'the right key',
    case: `${who} with ${nameOf(key)}`,
  })
  return { ...request, userId, reply, jwt: mint.issuedBy(reply) }
}

function judge(story: Story, made: Asked): Breach[] {
  const evidence = [made.reply.exchange]
  return [judgeKey, judgeState, judgeUser, judgeService, judgeLifetime].flatMap((judgeBy) => {
    const broken = judgeBy(story, made)
    return broken === null ? [] : [{ ...broken, evidence }]
  })
}

/** Judges one request; null where it broke nothing. */
type JudgeRequest = (story: Story, made: Asked) => Omit<Breach, 'evidence'> | null

const judgeKey: JudgeRequest = (_, { key, jwt }) => {
  if (jwt === null || !isIn(wrongKeys, key)) return null
  return { invariant: 'EXP-41', saw: `a token for ${nameOf(key)}`, isProof: true }
}

/** A state key that was rejected gets a token. A rejection that announces its end says nothing about the time behind it. */
const judgeState: JudgeRequest = ({ norms, revocation }, { key, jwt, reply }) => {
  const until = isIn(stateKeys, key) ? norms.rejectedUntil.get(key) : undefined
  // A request that waits on its way may be decided as late as its answer comes.
  if (jwt === null || until === undefined || reply.kind === 'no-answer' || reply.receivedAt >= until)
    return null
  if (key === 'revoked' && reply.sentAt < revocation.warnsAt) return null
  // A cap may be counted anew after a while.
  const isSoft = key === 'capped' || (key === 'revoked' && reply.sentAt < revocation.failsAt)
  return {
    invariant: 'EXP-45',
    level: isSoft ? 'SHOULD' : undefined,
    saw: `a token for ${nameOf(key)}, which was rejected before`,
    isProof: true,
  }
}

const judgeUser: JudgeRequest = (story, { key, who, userId, jwt }) => {
  if (jwt === null) return null
  const before = story.issued.get(jwt) ?? who
  story.issued.set(jwt, before)
  if (before !== who) return { invariant: 'EXP-42', saw: `the token of ${before} for ${who}`, isProof: true }
  const read = readToken(jwt)
  if (!story.norms.namesUser || read?.claims == null) return null
  // Tokens of another project may name their user within other texts.
  const isNamed =
    key === 'the right key'
      ? story.mint.pathsHolding(read, userId).length > 0
      : JSON.stringify(read.claims).includes(JSON.stringify(userId).slice(1, -1))
  return isNamed
    ? null
    : { invariant: 'EXP-42', saw: `a token for ${who} that does not name ${who}`, isProof: true }
}

const judgeService: JudgeRequest = (story, { key, who, lifetime, idempotency, isAlone, reply, jwt }) => {
  const isOrdinary = key === 'the right key' && lifetime === 'none' && idempotency === null && isAlone
  if (jwt !== null || !isOrdinary || reply.kind === 'no-answer' || undecided.includes(reply.status))
    return null
  return {
    invariant: 'EXP-43',
    saw: `status ${reply.status} for an ordinary request with the right key, again and again`,
    isServed: () => isServedInARow(story, who),
  }
}

/** A ban is over once it has ended; a mint that rejects the right key now and then has another reason. */
async function isServedInARow(story: Story, who: User): Promise<boolean> {
  for (let time = 0; time < ordinaryInARow; time += 1) {
    const { reply, jwt } = await send(story, { ...ordinary, who })
    if (jwt === null && reply.kind === 'answer' && !undecided.includes(reply.status)) return false
  }
  return true
}

const judgeLifetime: JudgeRequest = ({ norms, clock }, { key, lifetime, idempotency, reply, jwt }) => {
  // A repeated request may get the first one's answer.
  const isOwn = key === 'the right key' && idempotency === null
  const now = isOwn && jwt !== null && reply.kind === 'answer' ? readGranted(jwt, reply, clock) : null
  if (now === null) return null
  const usual = norms.granted.get(lifetime) ?? now
  norms.granted.set(lifetime, usual)
  if (Math.abs(now.seconds - usual.seconds) <= toleranceOf(usual, now)) return null
  return {
    invariant: 'EXP-44',
    saw: `a lifetime of ${Math.round(now.seconds)} s, where the same request gave ${Math.round(usual.seconds)} s before`,
    isProof: true,
  }
}

function readGranted(jwt: string, answer: Answer, clock: Clock): Granted | null {
  const read = readToken(jwt)
  const { byClaims, byClock } = lifetimeOf(read, answer, clock.wall())
  const seconds = byClaims ?? byClock
  const exp = read?.claims?.['exp']
  return seconds === null ? null : { seconds, end: typeof exp === 'number' ? exp : null }
}

/** The most seconds by which the lifetimes of two tokens for the same request may differ. */
function toleranceOf(usual: Granted, now: Granted): number {
  const isMark = (mark: number) =>
    [usual, now].every(({ end }) => end !== null && Number.isInteger(end / mark))
  return (longerMarks.find(isMark) ?? roundingSeconds) + spread * usual.seconds
}

/** A limit on the rate decides nothing about a key, except for a cap. */
function noteState({ norms }: Story, { key, jwt, reply }: Asked): void {
  if (!isIn(stateKeys, key) || reply.kind === 'no-answer') return
  if (jwt !== null) norms.served.add(key)
  const { status, headers, sentAt } = reply
  if (jwt !== null || status < 300 || status >= 500 || (status === 429 && key !== 'capped')) return
  const after = headerOf(headers, 'retry-after')
  // Whole seconds are rounded up, and counted from when the service decided.
  const until =
    after === undefined ? Number.POSITIVE_INFINITY : sentAt + (retryAfterSeconds(after) - 1) * 1_000
  norms.rejectedUntil.set(key, until)
}

function describeStep({ who, key, lifetime, idempotency, beside }: AskStep): string {
  return [
    `a token for ${who.join(' and ')} is asked for with ${nameOf(key)}`,
    ...(beside === undefined ? [] : [`and at once one for ${beside.who} with ${nameOf(beside.key)}`]),
    ...(lifetime === 'none' ? [] : [`for a ${lifetime} lifetime`]),
    ...(idempotency === null ? [] : [`under Idempotency-Key ${idempotency + 1}`]),
  ].join(', ')
}

function describe({ who, reply, jwt }: Asked): string {
  if (reply.kind === 'no-answer') return `${who}: ${reply.message}`
  return `${who}: ${reply.status} ${jwt === null ? 'without a token' : 'with a token'}`
}

const stateNames: Readonly<Record<StateName, string>> = {
  trialEnded: 'the key of an ended trial',
  suspended: 'the key of a suspended project',
  capped: 'a key at its mint cap',
  revoked: 'a revoked key',
}

function nameOf(key: Key): string {
  return isIn(stateKeys, key) ? stateNames[key] : key
}
