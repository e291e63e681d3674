import { GivenUp } from './budget.ts'
import { addHello } from './candidates.ts'
import { type Classification, classifyOutcomes, isAccepted } from './classify-outcomes.ts'
import { buildDraftRequest, type Draft, messageTemplate, type StatedIdentity } from './draft.ts'
import { enterBy } from './entrance.ts'
import { openings } from './known-names.ts'
import type { Pace, Prober, Trace } from './prober.ts'
import type { SilentClient } from './silent-client.ts'
import type { TokenPool } from './token-pool.ts'

export interface SearchContext {
  readonly url: string
  readonly prober: Prober
  readonly tokenPool: TokenPool
  readonly silentClient: SilentClient
  readonly pace: Pace
}

/** A draft with which the service accepts good tokens and refuses everything else. */
export interface Hit {
  readonly draft: Draft
  readonly classification: Classification
}

/** After the last frame: what follows in this time belongs to the same answer. */
const quietMs = 250

/** The first of the drafts that works, in their order; null where none does. */
export async function findHit(drafts: readonly Draft[], context: SearchContext): Promise<Hit | null> {
  for (let from = 0; from < drafts.length; from += 8) {
    const some = drafts.slice(from, from + 8)
    const looks = await Promise.all(some.map((draft) => looksPromising(draft, context)))
    for (const [index, draft] of some.entries()) {
      if (looks[index] !== true) continue
      const hit = await examineDraft(draft, context)
      if (hit !== null) return hit
    }
  }
  return null
}

/** Compares one good token with what a client without one sees; only a draft that differs is examined further. */
async function looksPromising(draft: Draft, context: SearchContext): Promise<boolean> {
  const { tokenPool, silentClient } = context
  const { windowMs } = silentClient
  const valid = await probeDraft(draft, await tokenPool.shared(), context, windowMs)
  const isMessage = messageTemplate(draft.pieces) !== null
  if (!isMessage && silentClient.end !== null && classifyOutcomes([valid], silentClient.traces) === null)
    return false
  if (valid.end !== null) return false
  const garbage = await probeDraft(draft, tokenPool.garbage(), context, windowMs)
  return classifyOutcomes([valid], [garbage]) !== null
}

/** Sends good and bad tokens in turn: a rate limit, a lockout or chance would not follow that pattern. */
async function examineDraft(draft: Draft, context: SearchContext): Promise<Hit | null> {
  const { tokenPool, silentClient } = context
  const windowMs = Math.max(silentClient.windowMs, 1200)
  const valid: Trace[] = []
  const invalid: Trace[] = []
  for (let round = 0; round < 2; round += 1) {
    valid.push(await probeDraft(draft, await tokenPool.fresh(), context, windowMs))
    invalid.push(await probeDraft(draft, tokenPool.garbage(), context, windowMs))
    if (classifyOutcomes(valid, invalid) === null) return null
  }
  invalid.push(await probeDraft(draft, { jwt: null, userId: tokenPool.garbage().userId }, context, windowMs))
  const found = classifyOutcomes(valid, invalid)
  if (found === null) return null
  if (found.success !== 'quiet') return { draft, classification: found }
  return (await findOpening(draft, context)) ?? (await watchLonger(draft, found, context))
}

/** The draft with a handshake that the service answers, and only where the token is good. */
async function findOpening(draft: Draft, context: SearchContext): Promise<Hit | null> {
  if (draft.opening !== undefined || messageTemplate(draft.pieces) !== null) return null
  for (const opening of openings) {
    const opened = { ...draft, opening }
    const shared = await context.tokenPool.shared()
    const { frames, end } = await probeDraft(opened, shared, context, context.silentClient.windowMs)
    const hit = end === null && frames.length > 0 ? await examineDraft(opened, context) : null
    if (hit !== null && hit.classification.success !== 'quiet') return hit
  }
  return null
}

/** Where the service sends nothing on acceptance, only time tells it from a service that still waits. */
async function watchLonger(draft: Draft, found: Classification, context: SearchContext): Promise<Hit | null> {
  const { tokenPool, pace } = context
  const held = await probeDraft(draft, await tokenPool.fresh(), context, pace.toleratedMs)
  if (isAccepted(found, held)) return { draft, classification: found }
  if (held.end === null || draft.pieces.some((piece) => piece.in === 'hello')) return null
  // The service still waited for something: perhaps for a userId in a message of its own.
  const patient = { ...context.silentClient, end: null, windowMs: Math.round(held.lastMs + 500) }
  return await findHit(addHello(draft), { ...context, silentClient: patient })
}

/** Sends a draft once and watches. Throws `GivenUp` where the service cannot be reached. */
export async function probeDraft(
  draft: Draft,
  identity: StatedIdentity,
  { url, prober, silentClient }: SearchContext,
  windowMs: number,
): Promise<Trace> {
  const join = enterBy(
    silentClient.entrance,
    buildDraftRequest(url, draft, identity, silentClient.subprotocols),
  )
  const trace = await prober.probe(join, { windowMs, quietMs, jwt: identity.jwt })
  if (!trace.isReached) throw new GivenUp('signaling became unreachable')
  return trace
}
