import { describe, expect, test } from 'vitest'
import type { Clock } from './clock.ts'
import { createRateLimitRetry, retryAfterSeconds } from './rate-limit-retry.ts'

/** A clock whose waits take no time. */
function scriptedClock(): Clock {
  let now = 0
  return {
    monotonic: () => now,
    wall: () => now,
    until: async (instant) => {
      now = Math.max(now, instant)
    },
  }
}

const limited = (status: number) => (status === 429 ? 1 : null)

describe('retries under a rate limit', () => {
  test('asks again until the limit has passed', async () => {
    const clock = scriptedClock()
    let asked = 0
    const outcome = await createRateLimitRetry(clock)(async () => (++asked < 4 ? 429 : 200), limited)
    expect({ outcome, asked, waited: clock.monotonic() }).toEqual({ outcome: 200, asked: 4, waited: 2000 })
  })

  test('takes a limit that does not end for the answer, and then waits no more', async () => {
    const clock = scriptedClock()
    const retryWhenLimited = createRateLimitRetry(clock)
    expect(await retryWhenLimited(async () => 429, limited)).toBe(429)
    const waited = clock.monotonic()
    expect(waited).toBe(20_000)
    expect(await retryWhenLimited(async () => 429, limited)).toBe(429)
    expect(clock.monotonic()).toBe(waited)
  })

  test('asks one thing at a time once a limit was met', async () => {
    const retryWhenLimited = createRateLimitRetry(scriptedClock())
    let first = true
    await retryWhenLimited(async () => {
      const outcome = first ? 429 : 200
      first = false
      return outcome
    }, limited)
    let running = 0
    let most = 0
    const ask = async () => {
      running += 1
      most = Math.max(most, running)
      await Promise.resolve()
      running -= 1
      return 200
    }
    await Promise.all([1, 2, 3].map(() => retryWhenLimited(ask, limited)))
    expect(most).toBe(1)
  })
})

test('a Retry-After that is no number of seconds counts as one', () => {
  expect(['7', '0.5', '0', 'Wed, 21 Oct 2026 07:28:00 GMT', undefined].map(retryAfterSeconds)).toEqual([
    7, 0.5, 1, 1, 1,
  ])
})
