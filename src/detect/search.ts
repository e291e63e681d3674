import { GivenUp } from './budget.ts'
import { greeted } from './candidates.ts'
import { isSuccess, type Separation, separation } from './classify-outcomes.ts'
import type { Draft } from './draft.ts'
import { offerOfDraft } from './draft.ts'
import type { Pace, Prober, Trace } from './prober.ts'
import type { Baseline } from './silent-client.ts'
import type { Holder, Supply } from './token-pool.ts'

export interface Searching {
  readonly url: string
  readonly prober: Prober
  readonly supply: Supply
  readonly baseline: Baseline
  readonly pace: Pace
}

/** A draft with which good tokens get in and nothing else does. */
export interface Hit {
  readonly draft: Draft
  readonly separation: Separation
}

/** After the last frame: what follows in this time belongs to the same answer. */
const quietMs = 250

/** The first of the drafts that works, in their order; null where none does. */
export async function firstHit(drafts: readonly Draft[], searching: Searching): Promise<Hit | null> {
  for (let from = 0; from < drafts.length; from += 8) {
    const some = drafts.slice(from, from + 8)
    const looks = await Promise.all(some.map((draft) => looksPromising(draft, searching)))
    for (const [index, draft] of some.entries()) {
      if (looks[index] !== true) continue
      const hit = await examined(draft, searching)
      if (hit !== null) return hit
    }
  }
  return null
}

/** One good token against what a client without one sees; only what differs is worth a closer look. */
async function looksPromising(draft: Draft, searching: Searching): Promise<boolean> {
  const { supply, baseline } = searching
  const { windowMs } = baseline
  const valid = await probeWith(draft, await supply.lent(), searching, windowMs)
  const isMessage = draft.place === 'message'
  if (!isMessage && baseline.end !== null && separation([valid], baseline.traces) === null) return false
  if (valid.end !== null) return false
  const garbage = await probeWith(draft, supply.garbage(), searching, windowMs)
  return separation([valid], [garbage]) !== null
}

/** Good and bad tokens in turn: a limit, a lockout or a whim of the service would not fall in with them. */
async function examined(draft: Draft, searching: Searching): Promise<Hit | null> {
  const { supply, baseline } = searching
  const windowMs = Math.max(baseline.windowMs, 1200)
  const valid: Trace[] = []
  const invalid: Trace[] = []
  for (let round = 0; round < 2; round += 1) {
    valid.push(await probeWith(draft, await supply.fresh(), searching, windowMs))
    invalid.push(await probeWith(draft, supply.garbage(), searching, windowMs))
    if (separation(valid, invalid) === null) return null
  }
  invalid.push(await probeWith(draft, { jwt: null, userId: supply.garbage().userId }, searching, windowMs))
  const found = separation(valid, invalid)
  if (found === null) return null
  if (found.success !== 'quiet') return { draft, separation: found }
  return await outlasting(draft, found, searching)
}

/** Where nothing is said to those who get in, only time tells them from those who are still waited for. */
async function outlasting(draft: Draft, found: Separation, searching: Searching): Promise<Hit | null> {
  const { supply, pace } = searching
  const held = await probeWith(draft, await supply.fresh(), searching, pace.toleratedMs)
  if (isSuccess(found, held)) return { draft, separation: found }
  if (held.end === null || draft.pieces.some((piece) => piece.in === 'hello')) return null
  // Something was still waited for. A service that asks who comes does so in a message of its own.
  const patient = { ...searching.baseline, end: null, windowMs: Math.round(held.lastMs + 500) }
  return await firstHit(greeted(draft), { ...searching, baseline: patient })
}

export async function probeWith(
  draft: Draft,
  credential: Holder | { readonly jwt: null; readonly userId: string },
  { url, prober, baseline }: Searching,
  windowMs: number,
): Promise<Trace> {
  const offer = offerOfDraft(url, draft, credential, baseline.subprotocols)
  const trace = await prober.probe(offer, { windowMs, quietMs, jwt: credential.jwt })
  if (!trace.isReached) throw new GivenUp('signaling could not be reached any more')
  return trace
}
