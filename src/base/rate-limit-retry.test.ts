import { describe, expect, test } from 'vitest'
import type { Clock } from './clock.ts'
import {
  createRateLimitRetry,
  type RateLimitRetry,
  retryAfterSeconds,
  type TooSoon,
} from './rate-limit-retry.ts'
import { steppingClock } from './testing/stepping-clock.ts'
import type { ToldWait } from './told-wait.ts'

const sure = (status: number): TooSoon | null => (status === 429 ? { seconds: 1, isSure: true } : null)
const unsure = (status: number): TooSoon | null => (status === 503 ? { seconds: 1, isSure: false } : null)

/** Services that limit their clients; each answers after 5 ms. */
const limiters: Readonly<Record<string, (clock: Clock) => () => Promise<number>>> = {
  ...Object.fromEntries(
    [2, 10, 40].flatMap((most) => [
      [`${most} in each second`, counting(most)],
      [`${most} in any second`, sliding(most)],
      [`a bucket of ${most * 2}, refilled by ${most} a second`, bucket(most)],
    ]),
  ),
  'one at a time': (clock) => {
    let isBusy = false
    return async () => {
      if (isBusy) return 429
      isBusy = true
      await clock.until(clock.monotonic() + 5)
      isBusy = false
      return 200
    }
  },
}

function counting(most: number) {
  return (clock: Clock) => {
    let [second, count] = [-1, 0]
    return async () => {
      const now = Math.floor(clock.monotonic() / 1000)
      if (now !== second) [second, count] = [now, 0]
      count += 1
      return await answered(clock, count <= most)
    }
  }
}

function sliding(most: number) {
  return (clock: Clock) => {
    let times: number[] = []
    return async () => {
      const now = clock.monotonic()
      times = times.filter((at) => at + 1000 > now)
      const isServed = times.length < most
      if (isServed) times.push(now)
      return await answered(clock, isServed)
    }
  }
}

function bucket(perSecond: number) {
  return (clock: Clock) => {
    let [tokens, at] = [perSecond * 2, 0]
    return async () => {
      const now = clock.monotonic()
      tokens = Math.min(perSecond * 2, tokens + ((now - at) * perSecond) / 1000)
      at = now
      const isServed = tokens >= 1
      if (isServed) tokens -= 1
      return await answered(clock, isServed)
    }
  }
}

async function answered(clock: Clock, isServed: boolean): Promise<number> {
  await clock.until(clock.monotonic() + 5)
  return isServed ? 200 : 429
}

describe('a part that limits its rate', () => {
  test.each(Object.keys(limiters))('%s: each of 200 requests is served, nothing configured', async (name) => {
    const { clock, settle } = steppingClock()
    const ask = limiters[name]?.(clock) ?? (async () => 0)
    const retry = createRateLimitRetry(clock)
    const outcomes = await settle(Promise.all(Array.from({ length: 200 }, () => retry(ask, sure))))
    expect(outcomes.filter((status) => status !== 200)).toEqual([])
    const most = Number(/\d+ (?:in|a second)/.exec(name)?.[0].split(' ')[0] ?? 100)
    expect(retry.met()?.repeated).toBeGreaterThan(0)
    expect(clock.monotonic()).toBeLessThan((200 / most) * 1000 * 3 + 20_000)
  })

  test.each(Object.keys(limiters))('%s, by 503: each request of some bursts is served', async (name) => {
    const { clock, settle } = steppingClock()
    const limited = limiters[name]?.(clock) ?? (async () => 0)
    const ask = async () => ((await limited()) === 429 ? 503 : 200)
    const retry = createRateLimitRetry(clock)
    // Some that follow each other beside the bursts, as requirements do that run at the same time.
    const inTurn = async () => {
      const outcomes: number[] = []
      for (let time = 0; time < 40; time += 1) outcomes.push(await retry(ask, unsure))
      return outcomes
    }
    const burst = async (afterMs: number) => {
      await clock.until(clock.monotonic() + afterMs)
      return await Promise.all(Array.from({ length: 50 }, () => retry(ask, unsure)))
    }
    const outcomes = await settle(
      Promise.all([inTurn(), inTurn(), inTurn(), burst(0), burst(2_500), burst(10_000)]),
    )
    expect(outcomes.flat().filter((status) => status !== 200)).toEqual([])
  })

  test('tells the requests that it repeated and the time in which some waited', async () => {
    const { clock, settle } = steppingClock()
    const retry = createRateLimitRetry(clock)
    let refused = 0
    const limited = bucket(10)(clock)
    const ask = async () => {
      const status = await limited()
      if (status === 429) refused += 1
      return status
    }
    await settle(Promise.all(Array.from({ length: 100 }, () => retry(ask, sure))))
    // The first requests met no limit; from then on some waited until the last had begun.
    expect(retry.met()?.repeated).toBe(refused)
    const [waited, seconds] = [retry.met()?.waitedSeconds ?? 0, clock.monotonic() / 1000]
    expect(waited).toBeGreaterThan(seconds * 0.9)
    expect(waited).toBeLessThanOrEqual(Math.ceil(seconds))
    await settle(clock.until(clock.monotonic() + 60_000))
    await settle(retry(ask, sure))
    expect(retry.met()?.waitedSeconds).toBe(waited)
  })

  test('a wait of more than three seconds is announced with its end', async () => {
    const { clock, settle } = steppingClock()
    const told: ToldWait[] = []
    const retry = createRateLimitRetry(clock, { patienceSeconds: 20 }, (wait) => told.push(wait))
    const limit = (seconds: number) => () =>
      clock.monotonic() < seconds * 1000 ? { seconds, isSure: true } : null
    await settle(retry(async () => null, limit(2)))
    expect(told).toEqual([])
    await settle(retry(async () => null, limit(8)))
    expect(told).toEqual([{ what: 'the end of a rate limit', seconds: 8 }])
  })

  test('requests that wait long for their turn are announced, once for all of them', async () => {
    const { clock, settle } = steppingClock()
    const told: ToldWait[] = []
    const retry = createRateLimitRetry(clock, { patienceSeconds: 20 }, (wait) => told.push(wait))
    const ask = counting(2)(clock)
    await settle(Promise.all([retry(ask, sure), retry(ask, sure), retry(ask, sure)]))
    expect(told).toEqual([])
    const begun = clock.monotonic()
    await settle(Promise.all(Array.from({ length: 40 }, () => retry(ask, sure))))
    expect(new Set(told.map(({ what }) => what))).toEqual(new Set(['its turn under the rate limit']))
    expect(told.length).toBeLessThan(12)
    const seconds = told.reduce((sum, wait) => sum + wait.seconds, 0)
    expect(seconds).toBeGreaterThan((clock.monotonic() - begun) / 1000 / 3)
  })

  test('a request with a token goes before those that waited for longer', async () => {
    const { clock, settle } = steppingClock()
    const retry = createRateLimitRetry(clock)
    const ask = counting(2)(clock)
    const ordinary = Array.from({ length: 60 }, () => retry(ask, sure))
    const withToken = async () => {
      await clock.until(clock.monotonic() + 3_000)
      const begun = clock.monotonic()
      await retry(ask, sure, 'first')
      return clock.monotonic() - begun
    }
    const [waited] = await settle(Promise.all([withToken(), ...ordinary]))
    expect(waited).toBeLessThan(5_000)
    expect(clock.monotonic()).toBeGreaterThan(20_000)
  })

  test('slows nothing down before a limit is met', async () => {
    const { clock, settle } = steppingClock()
    const retry = createRateLimitRetry(clock)
    await settle(Promise.all(Array.from({ length: 500 }, () => retry(async () => 200, sure))))
    expect({ waited: clock.monotonic(), met: retry.met() }).toEqual({ waited: 0, met: null })
  })
})

describe('a refusal that is no rate limit', () => {
  const asked = async (retry: RateLimitRetry, status: number, read = sure) => {
    let count = 0
    const outcome = await retry(async () => {
      count += 1
      return status
    }, read)
    return { outcome, count }
  }

  test('a refusal that does not end is soon taken for the answer, and then nothing is waited for', async () => {
    const { clock, settle } = steppingClock()
    const retry = createRateLimitRetry(clock)
    expect((await settle(asked(retry, 429))).outcome).toBe(429)
    const waited = clock.monotonic()
    expect(waited).toBeLessThan(25_000)
    expect(await settle(asked(retry, 429))).toEqual({ outcome: 429, count: 1 })
    expect(clock.monotonic()).toBeLessThan(waited + 3_000)
  })

  test('a wait that is longer than the patience is not begun', async () => {
    const { clock, settle } = steppingClock()
    const read = () => ({ seconds: 60, isSure: true })
    expect(await settle(asked(createRateLimitRetry(clock), 429, read))).toEqual({ outcome: 429, count: 1 })
    expect(clock.monotonic()).toBe(0)
  })

  test('503 for one request while others are served is its answer, and after two of them always', async () => {
    const { clock, settle } = steppingClock()
    const retry = createRateLimitRetry(clock)
    let isOver = false
    const others = async () => {
      while (!isOver) {
        await retry(async () => 200, unsure)
        await clock.until(clock.monotonic() + 50)
      }
    }
    const cases = async () => {
      const counts: number[] = []
      for (let time = 0; time < 4; time += 1) counts.push((await asked(retry, 503, unsure)).count)
      isOver = true
      return counts
    }
    const [counts] = await settle(Promise.all([cases(), others()]))
    expect(counts.slice(0, 2).every((count) => count > 1 && count < 10)).toBe(true)
    expect(counts.slice(2)).toEqual([1, 1])
  })
})

test('a Retry-After that is no number of seconds counts as one', () => {
  expect(['7', '0.5', '0', 'Wed, 21 Oct 2026 07:28:00 GMT', undefined].map(retryAfterSeconds)).toEqual([
    7, 0.5, 1, 1, 1,
  ])
})

describe('a part whose 503 is no limit', () => {
  test('costs its patience once where it answers so to everything', async () => {
    const { clock, settle } = steppingClock()
    const retry = createRateLimitRetry(clock, { patienceSeconds: 20 })
    const ask = async () => {
      await clock.until(clock.monotonic() + 5)
      return 503
    }
    const all = Array.from({ length: 300 }, () => retry(ask, unsure))
    expect(new Set(await settle(Promise.all(all)))).toEqual(new Set([503]))
    expect(clock.monotonic()).toBeLessThan(60_000)
    expect(retry.met()).toBeNull()
  })

  test('is not slowed down for long where it answers so to every third request', async () => {
    const { clock, settle } = steppingClock()
    const retry = createRateLimitRetry(clock, { patienceSeconds: 20 })
    let count = 0
    const ask = async () => {
      await clock.until(clock.monotonic() + 5)
      count += 1
      return count % 3 === 0 ? 503 : 200
    }
    for (let request = 0; request < 300; request++) await settle(retry(ask, unsure))
    expect(clock.monotonic()).toBeLessThan(60_000)
    expect(retry.met()).toBeNull()
  })
})
