import { loadJwks } from '../../base/tokens/jwks.ts'
import type { CallingTokens } from '../../roles/backend/calling-tokens.ts'
import { openSignalingDriver } from '../../roles/signaling/open-driver.ts'
import type { Provided } from '../needs.ts'
import type { RunServices } from './run-services.ts'

export interface SignalingRole {
  /** Gap in the profile that hides whether an attempt succeeded or failed; null where there is none. */
  readonly noOracle: string | null
  provide(): Provided
}

/** Hosted signaling, and the keys with which its tokens are signed. */
export async function openSignalingRole(
  {
    clock,
    configuration,
    http,
    journal,
    network,
    pacers,
    paces,
    secrets,
    run,
    runStart,
    testKey,
  }: RunServices,
  { callingTokens }: { readonly callingTokens: CallingTokens | undefined },
): Promise<SignalingRole> {
  const { signaling, limits, token } = configuration
  const { driver, noOracle } = await openSignalingDriver(signaling, {
    tokens: callingTokens ?? null,
    journal,
    secrets,
    clock,
    runStart,
    limits,
    run,
    pacer: pacers.of('signaling'),
    limiter: paces.signaling,
    network,
  })
  const { jwks } = token
  const provided: Provided = {
    signaling: driver,
    jwks: jwks === undefined ? undefined : () => loadJwks(jwks, http),
    testKey,
  }
  return { noOracle, provide: () => provided }
}
