import { referenceMintPolicy } from '../../fixtures/mint/policy.ts'
import { startReference } from '../../fixtures/stack.ts'
import type { AnyCheck, Variant } from '../requirement/define.ts'
import { runCheck } from '../requirement/run.ts'
import { openSession } from '../requirement/session.ts'

/** How many calling tokens the mint of a stack issues while one requirement is judged, and nothing else. */
export async function countMints(check: AnyCheck, variant: Variant = {}): Promise<number> {
  let issued = 0
  const policy = { ...referenceMintPolicy, ...variant.mint }
  const counted: Variant = {
    ...variant,
    mint: {
      ...variant.mint,
      success(...given) {
        issued += 1
        return policy.success(...given)
      },
    },
  }
  await using reference = await startReference({ variant: counted })
  await using session = await openSession(reference.configuration)
  issued = 0
  await runCheck(check, session)
  return issued
}
