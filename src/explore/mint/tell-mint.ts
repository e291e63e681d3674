import { randomUUID } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import type { Answer, Reply } from '../../base/http/client.ts'
import { headerOf } from '../../base/http/headers.ts'
import { retryAfterSeconds } from '../../base/limiter.ts'
import { type ReadToken, readToken } from '../../base/tokens/decode.ts'
import { type Lifetime, lifetimeOf } from '../../base/tokens/token-lifetime.ts'
import type { Mint } from '../../roles/mint/driver.ts'
import { takePause } from '../engine/common-steps.ts'
import type { Breach, ModelRun, StepOutcome } from '../engine/subject.ts'
import type { MintInvariant } from './invariants.ts'
import {
  type AskedLifetime,
  type AskStep,
  isIn,
  type Key,
  type MintStep,
  type RequestStep,
  type StateName,
  stateKeys,
  type User,
  wrongKeys,
} from './steps.ts'

/** Answers of the mint when it was asked first. */
export interface Habits {
  /** Keys in a state that were rejected, each with the monotonic time until which the last rejection is said to last. */
  readonly rejected: Map<StateName, number>
  /** The granted lifetime by what was asked; null where it cannot be read, undefined where it was refused. */
  readonly granted: Readonly<Record<AskedLifetime, Granted | null | undefined>>
  /** Tokens name their user where it can be read. */
  readonly namesUser: boolean
  /** Monotonic milliseconds at which the revoked key was; -Infinity where that was before the exploration. */
  readonly revokedAt: () => number
}

/** A lifetime, and the end that the token states, in seconds since 1970; null where it states none. */
export interface Granted {
  readonly seconds: number
  readonly end: number | null
}

export interface MintRunOptions {
  readonly mint: Mint
  readonly userIds: Readonly<Record<User, string>>
  /** The text of a key; null for none at all, undefined where there is no such key. */
  keyOf(key: Key): string | null | undefined
  readonly ttlSeconds: Readonly<Record<AskedLifetime, number | undefined>>
  readonly habits: Habits
  readonly clock: Clock
  /** A user who is not served is asked for so long: services pause after rejections. */
  readonly neverSeconds: number
  /** A revoked key may be served for so long, and with a warning for longer. */
  readonly revocation: { readonly warnSeconds: number; readonly failSeconds: number }
}

/** A service may round ends to a minute, or to a longer mark that they all share, and spread them. */
const roundingSeconds = 60
const longerMarks = [3600, 1800, 900, 600, 300]
const spread = 0.1
const betweenTriesMs = 1_000
const timesAnew = 3
/** A counter that rejects every n-th request is seldom longer. */
const ordinaryInARow = 12
/** Overloads and limits say nothing about what was asked. */
export const undecided: readonly number[] = [402, 403, 429, 502, 503, 504]

type OwnBreach = Breach & { readonly invariant: MintInvariant }

interface Story extends MintRunOptions {
  readonly idempotencyKeys: readonly string[]
  /** Whom each token was issued for. */
  readonly issued: Map<string, User>
  /** Requests that are under way, oldest first. */
  underWay: { readonly step: RequestStep; readonly made: Promise<readonly Asked[]> }[]
}

interface Asked {
  readonly who: User
  readonly reply: Reply
  readonly jwt: string | null
}

/** One story about a mint: which keys have asked for whom, and what they got. */
export function tellMint(options: MintRunOptions): ModelRun<MintStep> {
  const story: Story = {
    ...options,
    idempotencyKeys: [randomUUID(), randomUUID()],
    issued: new Map(),
    underWay: [],
  }
  return {
    canTake: (step) => canTake(story, step),
    take: (step) => take(story, step),
    async end() {
      const { came, breaches } = await finish(story)
      const made = await send(story, ordinary, 'alice')
      return {
        did: 'a token for alice is asked for with the right key',
        came: [...came, describe(made)],
        breaches: [...breaches, ...judge(story, ordinary, made)],
      }
    },
  }
}

const ordinary: AskStep = {
  does: 'ask',
  key: 'the right key',
  who: ['alice'],
  lifetime: 'none',
  idempotency: null,
}

function canTake({ keyOf, habits, underWay }: Story, step: MintStep): boolean {
  if (step.does === 'pause') return true
  if (step.does === 'finish') return underWay.length > 0
  return keyOf(step.key) !== undefined && habits.granted[step.lifetime] !== undefined
}

async function take(story: Story, step: MintStep): Promise<StepOutcome> {
  if (step.does === 'pause') return await takePause(story.clock, step)
  if (step.does === 'finish') return await finish(story)
  const made = Promise.all(step.who.map((who) => send(story, step, who)))
  const did = `a token for ${step.who.join(' and ')} is asked for with ${describeRequest(step)}`
  if (step.does === 'ask') return { did, ...(await conclude(story, step, await made)) }
  story.underWay.push({ step, made })
  return { did: `${did}, and the answer is not waited for`, came: [], breaches: [] }
}

/** Waits for the requests that are under way, and judges them. */
async function finish(story: Story): Promise<StepOutcome> {
  const concluded: Concluded[] = []
  for (const { step, made } of story.underWay.splice(0))
    concluded.push(await conclude(story, step, await made))
  return {
    did: 'the requests that are under way are answered',
    came: concluded.flatMap(({ came }) => came),
    breaches: concluded.flatMap(({ breaches }) => breaches),
  }
}

type Concluded = Pick<StepOutcome, 'came' | 'breaches'>

async function conclude(story: Story, step: RequestStep, made: readonly Asked[]): Promise<Concluded> {
  const breaches = made.flatMap((one) => judge(story, step, one))
  const state = await judgeState(story, step, made)
  return { came: made.map(describe), breaches: [...breaches, ...state] }
}

function describeRequest({ key, lifetime, idempotency }: RequestStep): string {
  return [
    nameOf(key),
    ...(lifetime === 'none' ? [] : [`for a ${lifetime} lifetime`]),
    ...(idempotency === null ? [] : [`under Idempotency-Key ${idempotency + 1}`]),
  ].join(', ')
}

async function send(
  story: Story,
  step: RequestStep,
  who: User,
  expectsLimit = step.key !== 'the right key',
): Promise<Asked> {
  const key = story.keyOf(step.key)
  const idempotencyKey = step.idempotency === null ? undefined : story.idempotencyKeys[step.idempotency]
  const reply = await story.mint.request({
    key: key ?? null,
    userId: story.userIds[who],
    ttlSeconds: story.ttlSeconds[step.lifetime],
    headers: idempotencyKey === undefined ? [] : [['idempotency-key', idempotencyKey]],
    followRedirects: step.key === 'the right key' || step.key === 'the key of another project',
    expectsLimit,
    case: `${who} with ${nameOf(step.key)}`,
  })
  return { who, reply, jwt: story.mint.issuedBy(reply) }
}

function judge(story: Story, step: RequestStep, made: Asked): OwnBreach[] {
  if (made.reply.kind === 'no-answer') return []
  return [
    ...judgeKey(step, made),
    ...judgeUser(story, step, made),
    ...judgeService(story, step, made),
    ...judgeLifetime(story, step, made),
  ]
}

function judgeKey({ key }: RequestStep, { reply, jwt }: Asked): OwnBreach[] {
  if (jwt === null || !isIn(wrongKeys, key)) return []
  return [
    {
      invariant: 'EXP-41',
      saw: `a token for ${nameOf(key)}`,
      expected: 'no token (2.2)',
      fix: 'Compare the whole key in every request, and keep no verdict by a part of it.',
      evidence: [reply.exchange],
      isProof: true,
    },
  ]
}

/** A state key that was rejected gets a token. A rejection that announces its end says nothing about the time behind it. */
async function judgeState(story: Story, step: RequestStep, made: readonly Asked[]): Promise<OwnBreach[]> {
  const { key } = step
  if (!isIn(stateKeys, key)) return []
  const until = story.habits.rejected.get(key)
  if (until === undefined) return []
  for (const { reply, jwt } of made)
    if (jwt === null && reply.kind === 'answer' && isRejection(key, reply.status))
      story.habits.rejected.set(key, endOfRejection(reply))
  const sinceRevocation = key === 'revoked' ? story.habits.revokedAt() : Number.NEGATIVE_INFINITY
  const { warnSeconds, failSeconds } = story.revocation
  const minted = made.filter(
    ({ reply, jwt }) =>
      jwt !== null && answeredBefore(reply, until) && reply.sentAt >= sinceRevocation + warnSeconds * 1_000,
  )
  if (minted.length === 0) return []
  const isLate = minted.every(({ reply }) => reply.sentAt < sinceRevocation + failSeconds * 1_000)
  const isAnew = key === 'capped' && (await isCountedAnew(story, step))
  return [
    {
      invariant: 'EXP-45',
      level: isAnew || isLate ? 'SHOULD' : undefined,
      saw: isAnew
        ? `a token for ${nameOf(key)}, which was rejected before, and one for each request since`
        : `a token for ${nameOf(key)}, which was rejected before`,
      expected: 'no token (7)',
      fix: isAnew
        ? 'Count every request against the cap; a cap that is counted anew after a while is announced by Retry-After.'
        : 'Look at the state of the project in every request.',
      evidence: minted.map(({ reply }) => reply.exchange),
      isProof: true,
    },
  ]
}

/** A cap that was counted anew lets several requests pass, and a gap in it only some. */
async function isCountedAnew(story: Story, { key }: RequestStep): Promise<boolean> {
  const ask = () => send(story, { ...ordinary, key }, 'alice')
  for (let time = 0; time < timesAnew; time += 1) {
    const { jwt } = await ask()
    if (jwt === null && !((await isRateLimited(story)) && (await ask()).jwt !== null)) return false
  }
  return true
}

/** Says whether the right key is limited as well, and waits then until it is served. */
async function isRateLimited(story: Story): Promise<boolean> {
  const { reply } = await send(story, ordinary, 'alice', true)
  if (reply.kind === 'no-answer' || reply.status !== 429) return false
  await send(story, ordinary, 'alice')
  return true
}

/** A request that waits on its way may be decided as late as its answer comes. */
function answeredBefore(reply: Reply, until: number): boolean {
  return reply.kind === 'answer' && reply.receivedAt < until
}

/** Says whether the status is a decision about the key: a limit on the rate is none, except for a cap. */
export function isRejection(name: StateName, status: number): boolean {
  return status >= 300 && status < 500 && (status !== 429 || name === 'capped')
}

/**
 * The monotonic time until which a rejection is said to last at least. Whole seconds are rounded up, and counted from when the
 * service decided.
 */
export function endOfRejection(reply: Pick<Answer, 'headers' | 'sentAt'>): number {
  const after = headerOf(reply.headers, 'retry-after')
  return after === undefined
    ? Number.POSITIVE_INFINITY
    : reply.sentAt + (retryAfterSeconds(after) - 1) * 1_000
}

function judgeUser(story: Story, { key }: RequestStep, { who, reply, jwt }: Asked): OwnBreach[] {
  if (jwt === null) return []
  const before = story.issued.get(jwt) ?? who
  story.issued.set(jwt, before)
  const read = readToken(jwt)
  const isNamed = !story.habits.namesUser || read?.claims == null || names(story, read, key, who)
  if (before === who && isNamed) return []
  return [
    {
      invariant: 'EXP-42',
      saw:
        before === who ? `a token for ${who} that does not name ${who}` : `the token of ${before} for ${who}`,
      expected: 'a token for the userId of the request (2.1.4)',
      fix: 'Share no state between requests, and key what is kept by key, user and lifetime.',
      evidence: [reply.exchange],
      isProof: true,
    },
  ]
}

/** Tokens of another project may name their user within other texts. */
function names(story: Story, read: ReadToken, key: Key, who: User): boolean {
  const userId = story.userIds[who]
  return key === 'the right key'
    ? story.mint.pathsHolding(read, userId).length > 0
    : JSON.stringify(read.claims).includes(JSON.stringify(userId).slice(1, -1))
}

function judgeService(story: Story, step: RequestStep, { who, reply, jwt }: Asked): OwnBreach[] {
  const isOrdinary = step.key === 'the right key' && step.idempotency === null && step.who.length === 1
  if (jwt !== null || !isOrdinary || reply.kind === 'no-answer' || undecided.includes(reply.status)) return []
  return [
    {
      invariant: 'EXP-43',
      saw: `status ${reply.status} for an ordinary request with the right key, again and again for up to ${story.neverSeconds} s`,
      expected: 'a token (4.1)',
      fix: 'Judge each request by itself: let no earlier rejection decide.',
      evidence: [reply.exchange],
      confirm: async () => !(await isServedLater(story, who)) || (await isRejectedNowAndThen(story, who)),
    },
  ]
}

async function isServedLater(story: Story, who: User): Promise<boolean> {
  const until = story.clock.monotonic() + story.neverSeconds * 1_000
  while (story.clock.monotonic() < until) {
    const { reply, jwt } = await send(story, ordinary, who)
    if (jwt !== null || reply.kind === 'no-answer' || undecided.includes(reply.status)) return true
    await story.clock.until(story.clock.monotonic() + betweenTriesMs)
  }
  return false
}

/** A ban is over once it has ended: a mint that serves and then rejects the right key again has another reason. */
async function isRejectedNowAndThen(story: Story, who: User): Promise<boolean> {
  for (let time = 0; time < ordinaryInARow; time += 1) {
    const { reply, jwt } = await send(story, ordinary, who)
    if (jwt === null && reply.kind === 'answer' && !undecided.includes(reply.status)) return true
  }
  return false
}

/** Reads what a token was granted; null where it cannot be read. */
export function grantedBy(jwt: string, { byClaims, byClock }: Lifetime): Granted | null {
  const exp = readToken(jwt)?.claims?.['exp']
  const seconds = byClaims ?? byClock
  return seconds === null ? null : { seconds, end: typeof exp === 'number' ? exp : null }
}

/** The most seconds by which the lifetimes of two tokens for the same request may differ. */
function toleranceOf(usual: Granted, now: Granted): number {
  const isMark = (mark: number) =>
    [usual, now].every(({ end }) => end !== null && Number.isInteger(end / mark))
  return (longerMarks.find(isMark) ?? roundingSeconds) + spread * usual.seconds
}

function judgeLifetime({ habits, clock }: Story, step: RequestStep, { reply, jwt }: Asked): OwnBreach[] {
  const usual = habits.granted[step.lifetime]
  // A repeated request may get the first one's answer.
  const isOwn = step.key === 'the right key' && step.idempotency === null
  if (jwt === null || usual == null || !isOwn || reply.kind === 'no-answer') return []
  const now = grantedBy(jwt, lifetimeOf(readToken(jwt), reply, clock.wall()))
  if (now === null || Math.abs(now.seconds - usual.seconds) <= toleranceOf(usual, now)) return []
  return [
    {
      invariant: 'EXP-44',
      saw: `a lifetime of ${Math.round(now.seconds)} s, where the same request gave ${Math.round(usual.seconds)} s before`,
      expected: 'the lifetime of this request (2.2)',
      fix: 'Read the lifetime from the request alone.',
      evidence: [reply.exchange],
      isProof: true,
    },
  ]
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
