import { expect, test } from 'vitest'
import type { Clock } from '../../base/clock.ts'
import { createSecrets } from '../../base/evidence/secrets.ts'
import { createLimiter } from '../../base/http/limiter.ts'
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
  const secrets = createSecrets()
  secrets.register('calling-jwt', genuine.jwt)
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
    secrets,
    clock,
    limiter: createLimiter(clock),
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

test('an attempt that is broken off is made once more', async () => {
  const { join, attack, bring } = createResetting()
  expect([await join(), await attack()]).toEqual([2, 2])
  bring(true)
  expect(await join()).toBe(1)
})

test('a refused upgrade that says when to come again is made again then', async () => {
  const limited = { type: 'http', code: 429, text: '429' } as const
  expect(await createResetting({ ...limited, retryAfter: '8' }, 8_000).join()).toBe(2)
  expect(await createResetting(limited, 8_000).join()).toBeGreaterThan(4)
})
