import type { DescribedCheck } from '../catalogue/described.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { detect } from '../detect/detect.ts'
import { withReason } from '../requirement/judge.ts'
import type { CheckResult } from '../requirement/run.ts'
import type { SignalingProfile } from '../roles/signaling/profile.ts'

export interface DetectedProfile {
  readonly profile: SignalingProfile | null
  readonly missing: string | null
  readonly mints: number
}

const detectedNote = 'based on a detected profile: review it with twotoken detect'

export function needsDetection(
  { signaling, mint, backend }: Configuration,
  checks: readonly DescribedCheck[],
): boolean {
  if (signaling === undefined || signaling.access !== undefined) return false
  // The mint double issues nothing that this signaling service would accept.
  const hasTokens = mint !== undefined || (backend !== undefined && backend.fakeMint === undefined)
  return hasTokens && checks.some((check) => check.needs.includes('signaling'))
}

export async function detectProfile(
  configuration: Configuration,
  {
    maxMints,
    signal,
    onProgress,
  }: { readonly maxMints?: number | undefined; readonly signal: AbortSignal; onProgress(what: string): void },
): Promise<DetectedProfile> {
  const { backend, ...withoutBackend } = configuration
  const described = configuration.mint === undefined ? configuration : withoutBackend
  const { signaling, mints } = await detect(described, { maxMints, signal, onProgress })
  if ('missing' in signaling) return { profile: null, missing: signaling.missing, mints }
  const { profile, letsDamagedIn } = signaling.found
  const missing = letsDamagedIn
    ? 'the detected profile accepts a token with a damaged signature: review it with twotoken detect and add it to the configuration before it can report violations'
    : null
  return { profile, missing, mints }
}

export function applyProfile(
  configuration: Configuration,
  { profile, missing }: DetectedProfile,
): Configuration {
  const { signaling } = configuration
  if (signaling === undefined || profile === null || missing !== null) return configuration
  return { ...configuration, signaling: { ...signaling, access: { profile } } }
}

/** Adds to every verdict of a requirement on signaling that it rests on a detected profile, or why none was detected. */
export function markDetected(
  results: readonly CheckResult[],
  checks: readonly DescribedCheck[],
  { missing }: DetectedProfile,
): CheckResult[] {
  const concerned = new Set(checks.filter(({ needs }) => needs.includes('signaling')).map(({ id }) => id))
  return results.map((result) => {
    if (!concerned.has(result.id)) return result
    if (missing !== null) return { ...result, ...withReason(result, `nothing was detected: ${missing}`) }
    return { ...result, ...withReason(result, detectedNote), detected: true }
  })
}
