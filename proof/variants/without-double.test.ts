import { describe, expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { loadVariants } from '../../src/catalogue/load-variants.ts'
import type { Configuration } from '../../src/configuration/configuration.ts'
import { runCheck, sortByTurn } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import { judgeTogether } from './testing/prove.ts'

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

describe('a conforming backend that calls its real mint is not accused', { concurrent: true }, () => {
  for (const [name, { variant }] of backends)
    test(name, async ({ expect }) => {
      const results = await judgeTogether(checks, variant, { withoutDouble: true })
      expect(results).toHaveLength(ids.length)
      for (const { id, verdict, findings, reason } of results)
        expect(['pass', 'untested'], `${id}: ${findings[0]?.message ?? reason}`).toContain(verdict)
    })
})

// The team of the service has no customer's backend, and must be able to reach the end of a run.

const endingRuns = ['untested', 'error', 'fail'] as const

/** The requirements that keep a run from exit code 0, of those that the filter lets through. */
async function findUnmet(absent: Configuration['absent'], ids?: readonly string[]) {
  await using reference = await startReference({})
  const { backend: _, client: __, ...configuration } = reference.configuration
  await using session = await openSession(
    { ...configuration, absent: [...configuration.absent, ...absent] },
    reference.session,
  )
  const checks = (await loadCatalogue(['mint', 'signaling'])).filter(({ id }) => ids?.includes(id) ?? true)
  const results = await Promise.all(sortByTurn(checks).map((check) => runCheck(check, session)))
  return results
    .filter(({ verdict }) => endingRuns.some((one) => one === verdict))
    .map(({ id, verdict }) => `${id} ${verdict}`)
}

test('a backend that is not configured leaves its parts untested', async () => {
  const unmet = await findUnmet([], ['MINT-07', 'SIG-04'])
  expect(unmet.sort()).toEqual(['MINT-07 untested', 'SIG-04 untested'])
})

test('every requirement of mint and signaling is met where the backend is declared absent', async () => {
  expect(await findUnmet([{ what: 'backend', reason: 'customers run it' }])).toEqual([])
})
