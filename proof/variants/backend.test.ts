import { expect, test } from 'vitest'
import { MintFailure } from '../../fixtures/backend/mint-client.ts'
import type { BackendPolicy } from '../../fixtures/backend/policy.ts'
import { mintsForItself } from '../../fixtures/variants/backend.ts'
import admitsNoForeignOrigin from '../../suites/backend/admits-no-foreign-origin.ts'
import ignoresIds from '../../suites/backend/ignores-ids-in-request.ts'
import keepsKey from '../../suites/backend/keeps-key-from-redirects.ts'
import { cacheUntil } from '../../suites/backend/lib/variant-caches.ts'
import { followRedirects } from '../../suites/backend/lib/variant-redirects.ts'
import mintsExactId from '../../suites/backend/mints-for-the-exact-id.ts'
import neverExposesKey from '../../suites/backend/never-exposes-api-key.ts'
import preventsCaching from '../../suites/backend/prevents-shared-caching.ts'
import recordsRateLimit from '../../suites/backend/records-rate-limit.ts'
import returnsToken from '../../suites/backend/returns-token-field.ts'
import usesOneId from '../../suites/backend/uses-one-id-per-user.ts'
import verifiesCertificate from '../../suites/backend/verifies-mint-certificate.ts'
import connectsEndToEnd from '../../suites/flow/connects-end-to-end.ts'
import keepsSecrets from '../../suites/flow/keeps-secrets-on-permitted-hops.ts'
import logsNoSecrets from '../../suites/flow/logs-no-secrets.ts'
import rejectsFailures from '../../suites/flow/rejects-when-minting-fails.ts'
import { judge, judgeInTurn } from './testing/prove.ts'

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
    expect(await judge(check, { backend: { success } })).toMatchObject({ verdict })
  },
)

test('a backend that fails once at first, and mints for another id than the file names, believes no request', async () => {
  let asked = 0
  const unavailable = { status: 502, headers: {}, body: '{"error":"no calling"}' }
  const { verdict, findings } = await judge(ignoresIds, {
    backend: {
      userId: ({ userId }) => `usr_${userId}`,
      answer(usual) {
        asked += 1
        return asked === 1 ? unavailable : usual
      },
    },
  })
  expect(verdict).toBe('pass')
  expect(findings.filter((one) => one.verdict === 'fail')).toEqual([])
})

test('a backend that mints for a new id each time is accused by BACK-05, and not of believing the request', async () => {
  let count = 0
  const results = await judgeInTurn([ignoresIds, usesOneId], {
    backend: {
      userId({ userId }) {
        count += 1
        return `${userId}-${count}`
      },
    },
  })
  expect(results.map(({ verdict }) => verdict)).toEqual(['pass', 'fail'])
})

test('a backend that also mints for its own technical user passes BACK-04', async () => {
  expect(await judge(ignoresIds, mintsForItself)).toMatchObject({ verdict: 'pass' })
})

test('a backend that serves everyone reads no session from a cookie', async () => {
  const result = await judge(admitsNoForeignOrigin, {
    backend: { callingToken: (_, { mint }) => mint('u-guest') },
  })
  expect(result).toMatchObject({ verdict: 'pass', observations: { 'backend.sessionInCookie': false } })
})

test('a backend that drops its key for another host name, and not for another port, keeps it from other origins', async () => {
  const callMint = followRedirects({
    change: (url, { authorization, ...headers }) =>
      url.hostname === '127.0.0.1' ? { ...headers, authorization: authorization ?? '' } : headers,
  })
  const observations = { 'backend.redirect307': 'followed to another origin' }
  expect(await judge(keepsKey, { backend: { callMint } })).toMatchObject({ verdict: 'pass', observations })
})

test('a key that only the double has echoed into the log of the backend is no finding', async () => {
  let said = ''
  const [, logs] = await judgeInTurn([neverExposesKey, logsNoSecrets], {
    backend: {
      mintFailed(usual, { reply }) {
        said = reply?.body ?? ''
        return usual
      },
      logLine: ({ method, headers }, { status }) =>
        `${method} ${status} ${headers['user-agent']}${status === 502 ? ` the mint said ${said}` : ''}`,
    },
  })
  const key = logs?.findings.filter(({ message }) => message.includes('an API key'))
  expect({ isSaid: said !== '', verdict: logs?.verdict, key }).toEqual({
    isSaid: true,
    verdict: 'pass',
    key: [],
  })
})

test.each([
  ['untested', []],
  ['info', [{ what: 'logs', reason: 'requests are counted, not logged' }]],
] as const)('logs without a request are %s where %j is declared absent', async (verdict, absent) => {
  const silent = { logLine: () => '' }
  const variant = { mint: silent, backend: silent, signaling: silent, configuration: { absent } }
  expect(await judge(logsNoSecrets, variant)).toMatchObject({ verdict })
})

test('an id that the file alone writes in other letters warns, and says where to correct it', async () => {
  const configuration = { backend: { sessions: { odd: null, alice: { userId: 'U-ALICE' } } } }
  const { verdict, findings } = await judge(mintsExactId, { configuration })
  expect(verdict).toBe('warn')
  expect(findings.map(({ message }) => message).join()).toContain('correct backend.sessions.alice.userId')
})

test('FLOW-06 says of a backend that hangs that it did not answer', async () => {
  let asked = 0
  const recall: BackendPolicy['recall'] = (_, __, usual) => {
    asked += 1
    // It is asked once more behind a control.
    return asked === 2 || asked === 4 ? new Promise(() => {}) : usual()
  }
  const configuration = { limits: { requestSeconds: 8 } }
  expect(await judge(rejectsFailures, { backend: { recall }, configuration })).toMatchObject({
    verdict: 'untested',
    reason: 'the backend did not answer within 8 s without calling the mint',
  })
})

test('a backend that rejects every request leaves FLOW-04 unjudged, without a defect of the suite', async () => {
  const answer = () => ({ status: 503, headers: {}, body: '' })
  const result = await judge(keepsSecrets, { backend: { answer } })
  expect(result).toMatchObject({
    verdict: 'error',
    reason: expect.stringContaining('no user was given a token: the backend answered 503'),
    cause: { part: 'backend', unavailable: 'failing' },
  })
  expect(result.defect).toBeUndefined()
})

test.each([
  ['verifies certificates', {}, 'pass'],
  ['does not verify the name', { checkServerIdentity: () => undefined }, 'fail'],
] as const)(
  'a circuit that one failure opens is waited out for each certificate where a backend %s',
  async (_, mintTls, verdict) => {
    let openUntil = 0
    const tokenFor: BackendPolicy['tokenFor'] = async (userId, { mint }) => {
      if (Date.now() < openUntil) throw new MintFailure('the circuit is open')
      try {
        return await mint(userId)
      } catch (error) {
        openUntil = Date.now() + 1500
        throw error
      }
    }
    const variant = { backend: { mintTls, tokenFor } }
    expect(await judge(verifiesCertificate, variant, { withSecureDouble: true })).toMatchObject({ verdict })
  },
)

test('a backend without a limit serves each of the 60 requests', async () => {
  expect(await judge(recordsRateLimit, {})).toMatchObject({
    verdict: 'info',
    observations: {
      'backend.rateLimitOfASession': expect.stringMatching(
        /^none: 60 requests got a token within \d+\.\d s$/,
      ),
      'backend.mintCallsOfASession': '60 for 60 tokens',
    },
  })
})

test('a backend that keeps tokens calls the mint no more', async () => {
  const { observations } = await judge(recordsRateLimit, {
    backend: cacheUntil(({ expiresAt }) => expiresAt),
  })
  expect(observations['backend.mintCallsOfASession']).toBe('0 for 60 tokens')
})

test.each([429, 403, 503])('a backend that answers %i from the 21st request on', async (status) => {
  let count = 0
  const answer: BackendPolicy['answer'] = (usual) => {
    count += 1
    // One request goes before the 60.
    return count === 22 ? { status, headers: { 'retry-after': '1' }, body: '{"error":"too many"}' } : usual
  }
  expect(await judge(recordsRateLimit, { backend: { answer } })).toMatchObject({
    verdict: 'info',
    observations: {
      'backend.rateLimitOfASession': expect.stringMatching(
        new RegExp(`^status ${status} for request 21 within \\d+\\.\\d s, Retry-After: 1$`),
      ),
      'backend.mintCallsOfASession': '21 for 20 tokens',
      'backend.servedAgainAfterRateLimit': expect.stringMatching(/^after \d+\.\d s$/),
    },
  })
})
