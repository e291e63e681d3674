import type { Exchange } from '../base/evidence/exchange.ts'
import type { Registered } from '../base/evidence/redact.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { detect } from '../detect/detect.ts'
import { selectCitedExchanges } from '../detect/render-text.ts'
import type { RunResults } from '../reports/results.ts'
import type { AnyCheck } from '../requirement/define.ts'
import type { CheckResult } from '../requirement/run.ts'
import type { SignalingProfile } from '../roles/signaling/types.ts'

/** What was found out about a signaling service that the configuration says nothing of. */
export interface DetectedProfile {
  readonly profile: SignalingProfile | null
  /** Why nothing is judged by what was found; null where it is. */
  readonly missing: string | null
  readonly exchanges: readonly Exchange[]
  readonly secrets: readonly Registered[]
  readonly mints: number
}

const mark = 'rests on a detected profile: see whether it is right with twotoken detect'
/** A run is about judging: what cannot be found out in this time is left to twotoken detect. */
const seconds = 90

/** Whether some of the checks need a profile that the configuration does not have, and one could be found. */
export function needsDetection(
  { signaling, mint, backend }: Configuration,
  checks: readonly AnyCheck[],
): boolean {
  if (signaling === undefined || signaling.access !== undefined) return false
  // A double of ours that stands in for the mint has nothing that this signaling would accept.
  const hasTokens = mint !== undefined || (backend !== undefined && backend.fakeMint === undefined)
  return hasTokens && checks.some((check) => check.needs.includes('signaling'))
}

export async function detectedProfile(
  configuration: Configuration,
  {
    maxMints,
    signal,
    onProgress,
  }: { readonly maxMints?: number | undefined; readonly signal: AbortSignal; onProgress(what: string): void },
): Promise<DetectedProfile> {
  const { backend, ...withoutBackend } = configuration
  const described = configuration.mint === undefined ? configuration : withoutBackend
  const detection = await detect(described, {
    parts: ['signaling'],
    bounds: { seconds, ...(maxMints === undefined ? {} : { mints: maxMints }) },
    signal,
    onProgress,
  })
  const { signaling, secrets, mints } = detection
  const renamed = selectCitedExchanges(detection).map((exchange) => ({ ...exchange, id: `d${exchange.id}` }))
  const shared = { exchanges: renamed, secrets, mints }
  if ('missing' in signaling) return { profile: null, missing: signaling.missing, ...shared }
  const { profile, confirmation } = signaling.found
  const missing = confirmation.letsDamagedIn
    ? 'a profile was found by which a token with a damaged signature is let in: nobody is accused by it before somebody has looked at it with twotoken detect and written it down'
    : null
  return { profile, missing, ...shared }
}

/** The configuration with what was found in the place of the missing profile. */
export function withProfile(
  configuration: Configuration,
  { profile, missing }: DetectedProfile,
): Configuration {
  const { signaling } = configuration
  if (signaling === undefined || profile === null || missing !== null) return configuration
  return { ...configuration, signaling: { ...signaling, access: { profile } } }
}

/** Says of every verdict that rests on what was found that it does, and of the others why nothing was. */
export function marked(
  results: readonly CheckResult[],
  checks: readonly AnyCheck[],
  { missing }: DetectedProfile,
): CheckResult[] {
  const concerned = new Set(checks.filter(({ needs }) => needs.includes('signaling')).map(({ id }) => id))
  return results.map((result) => {
    if (!concerned.has(result.id)) return result
    const reason = [result.reason, missing === null ? mark : `nothing was detected: ${missing}`]
    return {
      ...result,
      reason: reason.filter((text) => text !== null).join('; '),
      ...(missing === null ? { detected: true as const } : {}),
    }
  })
}

/** The profile among the observations, and the exchanges that it was found in. */
export function withDetection(
  results: RunResults,
  { profile, missing, exchanges }: DetectedProfile,
): RunResults {
  if (profile === null || missing !== null) return results
  return {
    ...results,
    observations: { ...results.observations, 'signaling.detectedProfile': profile },
    exchanges: [...exchanges, ...results.exchanges],
  }
}
