import { describe, expect, test } from 'vitest'
import { loadCatalogue } from '../catalogue/load-requirements.ts'
import { countMints } from './mint-costs.ts'

// Those that wait for expiry are declared as measured: each would cost a wait of its own here.
const checks = (await loadCatalogue()).filter(
  ({ role, phase }) => role !== 'client' && role !== 'bundle' && phase !== 'expiry',
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
