import type { CallingTokens } from '../backend/calling-tokens.ts'
import { type DriverSurroundings, signalingDriver } from './connector.ts'
import { createSignalingPart, type Signaling } from './driver.ts'
import { missingOracle } from './profile.ts'
import type { SignalingConfiguration } from './types.ts'

export interface OpenSignaling extends DriverSurroundings {
  /** `null` where nobody issues tokens that the signaling service takes. */
  readonly tokens: CallingTokens | null
}

/** The signaling service, where one is configured and can be asked; `noOracle` is what its profile does not tell. */
export async function openSignaling(
  signaling: SignalingConfiguration | undefined,
  { tokens, ...surroundings }: OpenSignaling,
): Promise<{ readonly part: Signaling | undefined; readonly noOracle: string | null }> {
  const access = signaling?.access
  if (signaling === undefined || access === undefined) return { part: undefined, noOracle: null }
  const noOracle = 'profile' in access ? missingOracle(access.profile) : null
  if (noOracle !== null) return { part: undefined, noOracle }
  const driver = await signalingDriver(signaling.url, access, surroundings)
  const { redactor, clock } = surroundings
  return { part: createSignalingPart({ signaling, driver, tokens, redactor, clock }), noOracle }
}
