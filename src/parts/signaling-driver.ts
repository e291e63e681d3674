import type { Clock } from '../clock/clock.ts'
import type { Limits, SignalingConfiguration } from '../configuration/configuration.ts'
import type { Journal } from '../evidence/exchange.ts'
import type { Redactor } from '../evidence/redact.ts'
import { createAdapterSignaling } from '../signaling/adapter.ts'
import { createSignaling, type Signaling } from '../signaling/attempt.ts'

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
