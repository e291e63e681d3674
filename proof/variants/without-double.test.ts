import { describe, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { loadVariants } from '../../src/catalogue/load-variants.ts'
import type { Variant } from '../../src/requirement/define.ts'
import { runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'

// Claims of tokens replace the mint double where the backend cannot be pointed at it. Each requirement proves
// that the broken variants are caught. This test proves that no conforming backend is accused.
const ids = ['BACK-04', 'BACK-05', 'BACK-11']
const checks = (await loadCatalogue(['backend'])).filter(({ id }) => ids.includes(id))
// Variants that differ in the mint's answers alone are left out. The backend under test has to understand
// those answers; the claims are the same.
const backends = [...(await loadVariants()).conforming].filter(
  ([name, { variant }]) =>
    !name.startsWith('mint/') && (variant.backend !== undefined || variant.mint !== undefined),
)

async function judged(variant: Variant) {
  await using reference = await startReference({ variant, withoutDouble: true })
  await using session = await openSession(reference.configuration)
  return await Promise.all(checks.map((check) => runCheck(check, session)))
}

describe('a conforming backend that calls its real mint is not accused', { concurrent: true }, () => {
  for (const [name, { variant }] of backends)
    test(name, async ({ expect }) => {
      const results = await judged(variant)
      expect(results).toHaveLength(ids.length)
      for (const { id, verdict, findings, reason } of results)
        expect(['pass', 'untested'], `${id}: ${findings[0]?.message ?? reason}`).toContain(verdict)
    })
})
