import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import ignoresIds from '../../suites/backend/ignores-ids-in-request.ts'
import { runCheck } from '../requirement/run.ts'
import { openSession } from '../requirement/session.ts'

test('a backend that mints for another id than the file names believes no request by that', async () => {
  await using reference = await startReference({
    variant: { backend: { userId: ({ userId }) => `usr_${userId}` } },
  })
  await using session = await openSession(reference.configuration)
  const { verdict, findings } = await runCheck(ignoresIds, session)
  expect({ verdict, fails: findings.filter((one) => one.verdict === 'fail') }).toEqual({
    verdict: 'pass',
    fails: [],
  })
})
