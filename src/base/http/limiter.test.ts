import { expect, test } from 'vitest'
import type { Clock } from '../clock.ts'
import { steppingClock } from '../testing/stepping-clock.ts'
import {
  away,
  createLimiter,
  createPacers,
  findPaceGap,
  type Limiter,
  mostAtOnce,
  retryAfterSeconds,
  type TooSoon,
} from './limiter.ts'
import { defaultLimits } from './limits.ts'

/** A limiter by a clock that is moved on when everything waits. */
function createPlayed(options?: Parameters<typeof createLimiter>[1]) {
  const stepping = steppingClock()
  return { ...stepping, limiter: createLimiter(stepping.clock, options) }
}

const sure = (status: number): TooSoon | null => (status === 429 ? { seconds: 1, isSure: true } : null)
const unsure = (status: number): TooSoon | null => (status === 503 ? { seconds: 1, isSure: false } : null)

/** Services that limit their clients; each answers after 5 ms. */
const limiters: Readonly<Record<string, (clock: Clock) => () => Promise<number>>> = {
  ...Object.fromEntries(
    [2, 10, 40].flatMap((most) => [
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

test.each(Object.keys(limiters))('%s: each of 200 requests is served, nothing configured', async (name) => {
  const { clock, settle } = steppingClock()
  const ask = limiters[name]?.(clock) ?? (async () => 0)
  const limiter = createLimiter(clock)
  const outcomes = await settle(Promise.all(Array.from({ length: 200 }, () => limiter.send(ask, sure))))
  expect(outcomes.filter((status) => status !== 200)).toEqual([])
  const most = Number(/\d+ (?:in|a second)/.exec(name)?.[0].split(' ')[0] ?? 100)
  expect(limiter.met()?.repeated).toBeGreaterThan(0)
  expect(clock.monotonic()).toBeLessThan((200 / most) * 1000 * 3 + 20_000)
})

test('a request with a token goes before those that waited for longer', async () => {
  const { clock, settle, limiter } = createPlayed()
  const ask = sliding(2)(clock)
  const ordinary = Array.from({ length: 60 }, () => limiter.send(ask, sure))
  const withToken = async () => {
    await clock.until(clock.monotonic() + 3_000)
    const begun = clock.monotonic()
    await limiter.send(ask, sure, true)
    return clock.monotonic() - begun
  }
  const [waited] = await settle(Promise.all([withToken(), ...ordinary]))
  expect(waited).toBeLessThan(5_000)
  expect(clock.monotonic()).toBeGreaterThan(20_000)
})

test('slows nothing down before a limit is met', async () => {
  const { clock, settle, limiter } = createPlayed()
  await settle(Promise.all(Array.from({ length: 500 }, () => limiter.send(async () => 200, sure))))
  expect({ waited: clock.monotonic(), met: limiter.met() }).toEqual({ waited: 0, met: null })
})

const asked = async (limiter: Limiter, status: number, read = sure) => {
  let count = 0
  const outcome = await limiter.send(async () => {
    count += 1
    return status
  }, read)
  return { outcome, count }
}

test('a refusal that does not end is soon taken for the answer, and then nothing is waited for', async () => {
  const { clock, settle, limiter } = createPlayed()
  expect((await settle(asked(limiter, 429))).outcome).toBe(429)
  const waited = clock.monotonic()
  expect(waited).toBeLessThan(25_000)
  expect(await settle(asked(limiter, 429))).toEqual({ outcome: 429, count: 1 })
  expect(clock.monotonic()).toBeLessThan(waited + 3_000)
})

test('a wait that is longer than the patience is not begun', async () => {
  const { clock, settle } = steppingClock()
  const read = () => ({ seconds: 60, isSure: true })
  expect(await settle(asked(createLimiter(clock), 429, read))).toEqual({ outcome: 429, count: 1 })
  expect(clock.monotonic()).toBe(0)
})

test('503 for one request while others are served is its answer, and from then on always', async () => {
  const { clock, settle, limiter } = createPlayed()
  let isOver = false
  const others = async () => {
    while (!isOver) {
      await limiter.send(async () => 200, unsure)
      await clock.until(clock.monotonic() + 50)
    }
  }
  const cases = async () => {
    const counts: number[] = []
    for (let time = 0; time < 3; time += 1) counts.push((await asked(limiter, 503, unsure)).count)
    isOver = true
    return counts
  }
  const [counts] = await settle(Promise.all([cases(), others()]))
  expect(counts[0]).toBeGreaterThan(1)
  expect(counts.slice(1)).toEqual([1, 1])
})

test('a Retry-After that is no number of seconds counts as one', () => {
  expect(['7', '0.5', '0', 'Wed, 21 Oct 2026 07:28:00 GMT', undefined].map(retryAfterSeconds)).toEqual([
    7, 0.5, 1, 1, 1,
  ])
})

test('a part whose 503 is no limit costs its patience once where it answers so to everything', async () => {
  const { clock, settle, limiter } = createPlayed({ patienceSeconds: 20 })
  const ask = async () => {
    await clock.until(clock.monotonic() + 5)
    return 503
  }
  const all = Array.from({ length: 300 }, () => limiter.send(ask, unsure))
  expect(new Set(await settle(Promise.all(all)))).toEqual(new Set([503]))
  expect(clock.monotonic()).toBeLessThan(60_000)
  expect(limiter.met()).toBeNull()
})

test('a part whose 503 is no limit is not slowed down for long where it answers so to every third request', async () => {
  const { clock, settle, limiter } = createPlayed({ patienceSeconds: 20 })
  let count = 0
  const ask = async () => {
    await clock.until(clock.monotonic() + 5)
    count += 1
    return count % 3 === 0 ? 503 : 200
  }
  for (let request = 0; request < 300; request++) await settle(limiter.send(ask, unsure))
  expect(clock.monotonic()).toBeLessThan(60_000)
  expect(limiter.met()).toBeNull()
})

test('a call of a backend waits for the pace of the mint, too', async () => {
  const { clock, settle } = steppingClock()
  const pacers = createPacers({ mint: { perSecond: 1 } }, clock, true)
  const times: number[] = []
  const ask = (part: string) => pacers.of(part)?.run(async () => void times.push(clock.monotonic()))
  await settle(Promise.all([ask('mint'), ask('backend'), ask('mint')]))
  expect(times).toEqual([0, 1100, 2200])
  expect(pacers.of('jwks')).toBeUndefined()
  expect(mostAtOnce({ mint: { atOnce: 3 }, backend: { atOnce: 9 } }, 'backend')).toBe(3)
  expect(mostAtOnce({ signaling: { perSecond: 9 } }, 'signaling')).toBe(1)
  expect(mostAtOnce(defaultLimits.pace, 'mint')).toBe(Number.POSITIVE_INFINITY)
})

function banned(lastsMs: number, patienceSeconds = 20) {
  const { clock, settle, limiter } = createPlayed({ patienceSeconds })
  const begun = clock.monotonic()
  const asked = { times: 0 }
  const isServed = async () => {
    asked.times += 1
    return clock.monotonic() >= begun + lastsMs
  }
  return { clock, limiter, asked, outlast: () => settle(limiter.outlastBan(isServed)) }
}

test('a ban of everyone is waited for by all together, and slows the requests behind it', async () => {
  const { clock, limiter, asked, outlast } = banned(60_000)
  expect(await Promise.all([outlast(), outlast(), outlast()])).toEqual([true, true, true])
  expect([clock.monotonic(), asked.times]).toEqual([60_000, 30])
  expect(limiter.met()).toEqual({ repeated: 0, waitedSeconds: 0, bannedSeconds: 60 })
})

test('a ban of everyone without an end is waited for once', async () => {
  const { clock, limiter, outlast } = banned(Number.POSITIVE_INFINITY)
  expect([await outlast(), await outlast()]).toEqual([false, false])
  expect([clock.monotonic(), limiter.met()]).toEqual([80_000, null])
})

test('a ban of everyone is not waited for without patience', async () => {
  const { clock, outlast } = banned(1_000, 0)
  expect([await outlast(), clock.monotonic()]).toEqual([false, 0])
})

test('a refused connection is tried again within the patience, and not again where that was in vain before', async () => {
  const { clock, settle, limiter } = createPlayed({ patienceSeconds: 5 })
  let upAt = 2_000
  const ask = async () => (clock.monotonic() >= upAt ? 'served' : 'refused')
  const send = () => settle(limiter.send(ask, (outcome) => (outcome === 'refused' ? away : null)))
  expect([await send(), clock.monotonic()]).toEqual(['served', 2_000])
  upAt = Number.POSITIVE_INFINITY
  expect([await send(), clock.monotonic()]).toEqual(['refused', 7_000])
  expect([await send(), clock.monotonic()]).toEqual(['refused', 7_000])
})

test('a pace that allows too few requests at once is a gap, with the key to raise', () => {
  expect(findPaceGap({ backend: 100 }, { backend: { perSecond: 5, atOnce: 2 } })).toBe(
    'limits.pace allows 2 requests at once to backend; needs 100 (limits.pace.backend.atOnce)',
  )
  // Each call of a backend costs one of the mint.
  expect(findPaceGap({ backend: 2 }, { mint: { atOnce: 1 } })).toMatch(/allows 1 request at once/)
  expect(findPaceGap({ signaling: 4 }, { backend: { atOnce: 2 } })).toBeNull()
})
