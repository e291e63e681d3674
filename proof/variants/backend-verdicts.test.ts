import { expect, test } from 'vitest'
import { MintFailure } from '../../fixtures/backend/mint-client.ts'
import { startReference } from '../../fixtures/stack.ts'
import { mintsForItself } from '../../fixtures/variants/mints-for-itself.ts'
import { runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import admitsNoForeignOrigin from '../../suites/backend/admits-no-foreign-origin.ts'
import ignoresIds from '../../suites/backend/ignores-ids-in-request.ts'
import keepsKey from '../../suites/backend/keeps-key-from-redirects.ts'
import { followRedirects } from '../../suites/backend/lib/variant-redirects.ts'
import mintsExactId from '../../suites/backend/mints-for-the-exact-id.ts'
import neverExposesKey from '../../suites/backend/never-exposes-api-key.ts'
import preventsCaching from '../../suites/backend/prevents-shared-caching.ts'
import returnsToken from '../../suites/backend/returns-token-field.ts'
import usesOneId from '../../suites/backend/uses-one-id-per-user.ts'
import verifiesCertificate from '../../suites/backend/verifies-mint-certificate.ts'
import connectsEndToEnd from '../../suites/flow/connects-end-to-end.ts'
import logsNoSecrets from '../../suites/flow/logs-no-secrets.ts'
import rejectsFailures from '../../suites/flow/rejects-when-minting-fails.ts'

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

test.each([
  [returnsToken, 'fail'],
  [preventsCaching, 'untested'],
  [admitsNoForeignOrigin, 'untested'],
  [ignoresIds, 'untested'],
  [connectsEndToEnd, 'untested'],
] as const)(
  'a backend that wraps the token in an object is accused by BACK-01 alone (%#)',
  async (check, verdict) => {
    const success = (_: unknown, { token }: { readonly token: unknown }) => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: { value: token } }),
    })
    await using reference = await startReference({ variant: { backend: { success } } })
    await using session = await openSession(reference.configuration)
    expect((await runCheck(check, session)).verdict).toBe(verdict)
  },
)

test('a backend that fails once at first, and mints for another id than the file names, believes no request', async () => {
  let asked = 0
  const unavailable = { status: 502, headers: {}, body: '{"error":"no calling"}' }
  await using reference = await startReference({
    variant: {
      backend: {
        userId: ({ userId }) => `usr_${userId}`,
        answer(usual) {
          asked += 1
          return asked === 1 ? unavailable : usual
        },
      },
    },
  })
  await using session = await openSession(reference.configuration)
  expect((await runCheck(ignoresIds, session)).verdict).toBe('pass')
})

test('a backend that mints for a new id each time is accused by BACK-05, and not of believing the request', async () => {
  let count = 0
  await using reference = await startReference({
    variant: {
      backend: {
        userId({ userId }) {
          count += 1
          return `${userId}-${count}`
        },
      },
    },
  })
  await using session = await openSession(reference.configuration)
  const verdicts = [await runCheck(ignoresIds, session), await runCheck(usesOneId, session)]
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(['pass', 'fail'])
})

test('a backend that also mints for its own technical user passes BACK-04', async () => {
  await using reference = await startReference({ variant: mintsForItself })
  await using session = await openSession(reference.configuration)
  expect((await runCheck(ignoresIds, session)).verdict).toBe('pass')
})

test('a backend that serves everyone reads no session from a cookie', async () => {
  await using reference = await startReference({
    variant: { backend: { callingToken: (_, { mint }) => mint('u-guest') } },
  })
  await using session = await openSession(reference.configuration)
  const { verdict, observations } = await runCheck(admitsNoForeignOrigin, session)
  expect({ verdict, inCookie: observations['backend.sessionInCookie'] }).toEqual({
    verdict: 'pass',
    inCookie: false,
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

test('a key that only the double has echoed into the log of the backend is no finding', async () => {
  let said = ''
  await using reference = await startReference({
    variant: {
      backend: {
        mintFailed(usual, { reply }) {
          said = reply?.body ?? ''
          return usual
        },
        logLine: ({ method, headers }, { status }) =>
          `${method} ${status} ${headers['user-agent']}${status === 502 ? ` the mint said ${said}` : ''}`,
      },
    },
  })
  await using session = await openSession(reference.configuration)
  await runCheck(neverExposesKey, session)
  const { verdict, findings } = await runCheck(logsNoSecrets, session)
  const key = findings.filter(({ message }) => message.includes('an API key'))
  expect({ isSaid: said !== '', verdict, key }).toEqual({ isSaid: true, verdict: 'pass', key: [] })
})

test('logs without a request are untested, and recorded only where that is declared', async () => {
  const silent = { logLine: () => '' }
  const verdicts = await Promise.all(
    [[], [{ what: 'logs', reason: 'requests are counted, not logged' }]].map(async (absent) => {
      await using reference = await startReference({
        variant: { mint: silent, backend: silent, signaling: silent, configuration: { absent } },
      })
      await using session = await openSession(reference.configuration)
      return (await runCheck(logsNoSecrets, session)).verdict
    }),
  )
  expect(verdicts).toEqual(['untested', 'info'])
})

test('BACK-27 says beside a violation nothing of users that the file does not list', async () => {
  const variant = mintsExactId.catches['mints for ids in small letters, where sessions name them otherwise']
  await using reference = await startReference({ variant: variant ?? {} })
  await using session = await openSession(reference.configuration)
  expect(await runCheck(mintsExactId, session)).toMatchObject({ verdict: 'fail', reason: null })
})

test('FLOW-06 says of a backend that hangs that it did not answer', async () => {
  let asked = 0
  await using reference = await startReference({
    variant: {
      backend: {
        recall(_, __, usual) {
          asked += 1
          return asked === 2 ? new Promise(() => {}) : usual()
        },
      },
      configuration: { limits: { requestSeconds: 8 } },
    },
  })
  await using session = await openSession(reference.configuration)
  expect(await runCheck(rejectsFailures, session)).toMatchObject({
    verdict: 'untested',
    reason: 'the backend did not answer within 8 s without calling the mint',
  })
})

test.each([
  ['verifies certificates', {}, 'pass'],
  ['does not verify the name', { checkServerIdentity: () => undefined }, 'fail'],
] as const)(
  'a circuit that one failure opens is waited out for each certificate where a backend %s',
  async (_, mintTls, verdict) => {
    let openUntil = 0
    await using reference = await startReference({
      withSecureDouble: true,
      variant: {
        backend: {
          mintTls,
          async tokenFor(userId, { mint }) {
            if (Date.now() < openUntil) throw new MintFailure('the circuit is open')
            try {
              return await mint(userId)
            } catch (error) {
              openUntil = Date.now() + 1500
              throw error
            }
          },
        },
      },
    })
    await using session = await openSession(reference.configuration, reference.session)
    expect((await runCheck(verifiesCertificate, session)).verdict).toBe(verdict)
  },
)
