import { expect, test } from 'vitest'
import { createAnswerWait } from '../../base/answer-wait.ts'
import type { Clock } from '../../base/clock.ts'
import { createRedactor } from '../../base/evidence/redact.ts'
import { createLimiter } from '../../base/limiter.ts'
import type { Attempt } from './attempt.ts'
import { createSignalingDriver } from './driver.ts'
import type { SignalingEvent } from './event-log.ts'

const genuine = { jwt: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.Z29vZHNpZ25hdHVyZQ', userId: 'u-alice' }
const forged = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.YmFkc2lnbmF0dXJl'

type Ending = Omit<SignalingEvent, 'at'>

/** Makes a driver of signaling that ends every connection in one way until it is up, with a clock that never waits. */
function createResetting(
  ending: Ending = { type: 'error', text: 'reset' },
  upAtMs = Number.POSITIVE_INFINITY,
) {
  let now = 0
  let attempts = 0
  let isUp = false
  const clock: Clock = {
    monotonic: () => now,
    wall: () => now,
    async until(instant) {
      now = Math.max(now, instant)
    },
  }
  const made = (): Attempt => {
    const base = { exchange: 'e1', unauthorized: false, summary: 'reset', startedAt: now, decidedAt: now }
    const socket = {
      events: [],
      ended: Promise.withResolvers<never>().promise,
      send: () => false,
      sendFrames: async () => null,
      isCompressed: false,
      evidence: () => 'e2',
      next: async () => null,
    }
    return isUp || now >= upAtMs
      ? {
          ...base,
          outcome: 'accepted',
          events: [],
          socket: { ...socket, [Symbol.asyncDispose]: async () => undefined },
        }
      : {
          ...base,
          outcome: 'refused',
          named: false,
          undecided: true,
          events: [{ ...ending, at: now }],
        }
  }
  const redactor = createRedactor()
  redactor.register('calling-jwt', genuine.jwt)
  const driver = createSignalingDriver({
    signaling: { url: 'wss://signaling.test', allowInsecureTransport: false },
    connector: {
      declaresUser: false,
      open: async () => 'unsendable' as const,
      composeMessages: () => [],
      signOf: () => null,
      async attempt() {
        attempts += 1
        now += 1
        return made()
      },
    },
    tokens: null,
    redactor,
    clock,
    limiter: createLimiter(clock),
    patienceSeconds: 20,
    wait: createAnswerWait(),
    usualMs: 6_000,
    quietMs: 0,
    tellWait: () => undefined,
  })
  const countedIn = async (run: () => Promise<unknown>) => {
    const before = attempts
    await run()
    return attempts - before
  }
  return {
    join: () => countedIn(() => driver.join(genuine)),
    attack: () => countedIn(() => driver.decide({ token: forged })),
    bring(up: boolean) {
      isUp = up
    },
  }
}

test('a part that breaks off every try of two fresh tokens is tried once for each further one', async () => {
  const { join, attack } = createResetting()
  expect([await join(), await join(), await join(), await attack()]).toEqual([6, 6, 1, 1])
})

test('one fresh token that is served shows that the part is up again', async () => {
  const { join, bring } = createResetting()
  expect([await join(), await join()]).toEqual([6, 6])
  bring(true)
  expect(await join()).toBe(1)
  bring(false)
  expect(await join()).toBe(6)
})

test('attacks that are broken off show nothing: a reset may be how they are rejected', async () => {
  const { join, attack } = createResetting()
  for (let count = 0; count < 3; count += 1) expect(await attack()).toBe(6)
  expect(await join()).toBe(6)
})

test('a refused upgrade that says when to come again is made again then', async () => {
  const limited = { type: 'http', code: 429, text: '429' } as const
  expect(await createResetting({ ...limited, retryAfter: '8' }, 8_000).join()).toBe(2)
  expect(await createResetting(limited, 8_000).join()).toBeGreaterThan(4)
})
