import type { Clock } from '../../base/clock.ts'
import type { Journal } from '../../base/evidence/exchange.ts'
import type { Secrets } from '../../base/evidence/secrets.ts'
import type { Pacer } from '../../base/http/limiter.ts'
import type { Limits } from '../../base/http/limits.ts'
import type { Network } from '../../base/http/network.ts'
import { createAdapterConnector } from './adapter-connector.ts'
import type { SignalingConnector } from './attempt.ts'
import type { SignalingAccess } from './configuration.ts'
import { createProfileConnector } from './profile-connector.ts'

export interface ConnectorSurroundings {
  readonly journal: Journal
  readonly secrets: Secrets
  readonly clock: Clock
  /** Monotonic milliseconds. */
  readonly runStart: number
  readonly limits: Limits
  /** Names the run to the service, so that an upgrade is found in its log. */
  readonly run?: string
  /** How connections are made. */
  readonly network?: Network
  /** Whose turn each attempt waits for; none where undefined. */
  readonly pacer?: Pacer | undefined
}

/** Joins signaling as its profile says, or through the user's module. */
export async function createConnector(
  url: string,
  access: SignalingAccess,
  { pacer, ...surroundings }: ConnectorSurroundings,
): Promise<SignalingConnector> {
  return paced(await createUnpaced(url, access, surroundings), pacer)
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

function createUnpaced(
  url: string,
  access: SignalingAccess,
  { limits, network, ...shared }: Omit<ConnectorSurroundings, 'pacer'>,
): SignalingConnector | Promise<SignalingConnector> {
  if ('adapter' in access)
    return createAdapterConnector({
      ...shared,
      url,
      modulePath: access.adapter,
      timeoutMs: limits.requestSeconds * 1000,
    })
  return createProfileConnector({
    ...shared,
    url,
    profile: access.profile,
    network,
    frameBytes: limits.bodyBytes,
  })
}
