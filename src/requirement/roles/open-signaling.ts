import { loadJwks } from '../../base/tokens/jwks.ts'
import type { CallingTokens } from '../../roles/backend/calling-tokens.ts'
import { openSignalingDriver } from '../../roles/signaling/open-driver.ts'
import type { Provided } from '../needs.ts'
import type { RunServices } from './run-services.ts'

/** Hosted signaling and its keys; `noOracle` is the gap in its profile that hides how an attempt ended, or null. */
export async function openSignalingRole(services: RunServices, tokens: CallingTokens | null) {
  const { configuration, http, pacers, paces, testKey } = services
  const { signaling, limits, token } = configuration
  const { journal, secrets, clock, run, network } = services
  const { driver, noOracle } = await openSignalingDriver(signaling, {
    tokens,
    limits,
    pacer: pacers.of('signaling'),
    limiter: paces.signaling,
    ...{ journal, secrets, clock, run, network },
  })
  const { jwks } = token
  const provided: Provided = {
    signaling: driver,
    jwks: jwks === undefined ? undefined : () => loadJwks(jwks, http),
    testKey,
  }
  return { noOracle, provided }
}
