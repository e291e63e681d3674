import { createLimiter, type Limiter, type Pacer } from '../../base/http/limiter.ts'
import type { Limits } from '../../base/http/limits.ts'
import type { Network } from '../../base/http/network.ts'
import type { CallingTokens } from '../backend/calling-tokens.ts'
import { createAdapterConnector } from './adapter-connector.ts'
import type { SignalingConnector } from './attempt.ts'
import type { RecorderOptions } from './attempt-recorder.ts'
import { findOracleGap } from './check-profile.ts'
import type { SignalingConfiguration } from './configuration.ts'
import { createSignalingDriver, type Signaling } from './driver.ts'
import { createProfileConnector } from './profile-connector.ts'

export interface SignalingSurroundings extends RecorderOptions {
  readonly limits: Limits
  /** Names the run to the service, so that an upgrade is found in its log. */
  readonly run?: string
  readonly network?: Network
  /** Whose turn each attempt waits for; none where undefined. */
  readonly pacer?: Pacer | undefined
  /** `null` where nothing issues tokens that the signaling service accepts. */
  readonly tokens: CallingTokens | null
  /** The pace that was found for it; its own where absent. */
  readonly limiter?: Limiter
}

/** The signaling service, where one is configured and can be asked; `noOracle` is what its profile does not tell. */
export async function openSignalingDriver(
  signaling: SignalingConfiguration | undefined,
  { tokens, limiter, pacer, limits, network, ...recording }: SignalingSurroundings,
): Promise<{ readonly driver: Signaling | undefined; readonly noOracle: string | null }> {
  const access = signaling?.access
  if (signaling === undefined || access === undefined) return { driver: undefined, noOracle: null }
  const noOracle = 'profile' in access ? findOracleGap(access.profile) : null
  if (noOracle !== null) return { driver: undefined, noOracle }
  const { url } = signaling
  const connector =
    'adapter' in access
      ? await createAdapterConnector({
          ...recording,
          url,
          modulePath: access.adapter,
          timeoutMs: limits.requestSeconds * 1000,
        })
      : createProfileConnector({
          ...recording,
          url,
          profile: access.profile,
          network,
          frameBytes: limits.bodyBytes,
        })
  const { secrets, clock } = recording
  const driver = createSignalingDriver({
    signaling,
    connector: paced(connector, pacer),
    tokens,
    secrets,
    clock,
    limiter: limiter ?? createLimiter(clock, limits),
  })
  return { driver, noOracle }
}

/** The same connector, each of whose attempts begins when its turn has come. */
export function paced(connector: SignalingConnector, pacer: Pacer | undefined): SignalingConnector {
  if (pacer === undefined) return connector
  return {
    ...connector,
    attempt: (request) => pacer.run(() => connector.attempt(request)),
    open: (request) => pacer.run(() => connector.open(request)),
  }
}
