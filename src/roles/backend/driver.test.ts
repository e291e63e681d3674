import { expect, test } from 'vitest'
import { createAnswerWait } from '../../base/answer-wait.ts'
import { type Clock, systemClock } from '../../base/clock.ts'
import { createRedactor } from '../../base/evidence/redact.ts'
import type { Answer, NoAnswer, Reply } from '../../base/http/client.ts'
import { createRateLimitRetry } from '../../base/rate-limit-retry.ts'
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

/** A backend behind a balancer with a dead node: requests of these numbers are never answered. */
function createWithDeadNode(dead: readonly number[], silences: number) {
  const wait = createAnswerWait()
  for (let count = 0; count < silences; count += 1)
    wait.note({ startedAt: count * 20_000, endedAt: count * 20_000 + 10_000, isSilent: true })
  let sent = 0
  let givenUp = 0
  const backend = createBackend({
    backend: { url: 'https://shop.test/calling/token', method: 'POST', sessions: { alice } },
    alice,
    http: {
      send: ({ givenUp: signal, deadlineMs }) => {
        sent += 1
        if (!dead.includes(sent)) return Promise.resolve(answerOf(200, { token: 'header.claims.signature' }))
        return new Promise((resolve) => {
          signal?.addEventListener('abort', () => {
            givenUp += 1
            resolve(noAnswer)
          })
          if (deadlineMs !== undefined || signal == null) resolve(noAnswer)
        })
      },
      [Symbol.asyncDispose]: async () => undefined,
    },
    wait,
    redactor: createRedactor(),
    clock: systemClock,
    limits: { patienceSeconds: 20 },
    retryWhenLimited: createRateLimitRetry(systemClock),
    mintPace: undefined,
    onSuccess: () => undefined,
    isMintScripted: () => false,
    tellWait: () => undefined,
  })
  return { backend, counts: () => ({ sent, givenUp }) }
}

test('a request that a dead node leaves without an answer is sent again beside it, and given up once there is an answer', async () => {
  const { backend, counts } = createWithDeadNode([1, 2], 6)
  expect(await backend.request()).toMatchObject({ kind: 'answer', status: 200 })
  expect(counts()).toEqual({ sent: 3, givenUp: 2 })
})

test('one of many that are under way is asked again after its silence', async () => {
  const { backend, counts } = createWithDeadNode([2, 3], 6)
  const replies = await Promise.all([backend.request(), backend.request()])
  expect(replies.map(({ kind }) => kind)).toEqual(['answer', 'answer'])
  expect(counts()).toEqual({ sent: 4, givenUp: 0 })
})

test('nothing is asked beside a part that is not often silent', async () => {
  const { backend, counts } = createWithDeadNode([1], 5)
  expect(await backend.request()).toMatchObject({ kind: 'no-answer' })
  expect(counts()).toEqual({ sent: 1, givenUp: 0 })
})

test('a request whose silence is judged is sent once, and one whose mint calls are counted again after its silence', async () => {
  const { backend, counts } = createWithDeadNode([1, 2], 6)
  expect(await backend.request({ deadlineMs: 5_000 })).toMatchObject({ kind: 'no-answer' })
  expect(counts()).toEqual({ sent: 1, givenUp: 0 })
  expect(await backend.request({ isAlone: true })).toMatchObject({ kind: 'answer' })
  expect(counts()).toEqual({ sent: 3, givenUp: 0 })
})

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
    retryWhenLimited: createRateLimitRetry(systemClock),
    mintPace: undefined,
    onSuccess: () => undefined,
    isMintScripted: () => false,
    tellWait: () => undefined,
  })
  const outcome = await backend.request().catch((error: unknown) => error)
  expect(outcome instanceof Error).toBe(isInconclusive)
  if (isInconclusive) expect(String(outcome)).toMatch(/has expired, as its exp says: write its token as/)
})
