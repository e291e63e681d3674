import type { Signaling } from '../roles/signaling/attempt.ts'
import { missingOracle } from '../roles/signaling/profile.ts'
import type { SignalingProfile } from '../roles/signaling/types.ts'
import { GivenUp } from './budget.ts'
import { draftsAt } from './candidates.ts'
import { isSuccess } from './classify-outcomes.ts'
import { profileFrom } from './compile-profile.ts'
import { type Confirmation, confirmed } from './confirm-profile.ts'
import { type Draft, places } from './draft.ts'
import { type Declaration, declarationOf } from './find-declared-user.ts'
import { minimised } from './minimise-draft.ts'
import type { Pace, Prober, Trace } from './prober.ts'
import { firstHit, type Hit, probeWith, type Searching } from './search.ts'
import { type Baseline, baselineOf } from './silent-client.ts'
import type { Supply } from './token-pool.ts'

export interface FoundSignaling {
  readonly profile: SignalingProfile
  readonly declaration: Declaration['how']
  readonly confirmation: Confirmation
  /** Exchanges that show what was found. */
  readonly evidence: readonly string[]
}

export interface SignalingSearch {
  readonly url: string
  readonly prober: Prober
  readonly supply: Supply
  readonly pace?: Pace
  /** What the user thinks it might be: tried before everything else. */
  readonly hints: readonly Draft[]
  /** The driver that judges by a profile, with which the found one is tried. */
  driverOf(profile: SignalingProfile): Signaling
  onProgress(what: string): void
}

const usualPace: Pace = { baselineMs: 4000, silenceMs: 1000, toleratedMs: 12_000 }

/**
 * Finds out how a service is joined, and how it says yes and no.
 * @throws GivenUp where nothing tells those who are let in from those who are not
 */
export async function detectSignaling(search: SignalingSearch): Promise<FoundSignaling> {
  const { url, prober, supply, pace = usualPace, onProgress } = search
  onProgress('how signaling treats a client without a credential')
  const baseline = await baselineOf(url, prober, pace)
  const searching: Searching = { url, prober, supply, baseline, pace }
  const hit = await found(search, searching)
  if (hit === null) throw new GivenUp(nothingTells(baseline))
  onProgress('what of it signaling needs')
  const minimal = await minimised(hit, searching)
  const declaration = await declarationOf(minimal, hit, searching)
  const draft = { ...minimal, pieces: [...minimal.pieces, ...declaration.pieces] }
  onProgress('how signaling refuses')
  const gathered = await gather(draft, hit, searching)
  const profile = profileFrom(draft, hit.separation, gathered, baseline.subprotocols)
  const gap = missingOracle(profile)
  if (gap !== null) throw new GivenUp(gap)
  onProgress('whether the profile holds')
  const confirmation = await confirmed(search.driverOf(profile), supply)
  const shown = [...gathered.valid, ...gathered.refused.flat()].map(({ exchange }) => exchange)
  return {
    profile,
    declaration: declaration.how,
    confirmation,
    evidence: [...shown, ...confirmation.accepted, ...confirmation.refused],
  }
}

async function found({ hints, onProgress }: SignalingSearch, searching: Searching): Promise<Hit | null> {
  const { supply, baseline } = searching
  if (hints.length > 0) {
    onProgress('what you said to try')
    const hinted = await firstHit(hints, searching)
    if (hinted !== null) return hinted
  }
  const tokenBytes = (await supply.lent()).jwt.length
  for (const declared of [true, false])
    for (const place of places) {
      onProgress(`tokens by ${place}${declared ? '' : ', with nothing beside them'}`)
      const hit = await firstHit(
        draftsAt(place, { declared, tokenBytes, greeting: baseline.greeting }),
        searching,
      )
      if (hit !== null) return hit
    }
  return null
}

/** More of each kind, watched for as long as it takes: what they have in common are the signs. */
async function gather(draft: Draft, hit: Hit, searching: Searching) {
  const { supply, baseline } = searching
  const windowMs = Math.max(baseline.windowMs, 1500)
  const probe = async (credential: Parameters<typeof probeWith>[1]) =>
    await probeWith(draft, credential, searching, windowMs)
  const valid: Trace[] = []
  const garbage: Trace[] = []
  const damaged: Trace[] = []
  const nothing: Trace[] = []
  for (let round = 0; round < 2; round += 1) {
    valid.push(await probe(await supply.fresh()))
    garbage.push(await probe(supply.garbage()))
    damaged.push(await probe(await supply.tampered()))
    nothing.push(await probe({ jwt: null, userId: supply.garbage().userId }))
  }
  if (!valid.every((trace) => isSuccess(hit.separation, trace)))
    throw new GivenUp('signaling lets the same client in at one time and not at another')
  const refused = [garbage, damaged, nothing].map((group) =>
    group.filter((trace) => !isSuccess(hit.separation, trace)),
  )
  if ((refused[0]?.length ?? 0) < garbage.length)
    throw new GivenUp('signaling refuses the same garbage at one time and not at another')
  return { valid, refused }
}

function nothingTells({ traces, end }: Baseline): string {
  const [first] = traces
  const how =
    end?.type === 'http'
      ? `answers ${end.code} whatever is offered`
      : end?.type === 'close'
        ? `closes with ${end.code} whatever is offered`
        : end === null
          ? `takes every connection${first?.frames.length === 0 ? ' and says nothing' : ''}, whatever is offered`
          : `${end.text}, whatever is offered`
  const advice =
    end?.type === 'http' && end.code === 404
      ? 'see whether the path of signaling.url is right'
      : 'name what you know of it with --try, or write an adapter (docs/adapter.md)'
  return `signaling ${how}: in no place that was tried does a good token fare otherwise than garbage; ${advice}`
}
