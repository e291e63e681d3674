import { Untested } from '../../../src/base/inconclusive.ts'
import type { CommonContext } from '../../../src/requirement/needs.ts'

/** Throws where the double signs with its own key, since no real signaling accepts such tokens. */
export function assertRealTokens({ available }: Pick<CommonContext, 'available'>): void {
  if (available('mintDouble')?.issuesRealTokens === false)
    throw new Untested(
      "needs tokens that signaling accepts while the backend mints at the suite's double: configure mint or token.signWith",
    )
}
