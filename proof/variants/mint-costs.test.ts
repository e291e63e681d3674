import { describe, expect, test } from 'vitest'
import { referenceMintPolicy } from '../../fixtures/mint/policy.ts'
import { startReference } from '../../fixtures/stack.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import type { AnyCheck, Variant } from '../../src/requirement/define.ts'
import { runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'

/** How many calling tokens the mint of a stack issues while one requirement is judged, and nothing else. */
async function countMints(check: AnyCheck, variant: Variant = {}): Promise<number> {
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

// Those that wait for expiry are declared as measured: each would cost a wait of its own here.
const checks = (await loadCatalogue()).filter(
  ({ role, stage }) => role !== 'client' && role !== 'bundle' && stage !== 'expiry',
)

describe('has no more tokens issued than it says', { concurrent: true }, () => {
  for (const check of checks) {
    test(check.id, async ({ expect }) => {
      expect(await countMints(check)).toBeLessThanOrEqual(check.mints ?? 0)
    })
  }
})

test('the checks declare over 300 mints', () => {
  expect(checks.reduce((sum, { mints = 0 }) => sum + mints, 0)).toBeGreaterThan(300)
})
