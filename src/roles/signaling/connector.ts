import type { Clock } from '../../base/clock.ts'
import type { Journal } from '../../base/evidence/exchange.ts'
import type { Redactor } from '../../base/evidence/redact.ts'
import type { Limits } from '../../base/limits.ts'
import { createAdapterConnector } from './adapter-connector.ts'
import type { SignalingConnector } from './attempt.ts'
import { createProfileConnector } from './profile-connector.ts'
import type { SignalingAccess } from './types.ts'

export interface ConnectorSurroundings {
  readonly journal: Journal
  readonly redactor: Redactor
  readonly clock: Clock
  /** Monotonic milliseconds. */
  readonly runStart: number
  readonly limits: Limits
  /** Names the run to the service, so that an upgrade is found in its log. */
  readonly run?: string
  /** PEM. */
  readonly ca?: readonly string[]
}

/** Joins signaling as its profile says, or through the user's module. */
export function createConnector(
  url: string,
  access: SignalingAccess,
  { limits, ca, ...shared }: ConnectorSurroundings,
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
    ...(ca === undefined ? {} : { ca }),
    frameBytes: limits.bodyBytes,
  })
}
