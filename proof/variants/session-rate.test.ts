import { expect, test } from 'vitest'
import type { BackendPolicy } from '../../fixtures/backend/policy.ts'
import { startReference } from '../../fixtures/stack.ts'
import { runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import { cacheUntil } from '../../suites/backend/lib/variant-caches.ts'
import recordsRateLimit from '../../suites/backend/records-rate-limit.ts'

async function judge(backend: Partial<BackendPolicy>, configuration: Record<string, unknown> = {}) {
  await using reference = await startReference({ variant: { backend, configuration } })
  await using session = await openSession(reference.configuration)
  const { verdict, reason, observations } = await runCheck(recordsRateLimit, session)
  return { verdict, reason, observations }
}

/** Every request behind the first so many is answered so, until the backend has refused some. */
function refuseAfter(most: number, status: number, refusals: number): Partial<BackendPolicy> {
  let count = 0
  return {
    answer(usual) {
      count += 1
      if (count <= most || count > most + refusals) return usual
      return { status, headers: { 'retry-after': '1' }, body: '{"error":"too many requests"}' }
    },
  }
}

test('a backend without a limit serves each of the 60 requests', async () => {
  expect(await judge({})).toMatchObject({
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
  const { observations } = await judge(cacheUntil(({ expiresAt }) => expiresAt))
  expect(observations['backend.mintCallsOfASession']).toBe('0 for 60 tokens')
})

// One request goes before the 60.
test.each([429, 403, 503])('a backend that answers %i from the 21st request on', async (status) => {
  const { verdict, observations } = await judge(refuseAfter(21, status, 1))
  expect({ verdict, observations }).toMatchObject({
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

test('a backend for which nothing was asked gets no request', async () => {
  let count = 0
  const { verdict, reason } = await judge(
    {
      answer(usual) {
        count += 1
        return usual
      },
    },
    { backend: { recordRateLimit: null } },
  )
  expect({ verdict, reason, count }).toEqual({
    verdict: 'not-applicable',
    reason: expect.stringContaining('write backend.recordRateLimit: true'),
    count: 0,
  })
})
