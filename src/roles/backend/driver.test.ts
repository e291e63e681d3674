import { expect, test } from 'vitest'
import { createSecrets } from '../../base/evidence/secrets.ts'
import type { Answer, NoAnswer, Reply } from '../../base/http/client.ts'
import { createLimiter } from '../../base/http/limiter.ts'
import { ControlLost } from '../../base/inconclusive.ts'
import { jumpingClock } from '../../base/testing/stepping-clock.ts'
import { createBackend, findEnded } from './driver.ts'

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

/** A backend with this answer for alice, on a clock that never waits. */
function createAnswering(answer: (now: number) => Reply, session = alice) {
  const { clock, pass } = jumpingClock()
  const backend = createBackend({
    backend: { url: 'https://shop.test/calling/token', method: 'POST', sessions: { alice: session } },
    alice: session,
    apiKey: undefined,
    http: { send: async () => answer(clock.monotonic()), [Symbol.asyncDispose]: async () => undefined },
    secrets: createSecrets(),
    clock,
    limits: { patienceSeconds: 20 },
    limiter: createLimiter(clock),
    mintLimiter: undefined,
    onSuccess: () => undefined,
    isMintScripted: () => false,
  })
  return { backend, now: clock.monotonic, pass }
}

/** It fails between two instants, in milliseconds. */
const createFailing = (
  from: number,
  until: number,
  failure: Reply = answerOf(503, { error: 'the circuit is open' }),
) =>
  createAnswering((now) =>
    now >= from && now < until ? failure : answerOf(200, { token: 'header.claims.signature' }),
  )

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

test('a backend that has served no session yet is not accused of a refusal', async () => {
  const { backend } = createAnswering(() => answerOf(403, { error: 'blocked' }))
  await expect(backend.requestServed({ session: alice })).rejects.toThrow(ControlLost)
})

test('waits for a backend that is slow to begin, as it waits for one that has served', async () => {
  const { backend } = createFailing(0, 3_000)
  expect(await backend.requestServed({ session: alice })).toMatchObject({ status: 200 })
})

test('judges no requirement by the silence of a backend at ordinary use', async () => {
  const silence = {
    kind: 'no-answer',
    failure: 'timeout',
    message: 'did not answer',
    exchange: 'x2',
  } as NoAnswer
  const { backend } = createFailing(0, Number.POSITIVE_INFINITY, silence)
  await expect(backend.requestServed({ session: alice })).rejects.toThrow(
    'the backend, asked with a valid session, did not answer',
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
  const session = {
    token: `${encoded({ alg: 'HS256' })}.${encoded({ exp: endsIn })}.c2ln`,
    userId: 'u-alice',
  }
  const { backend } = createAnswering(() => answerOf(401, { error: 'sign in' }), session)
  const outcome = await backend.request().catch((error: unknown) => error)
  expect(outcome instanceof Error).toBe(isInconclusive)
  if (isInconclusive) expect(String(outcome)).toMatch(/has expired \(exp\): write its token as/)
})

const session = (token: string) => ({ token, userId: `u-${token}` })

test('a session that gets no token has ended', async () => {
  const backend = {
    request: async ({ session: sent }: { readonly session?: unknown }) => sent,
    tokenOf: (sent: { readonly token: string }) => (sent.token === 'live' ? 'ey' : null),
  }
  const ended = await findEnded(backend as never, [session('live'), session('old')])
  expect(ended).toEqual([session('old')])
})

test('a session is sent as it is now, and not renewed meanwhile', async () => {
  const { backend } = createAnswering(() => answerOf(401, {}))
  const user = { ...session('old'), cookie: 'sid=1', everySeconds: 60, renew: async () => 'renewed' }
  expect(await backend.exactSession(user)).toEqual({
    token: 'renewed',
    userId: 'u-old',
    cookie: 'sid=1',
    everySeconds: 60,
  })
})

test('a backend that returns what it was sent serves no control', async () => {
  const echo = { ...answerOf(200, { token: 'Bearer session-of-alice' }), sent: 'Bearer session-of-alice' }
  const { backend } = createAnswering(() => echo)
  await expect(backend.token()).rejects.toThrow(ControlLost)
})
