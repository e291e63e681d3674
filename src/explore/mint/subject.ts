import type { Reply } from '../../base/http/client.ts'
import { readRateLimit } from '../../base/http/read-rate-limit.ts'
import { ControlLost } from '../../base/inconclusive.ts'
import { outageSeconds } from '../../base/limits.ts'
import type { CommonContext, Needed } from '../../requirement/needs.ts'
import type { Session } from '../../requirement/session.ts'
import { createNearMissKeys } from '../../roles/mint/near-miss-keys.ts'
import { NotServed, type Subject } from '../engine/subject.ts'
import { mintInvariants } from './invariants.ts'
import { makeMotifs } from './motifs.ts'
import { isIn, type MintStep, makePlain, makeSteps, type StateName, stateKeys, wrongKeys } from './steps.ts'
import {
  endOfRejection,
  grantedBy,
  type Habits,
  isRejection,
  type MintRunOptions,
  tellMint,
  undecided,
} from './tell-mint.ts'

/** Parts that stories about the mint need. */
export const mintNeeds = ['mint'] as const
export type MintParts = CommonContext & Pick<Needed, (typeof mintNeeds)[number]>

export interface MintSubjectOptions {
  readonly reset?: (() => Promise<void>) | undefined
}

const longSeconds = 900
const shortSeconds = 120
/** A limit on the rate that rejects a key once serves it by then. */
const betweenAsksMs = 1_100
const stateAsks = 4
/** Earlier requests may have left rejections behind. */
const firstTries = 4
/** An ended trial, a suspension or a ban, and a limit. */
const accountStates: readonly number[] = [402, 403, 429]

/** The mint with every key that the configuration has, and keys that are almost right. */
export function openMintSubject(
  session: Session,
  parts: MintParts,
  { reset = async () => {} }: MintSubjectOptions,
): Subject<MintStep> {
  const { mint, newUser, clock } = parts
  const { limits } = parts.configuration
  const neverSeconds = outageSeconds(limits)
  const revocation = { warnSeconds: limits.leewayWarnSeconds, failSeconds: limits.leewayFailSeconds }
  const keyOf = findKeys(parts)
  const ttlSeconds = {
    none: undefined,
    short: Math.max(shortSeconds, mint.minTtlSeconds),
    long: Math.max(longSeconds, mint.minTtlSeconds),
  }
  const present = ([...wrongKeys, ...stateKeys, 'the key of another project'] as const).filter(
    (key) => keyOf(key) !== undefined,
  )
  const revoking = openRevocation(parts)
  let habits: Habits | null = null
  return {
    role: 'mint',
    invariants: mintInvariants,
    stories: { aRound: 4, shortest: 1, longest: 20 },
    makePlain,
    makeMotifs: (random) => makeMotifs(present, random),
    makeSteps: (round, random) => makeSteps(present, round, random),
    opening: 'Two users, alice and bob, who were never seen before; a third one got a token.',
    async tell(story) {
      await reset()
      habits ??= await findHabits(parts, { keyOf, ttlSeconds }, revoking)
      await serveOrdinary(parts, {
        patienceMs: neverSeconds * 1_000,
        otherKey: keyOf('the key of another project'),
      })
      const userIds = { alice: newUser(), bob: newUser() }
      const known = { mint, userIds, keyOf, ttlSeconds, habits, revocation }
      return await story(tellMint({ ...known, clock, neverSeconds }))
    },
    unjudged: () => ({
      ...listUnjudgedStates(habits, keyOf),
      'EXP-44': habits?.granted.none === null ? 'the lifetime of the tokens cannot be read' : undefined,
    }),
    drain: () => session.journal.drain(),
  }
}

function listUnjudgedStates(habits: Habits | null, keyOf: Known['keyOf']): Readonly<Record<string, string>> {
  if (habits === null) return {}
  const given = stateKeys.filter((name) => keyOf(name) != null)
  if (given.length === 0) return { 'EXP-45': 'needs a key in mint.keys, or hooks.revokeKey with its key' }
  const served = given
    .filter((name) => !habits.rejected.has(name))
    .map((name) => (name === 'revoked' ? 'hooks.revokeKey.key' : `mint.keys.${name}`))
  if (served.length === 0) return {}
  return {
    'EXP-45': `the mint does not reject ${served.join(' and ')} when asked first: MINT-15 to MINT-17 and MINT-21 judge that`,
  }
}

type Known = Pick<MintRunOptions, 'keyOf' | 'ttlSeconds'>

function findKeys({ mint, available, randomBytes }: MintParts): Known['keyOf'] {
  const states = {
    trialEnded: available('trialEndedKey'),
    suspended: available('suspendedKey'),
    capped: available('cappedKey'),
    revoked: findRevocable({ mint, available }),
  }
  const near = new Map(createNearMissKeys(mint.apiKey, randomBytes(mint.apiKey.length).toString('hex')))
  return (key) => {
    if (key === 'the right key') return mint.apiKey
    if (key === 'the key of another project') return available('otherProjectKey')
    if (key === 'no key') return null
    return isIn(stateKeys, key) ? states[key]?.key : near.get(key)
  }
}

/** The key that the exploration may revoke; no other story needs it. */
function findRevocable({ mint, available }: Pick<MintParts, 'mint' | 'available'>) {
  const hook = available('revokeKeyHook')
  return hook?.key === mint.apiKey || hook?.key === available('otherProjectKey') ? undefined : hook
}

interface Revocation {
  /** Revokes the key where it still mints. */
  run(): Promise<void>
  /** Monotonic milliseconds; -Infinity where it was revoked before. */
  at(): number
}

function openRevocation(parts: MintParts): Revocation {
  const { mint, newUser, clock } = parts
  const hook = findRevocable(parts)
  let at = Number.NEGATIVE_INFINITY
  return {
    at: () => at,
    async run() {
      if (hook === undefined) return
      const reply = await mint.request({ key: hook.key, userId: newUser(), followRedirects: true })
      if (mint.issuedBy(reply) === null) return
      await hook.run()
      at = clock.monotonic()
    },
  }
}

/** Asks for everything once. */
async function findHabits(
  parts: MintParts,
  { keyOf, ttlSeconds }: Known,
  revoking: Revocation,
): Promise<Habits> {
  const { mint, newUser, clock } = parts
  const grant = async (asked: number | undefined) => {
    const { jwt, lifetime } = await mint.token(newUser(), { ttlSeconds: asked })
    return grantedBy(jwt, lifetime)
  }
  // A mint that rejects the right key now and then is judged by the stories.
  const persist = async <T>(ask: () => Promise<T>): Promise<T> => {
    for (let left = firstTries; ; left -= 1)
      try {
        return await ask()
      } catch (error) {
        if (!(error instanceof ControlLost) || left <= 1) throw error
        await clock.until(clock.monotonic() + betweenAsksMs)
      }
  }
  // A mint may refuse a lifetime that it finds too short or too long.
  const grantedFor = (asked: number | undefined) =>
    persist(() => grant(asked)).catch((error: unknown) => {
      if (error instanceof ControlLost) return undefined
      throw error
    })
  const granted = {
    none: await persist(() => grant(undefined)),
    short: await grantedFor(ttlSeconds.short),
    long: await grantedFor(ttlSeconds.long),
  }
  // Rejections may change the tokens behind them.
  const { userIdPaths } = await persist(() => mint.facts())
  await revoking.run()
  return {
    rejected: await findRejections(parts, keyOf),
    granted,
    namesUser: userIdPaths.length > 0,
    revokedAt: revoking.at,
  }
}

/**
 * Finds the time until which the mint rejects each key that it rejects. A fault may serve a key at its turn or beside another
 * one, and a limit on the rate reject it once: each is asked several times, and no two at once.
 */
async function findRejections(
  { mint, newUser, clock }: MintParts,
  keyOf: Known['keyOf'],
): Promise<Map<StateName, number>> {
  const ends = new Map<StateName, number[]>()
  for (let time = 0; time < stateAsks; time += 1) {
    if (time > 0) await clock.until(clock.monotonic() + betweenAsksMs)
    for (const name of stateKeys) {
      const key = keyOf(name)
      if (key == null) continue
      const reply = await mint.request({ key, userId: newUser(), expectsLimit: name === 'capped' })
      if (reply.kind === 'answer' && mint.issuedBy(reply) === null && isRejection(name, reply.status))
        ends.set(name, [...(ends.get(name) ?? []), endOfRejection(reply)])
    }
  }
  const sure = [...ends].filter(([, own]) => own.length >= stateAsks / 2)
  return new Map(sure.map(([name, own]) => [name, Math.max(...own.slice(-1))]))
}

interface ServiceOptions {
  readonly patienceMs: number
  readonly otherKey: string | null | undefined
}

/** A mint that pauses after rejections serves again by the end of this time. */
async function serveOrdinary(parts: MintParts, { patienceMs, otherKey }: ServiceOptions): Promise<void> {
  const { mint, clock } = parts
  const until = clock.monotonic() + patienceMs
  for (;;) {
    const reply = await mint.request({ followRedirects: true })
    if (mint.issuedBy(reply) !== null) return
    if (clock.monotonic() >= until) throw notServed(reply, await servesOther(parts, otherKey))
    await clock.until(clock.monotonic() + betweenAsksMs)
  }
}

/** A mint that serves another project at the same time is not down, and the network is not. */
async function servesOther({ mint }: MintParts, key: string | null | undefined): Promise<boolean> {
  if (key == null) return false
  return mint.issuedBy(await mint.request({ key, followRedirects: true })) !== null
}

/** Limits, outages and the network may end service as well. */
function notServed(reply: Reply, servesOther: boolean): NotServed {
  const isLimit =
    reply.kind === 'answer' && (accountStates.includes(reply.status) || readRateLimit(reply) !== null)
  const isUndecided = reply.kind === 'no-answer' || undecided.includes(reply.status)
  const came = reply.kind === 'no-answer' ? reply.message : `returned ${reply.status} without a token`
  const control = servesOther ? ', while it served the key of another project' : ''
  return new NotServed(`the mint ${came} for an ordinary request, however long it was asked${control}`, {
    invariant: 'EXP-43',
    level: isLimit || (isUndecided && !servesOther) ? 'SHOULD' : undefined,
    saw: `a mint that ${came} for every ordinary request with the right key since the last story${control}`,
    expected: 'a token (4.1)',
    fix: 'Judge each request by itself, and free what a rejected request has taken.',
    evidence: [reply.exchange],
  })
}
