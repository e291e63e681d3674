import type { Clock } from '../../base/clock.ts'
import type { Journal } from '../../base/evidence/exchange.ts'
import type { Redactor } from '../../base/evidence/redact.ts'
import type { Limits } from '../../base/limits.ts'
import { createAdapterSignaling } from './adapter.ts'
import { createSignaling, type Signaling } from './attempt.ts'
import type { SignalingConfiguration } from './types.ts'

export interface DriverSurroundings {
  readonly journal: Journal
  readonly redactor: Redactor
  readonly clock: Clock
  /** Monotonic milliseconds. */
  readonly runStart: number
  readonly limits: Limits
  /** PEM. */
  readonly ca?: readonly string[]
}

/** Connects to signaling as its profile says, or through the user's adapter. */
export function signalingDriver(
  url: string,
  access: NonNullable<SignalingConfiguration['access']>,
  { limits, ca, ...shared }: DriverSurroundings,
): Signaling | Promise<Signaling> {
  if ('adapter' in access)
    return createAdapterSignaling({
      ...shared,
      url,
      modulePath: access.adapter,
      timeoutMs: limits.requestSeconds * 1000,
    })
  return createSignaling({
    ...shared,
    url,
    profile: access.profile,
    ...(ca === undefined ? {} : { ca }),
    frameBytes: limits.bodyBytes,
  })
}
