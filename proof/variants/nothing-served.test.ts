import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import flow04 from '../../suites/flow/keeps-secrets-on-permitted-hops.ts'

test('a backend that rejects every request leaves FLOW-04 unjudged, without a defect of the suite', async () => {
  const answer = () => ({ status: 503, headers: {}, body: '' })
  await using reference = await startReference({ variant: { backend: { answer } } })
  await using session = await openSession(reference.configuration, { seed: 7 })
  const { verdict, reason, defect, cause } = await runCheck(flow04, session)
  expect({ verdict, defect, cause }).toEqual({
    verdict: 'error',
    defect: undefined,
    cause: { part: 'backend', unavailable: 'failing' },
  })
  expect(reason).toContain('no user was given a token: the backend answered 503')
})
