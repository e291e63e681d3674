import { type AnswerWait, createAnswerWait } from '../../base/answer-wait.ts'
import { createLimiter, type Limiter } from '../../base/limiter.ts'
import type { TellWait } from '../../base/told-wait.ts'
import type { CallingTokens } from '../backend/calling-tokens.ts'
import { findOracleGap } from './check-profile.ts'
import { type ConnectorSurroundings, createConnector } from './connector.ts'
import { createSignalingDriver, type Signaling } from './driver.ts'
import type { SignalingConfiguration, SignalingProfile } from './types.ts'

export interface SignalingDriverSurroundings extends ConnectorSurroundings {
  /** `null` where nothing issues tokens that the signaling service accepts. */
  readonly tokens: CallingTokens | null
  /** The pace that was found for it; its own where absent. */
  readonly limiter?: Limiter
  /** How long its answers are waited for; as the profile says where absent, until it leaves some out. */
  readonly wait?: AnswerWait
  readonly tellWait?: TellWait
}

/** The signaling service, where one is configured and can be asked; `noOracle` is what its profile does not tell. */
export async function openSignalingDriver(
  signaling: SignalingConfiguration | undefined,
  { tokens, limiter, wait, tellWait = () => undefined, ...surroundings }: SignalingDriverSurroundings,
): Promise<{ readonly driver: Signaling | undefined; readonly noOracle: string | null }> {
  const access = signaling?.access
  if (signaling === undefined || access === undefined) return { driver: undefined, noOracle: null }
  const noOracle = 'profile' in access ? findOracleGap(access.profile) : null
  if (noOracle !== null) return { driver: undefined, noOracle }
  const connector = await createConnector(signaling.url, access, surroundings)
  const { redactor, clock, limits } = surroundings
  return {
    driver: createSignalingDriver({
      signaling,
      connector,
      tokens,
      redactor,
      clock,
      limiter: limiter ?? createLimiter(clock, limits),
      patienceSeconds: limits.patienceSeconds,
      wait: wait ?? createAnswerWait(),
      usualMs: 'profile' in access ? access.profile.timeoutMs : limits.requestSeconds * 1000,
      quietMs: 'profile' in access ? quietMsOf(access.profile) : 0,
      tellWait,
    }),
    noOracle,
  }
}

function quietMsOf({ success }: SignalingProfile): number {
  return Math.max(0, ...success.map((sign) => ('quietOpenMs' in sign ? sign.quietOpenMs : 0)))
}
