import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import ignoresIds from '../../suites/backend/ignores-ids-in-request.ts'
import keepsKey from '../../suites/backend/keeps-key-from-redirects.ts'
import { followRedirects } from '../../suites/backend/lib/variant-redirects.ts'
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

test('a backend that drops its key for another host name, and not for another port, keeps it from other origins', async () => {
  const stripsByHost = followRedirects({
    change: (url, { authorization, ...headers }) =>
      url.hostname === '127.0.0.1' ? { ...headers, authorization: authorization ?? '' } : headers,
  })
  await using reference = await startReference({ variant: { backend: { callMint: stripsByHost } } })
  await using session = await openSession(reference.configuration)
  const { verdict, observations } = await runCheck(keepsKey, session)
  expect({ verdict, followed: observations['backend.redirect307'] }).toEqual({
    verdict: 'pass',
    followed: 'followed to another origin',
  })
})
