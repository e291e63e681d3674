import { expect, test } from 'vitest'
import { createAnswerWait } from '../../base/answer-wait.ts'
import type { Clock } from '../../base/clock.ts'
import { createRedactor } from '../../base/evidence/redact.ts'
import type { Answer } from '../../base/http/client.ts'
import { createMutex } from '../../base/mutex.ts'
import { createRateLimitRetry } from '../../base/rate-limit-retry.ts'
import { createBackend } from './driver.ts'

const alice = { token: 'session-of-alice', userId: 'u-alice' }

/** A backend that fails between two instants, in milliseconds, with a clock that never waits. */
function createFailing(from: number, until: number) {
  let now = 0
  const clock: Clock = {
    monotonic: () => now,
    wall: () => now,
    async until(instant) {
      now = Math.max(now, instant)
    },
  }
  const answer = (): Answer => {
    const isFailing = now >= from && now < until
    const json = isFailing ? { error: 'the circuit is open' } : { token: 'header.claims.signature' }
    return {
      kind: 'answer',
      status: isFailing ? 503 : 200,
      statusText: '',
      headers: [],
      trailers: [],
      body: JSON.stringify(json),
      json,
      sent: '',
      sentAt: now,
      receivedAt: now,
      exchange: 'x1',
    }
  }
  const backend = createBackend({
    backend: { url: 'https://shop.test/calling/token', method: 'POST', sessions: { alice } },
    alice,
    http: { send: async () => answer(), [Symbol.asyncDispose]: async () => undefined },
    wait: createAnswerWait(),
    redactor: createRedactor(),
    mutex: createMutex(),
    clock,
    limits: { patienceSeconds: 20 },
    retryWhenLimited: createRateLimitRetry(clock),
    mintPace: undefined,
    onSuccess: () => undefined,
    isMintScripted: () => false,
    tellWait: () => undefined,
  })
  return {
    backend,
    now: () => now,
    pass(ms: number) {
      now += ms
    },
  }
}

test('waits for a circuit breaker that stays open for a minute', async () => {
  const { backend, pass } = createFailing(1_000, 61_000)
  await backend.token()
  pass(1_000)
  expect(await backend.token()).toMatchObject({ userId: 'u-alice' })
})

test('waits once for a backend that stays down', async () => {
  const { backend, now, pass } = createFailing(1_000, Number.POSITIVE_INFINITY)
  await backend.token()
  pass(1_000)
  await expect(backend.token()).rejects.toThrow('returned 503 without a token')
  const waited = now()
  await expect(backend.token()).rejects.toThrow('returned 503 without a token')
  expect([waited, now()]).toEqual([81_000, 81_000])
})

test('waits briefly for a backend that has served nothing', async () => {
  const { backend, now } = createFailing(0, Number.POSITIVE_INFINITY)
  await expect(backend.token()).rejects.toThrow('returned 503 without a token')
  expect(now()).toBe(5_000)
})

test('waits for a backend that is slow to begin, as it waits for one that has served', async () => {
  const { backend } = createFailing(0, 3_000)
  expect(await backend.requestServed({ session: alice })).toMatchObject({ status: 200 })
})

test('returns the failure of a backend that never serves', async () => {
  const { backend, now } = createFailing(0, Number.POSITIVE_INFINITY)
  expect(await backend.requestServed({ session: alice })).toMatchObject({ status: 503 })
  expect(now()).toBe(5_000)
})
