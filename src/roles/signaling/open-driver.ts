import { createLimiter, type Limiter } from '../../base/http/limiter.ts'
import type { CallingTokens } from '../backend/calling-tokens.ts'
import { findOracleGap } from './check-profile.ts'
import type { SignalingConfiguration } from './configuration.ts'
import { type ConnectorSurroundings, createConnector } from './connector.ts'
import { createSignalingDriver, type Signaling } from './driver.ts'

export interface SignalingDriverSurroundings extends ConnectorSurroundings {
  /** `null` where nothing issues tokens that the signaling service accepts. */
  readonly tokens: CallingTokens | null
  /** The pace that was found for it; its own where absent. */
  readonly limiter?: Limiter
}

/** The signaling service, where one is configured and can be asked; `noOracle` is what its profile does not tell. */
export async function openSignalingDriver(
  signaling: SignalingConfiguration | undefined,
  { tokens, limiter, ...surroundings }: SignalingDriverSurroundings,
): Promise<{ readonly driver: Signaling | undefined; readonly noOracle: string | null }> {
  const access = signaling?.access
  if (signaling === undefined || access === undefined) return { driver: undefined, noOracle: null }
  const noOracle = 'profile' in access ? findOracleGap(access.profile) : null
  if (noOracle !== null) return { driver: undefined, noOracle }
  const connector = await createConnector(signaling.url, access, surroundings)
  const { secrets, clock, limits } = surroundings
  return {
    driver: createSignalingDriver({
      signaling,
      connector,
      tokens,
      secrets,
      clock,
      limiter: limiter ?? createLimiter(clock, limits),
    }),
    noOracle,
  }
}
