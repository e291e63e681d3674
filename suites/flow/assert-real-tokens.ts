import { Untested } from '../../src/base/inconclusive.ts'
import type { Common } from '../../src/requirement/needs.ts'

/** A double that signs with a key of its own makes tokens that no real signaling can accept. */
export function assertRealTokens({ available }: Pick<Common, 'available'>): void {
  if (available('mintDouble')?.issuesRealTokens === false)
    throw new Untested(
      "needs tokens that signaling accepts while the backend mints at the suite's double: configure mint, or token.signWith",
    )
}
