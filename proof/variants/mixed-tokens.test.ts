import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { waitForCause } from '../../src/reports/wait-for-cause.ts'
import { runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import keepsTokensApart from '../../suites/client/keeps-tokens-apart.ts'
import mintsAgainWhenRejected from '../../suites/client/mints-again-when-rejected.ts'

test('a client that offers its session to signaling is one violation, for which the others wait', async () => {
  await using reference = await startReference({
    variant: { client: { form: 'program', variant: 'session as the credential of signaling' } },
    withClient: true,
  })
  await using session = await openSession(reference.configuration)
  const results = await Promise.all(
    [keepsTokensApart, mintsAgainWhenRejected].map((check) => runCheck(check, session)),
  )
  const [apart, renewal] = waitForCause(results, session.journal.drain())
  expect(apart?.findings.map(({ verdict }) => verdict)).toEqual(['fail'])
  expect(renewal?.reason).toContain('waits for CLI-02')
})
