import { expect, test } from 'vitest'
import { createAnswerWait } from '../../base/answer-wait.ts'
import { type Clock, systemClock } from '../../base/clock.ts'
import { createRedactor } from '../../base/evidence/redact.ts'
import type { Answer, NoAnswer, Reply } from '../../base/http/client.ts'
import { createLimiter } from '../../base/limiter.ts'
import { createBackend } from './driver.ts'

const alice = { token: 'session-of-alice', userId: 'u-alice' }

function answerOf(status: number, json: object): Answer {
  return {
    kind: 'answer',
    status,
    statusText: '',
    headers: [],
    trailers: [],
    body: JSON.stringify(json),
    json,
    sent: '',
    sentAt: 0,
    receivedAt: 0,
    exchange: 'x1',
  }
}

const noAnswer: NoAnswer = {
  kind: 'no-answer',
  failure: 'timeout',
  message: 'did not answer',
  sentAt: 0,
  receivedAt: 0,
  exchange: 'x2',
}

/** A backend that fails between two instants, in milliseconds, with a clock that never waits. */
function createFailing(
  from: number,
  until: number,
  failure: Reply = answerOf(503, { error: 'the circuit is open' }),
) {
  let now = 0
  const clock: Clock = {
    monotonic: () => now,
    wall: () => now,
    async until(instant) {
      now = Math.max(now, instant)
    },
  }
  const answer = (): Reply =>
    now >= from && now < until ? failure : answerOf(200, { token: 'header.claims.signature' })
  const backend = createBackend({
    backend: { url: 'https://shop.test/calling/token', method: 'POST', sessions: { alice } },
    alice,
    http: { send: async () => answer(), [Symbol.asyncDispose]: async () => undefined },
    wait: createAnswerWait(),
    redactor: createRedactor(),
    clock,
    limits: { patienceSeconds: 20 },
    limiter: createLimiter(clock),
    mintLimiter: undefined,
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

test('judges no requirement by the silence of a backend at ordinary use', async () => {
  const { backend } = createFailing(0, Number.POSITIVE_INFINITY, noAnswer)
  await expect(backend.requestServed({ session: alice })).rejects.toThrow(
    'the backend did not answer, requested with a valid session',
  )
})

test('returns the failure of a backend that never serves', async () => {
  const { backend, now } = createFailing(0, Number.POSITIVE_INFINITY)
  expect(await backend.requestServed({ session: alice })).toMatchObject({ status: 503 })
  expect(now()).toBe(5_000)
})

test.each([
  ['has expired meanwhile', -1, true],
  ['still lives', 60, false],
])('a rejection of a session that %s: exp in %i s, inconclusive: %s', async (_, endsIn, isInconclusive) => {
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Date.now() / 1000 + endsIn
  const session = { token: `${encoded({ alg: 'HS256' })}.${encoded({ exp })}.c2ln`, userId: 'u-alice' }
  const backend = createBackend({
    backend: { url: 'https://shop.test/calling/token', method: 'POST', sessions: { alice: session } },
    alice: session,
    http: {
      send: async () => answerOf(401, { error: 'sign in' }),
      [Symbol.asyncDispose]: async () => undefined,
    },
    wait: createAnswerWait(),
    redactor: createRedactor(),
    clock: systemClock,
    limits: { patienceSeconds: 0 },
    limiter: createLimiter(systemClock),
    mintLimiter: undefined,
    onSuccess: () => undefined,
    isMintScripted: () => false,
    tellWait: () => undefined,
  })
  const outcome = await backend.request().catch((error: unknown) => error)
  expect(outcome instanceof Error).toBe(isInconclusive)
  if (isInconclusive) expect(String(outcome)).toMatch(/has expired, as its exp says: write its token as/)
})
