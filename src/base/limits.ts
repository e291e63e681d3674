/** How fast the suite's own requests to one part of an implementation may follow each other. */
export interface PaceLimit {
  /** Requests that are begun in a second, at equal distances; as many as it takes where absent. */
  readonly perSecond?: number
  /** Requests that are under way at once, which are begun together. Where absent, each is begun alone, and none waits for another's answer. */
  readonly atOnce?: number
}

export const pacedParts = ['mint', 'backend', 'signaling'] as const
export type PacedPart = (typeof pacedParts)[number]
export type PaceLimits = Readonly<Partial<Record<PacedPart, PaceLimit>>>

export interface Limits {
  readonly requestSeconds: number
  readonly bodyBytes: number
  readonly backendAnswerSeconds: number
  /** Silence for so long counts as never; absent: it is only measured. */
  readonly neverSeconds?: number
  /** Connections without a credential that are held at once, beside a user; absent: none. */
  readonly idleConnections?: number
  readonly maxTtlWaitSeconds: number
  readonly clientSettleSeconds: number
  readonly reconnectSeconds: number
  readonly leewayWarnSeconds: number
  readonly leewayFailSeconds: number
  /** Calling tokens that a run may have issued; absent: as many as it takes. */
  readonly maxMints?: number
  /** How fast the suite's own requests may follow each other; as fast as they can where absent. */
  readonly pace: PaceLimits
  /** Seconds that a request waits in all where a rate limit asks it to. */
  readonly patienceSeconds: number
}

/** Bans, limits on the rate and circuit breakers are over by then as a rule. */
const usualOutageSeconds = 120

/** Seconds without service after which a part counts as down for good. */
export function outageSeconds({ neverSeconds = usualOutageSeconds }: Limits): number {
  return neverSeconds
}

export const defaultLimits: Limits = {
  requestSeconds: 10,
  bodyBytes: 1_048_576,
  backendAnswerSeconds: 15,
  maxTtlWaitSeconds: 90,
  clientSettleSeconds: 15,
  reconnectSeconds: 60,
  leewayWarnSeconds: 60,
  leewayFailSeconds: 300,
  pace: {},
  patienceSeconds: 20,
}
