import type { SignalingConnector } from '../roles/signaling/attempt.ts'
import { findOracleGap } from '../roles/signaling/check-profile.ts'
import type { SignalingProfile } from '../roles/signaling/types.ts'
import { GivenUp } from './budget.ts'
import { listDrafts } from './candidates.ts'
import { isAccepted } from './classify-outcomes.ts'
import { compileProfile } from './compile-profile.ts'
import { type Confirmation, confirmProfile } from './confirm-profile.ts'
import { type Draft, places } from './draft.ts'
import { type FoundDeclaration, findDeclaredUser } from './find-declared-user.ts'
import { minimiseDraft } from './minimise-draft.ts'
import type { Pace, Prober, Trace } from './prober.ts'
import { findHit, type Hit, probeDraft, type SearchContext } from './search.ts'
import { observeSilentClient, type SilentClient } from './silent-client.ts'
import type { TokenPool } from './token-pool.ts'

export interface FoundSignaling {
  readonly profile: SignalingProfile
  readonly declaration: FoundDeclaration['how']
  readonly confirmation: Confirmation
  readonly evidence: readonly string[]
}

export interface SignalingSearch {
  readonly url: string
  readonly prober: Prober
  readonly tokenPool: TokenPool
  readonly pace?: Pace
  /** Origins of pages that the service may expect its clients on. */
  readonly origins: readonly string[]
  /** Drafts that the user suggests: tried before everything else. */
  readonly hints: readonly Draft[]
  /** A connector that decides by a profile: the found one is tried with it. */
  connectorFor(profile: SignalingProfile): SignalingConnector
  onProgress(what: string): void
}

const usualPace: Pace = { silentClientMs: 4000, silenceMs: 1000, toleratedMs: 12_000 }

/**
 * Finds out how a service is joined, and the signs of success and failure.
 * @throws GivenUp where nothing tells accepted attempts from refused ones
 */
export async function detectSignaling(search: SignalingSearch): Promise<FoundSignaling> {
  const { url, prober, tokenPool, pace = usualPace, onProgress } = search
  onProgress('a client without a credential')
  const silentClient = await observeSilentClient(url, prober, pace, search.origins)
  const context: SearchContext = { url, prober, tokenPool, silentClient, pace }
  const hit = await searchPlaces(search, context)
  if (hit === null) throw new GivenUp(explainNothingFound(silentClient))
  onProgress('what signaling requires of it')
  const minimal = await minimiseDraft(hit, context)
  const declaration = await findDeclaredUser(minimal, hit, context)
  const draft = { ...minimal, pieces: declaration.pieces }
  onProgress('rejected connections')
  const gathered = await gatherTraces(draft, hit, context)
  const profile = compileProfile(draft, hit.classification, gathered, silentClient)
  const gap = findOracleGap(profile)
  if (gap !== null) throw new GivenUp(gap)
  onProgress('confirmation of the profile')
  const confirmation = await confirmProfile(search.connectorFor(profile), tokenPool)
  const shown = [...gathered.valid, ...gathered.refused.flat()].map(({ exchange }) => exchange)
  return {
    profile,
    declaration: declaration.how,
    confirmation,
    evidence: [...shown, ...confirmation.accepted, ...confirmation.refused],
  }
}

async function searchPlaces(
  { hints, onProgress }: SignalingSearch,
  context: SearchContext,
): Promise<Hit | null> {
  const { tokenPool, silentClient } = context
  if (hints.length > 0) {
    onProgress('the carriages of --try')
    const hinted = await findHit(hints, context)
    if (hinted !== null) return hinted
  }
  const tokenBytes = (await tokenPool.shared()).jwt.length
  for (const declared of [true, false])
    for (const place of places) {
      onProgress(`tokens in ${place}${declared ? '' : ', without a declared userId'}`)
      const hit = await findHit(
        listDrafts(place, { declared, tokenBytes, greeting: silentClient.greeting }),
        context,
      )
      if (hit !== null) return hit
    }
  return null
}

/** Makes more attempts of each kind, and watches them for longer: what a kind has in common is its sign. */
async function gatherTraces(draft: Draft, hit: Hit, context: SearchContext) {
  const { tokenPool, silentClient } = context
  const windowMs = Math.max(silentClient.windowMs, 1500)
  const probe = async (credential: Parameters<typeof probeDraft>[1]) =>
    await probeDraft(draft, credential, context, windowMs)
  const valid: Trace[] = []
  const garbage: Trace[] = []
  const damaged: Trace[] = []
  const nothing: Trace[] = []
  for (let round = 0; round < 2; round += 1) {
    valid.push(await probe(await tokenPool.fresh()))
    garbage.push(await probe(tokenPool.garbage()))
    damaged.push(await probe(await tokenPool.damaged()))
    nothing.push(await probe({ jwt: null, userId: tokenPool.garbage().userId }))
  }
  if (!valid.every((trace) => isAccepted(hit.classification, trace)))
    throw new GivenUp('signaling is inconsistent: it accepts and rejects the same client')
  const refused = [garbage, damaged, nothing].map((group) =>
    group.filter((trace) => !isAccepted(hit.classification, trace)),
  )
  if ((refused[0]?.length ?? 0) < garbage.length)
    throw new GivenUp('signaling is inconsistent: it accepts and rejects the same invalid token')
  return { valid, refused }
}

function explainNothingFound({ traces, end }: SilentClient): string {
  const [first] = traces
  const how =
    end?.type === 'http'
      ? `answers ${end.code} to every attempt`
      : end?.type === 'close'
        ? `closes with ${end.code} on every attempt`
        : end === null
          ? `accepts every connection${first?.frames.length === 0 ? ' and sends nothing' : ''}`
          : `${end.text} on every attempt`
  const advice =
    end?.type === 'http' && end.code === 404
      ? 'check the path of signaling.url'
      : 'describe its carriage with --try, or write an adapter (docs/adapter.md)'
  return `signaling ${how}: no tried carriage distinguishes a valid token from an invalid one; ${advice}`
}
