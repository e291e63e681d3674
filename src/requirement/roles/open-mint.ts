import type { HttpClient } from '../../base/http/client.ts'
import type { MintBudget } from '../../roles/mint/budget.ts'
import { createMint, type Mint, type MintOptions } from '../../roles/mint/driver.ts'
import { createExpiry } from '../../roles/mint/expiry.ts'
import type { Provided } from '../needs.ts'
import type { RunServices } from './run-services.ts'

/** @param wait `false` leaves the expiry cases untested */
export function openMintRole(services: RunServices, wait: boolean) {
  const { clock, configuration, http, mintBudget } = services
  const { limits, mint: { otherProjectKey, keys } = {} } = configuration
  const mint = createMintDriver(services, http, mintBudget)
  return {
    mint,
    expiry: createExpiry({ mint: mint ?? null, clock, limits, wait }),
    otherProjectKey,
    trialEndedKey: keys?.trialEnded,
    suspendedKey: keys?.suspended,
    cappedKey: keys?.capped,
  } satisfies Provided
}

/**
 * The mint of the configuration, asked through this client at the cost of this budget; undefined where there is none.
 * @param waiting a backend that waits for the answer cannot also wait for the end of a ban
 */
export function createMintDriver(
  { configuration: { mint, token }, secrets, clock, newUser, paces }: RunServices,
  http: HttpClient,
  budget: MintBudget,
  waiting: Pick<MintOptions, 'isUrgent'> = {},
): Mint | undefined {
  const limiter = paces.mint
  return mint && createMint({ mint, token, http, secrets, clock, newUser, budget, limiter, ...waiting })
}
