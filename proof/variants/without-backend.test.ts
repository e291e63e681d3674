import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import type { Configuration } from '../../src/configuration/configuration.ts'
import { runCheck, sortByStage } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'

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
  const results = await Promise.all(sortByStage(checks).map((check) => runCheck(check, session)))
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
