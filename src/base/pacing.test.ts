import { describe, expect, test } from 'vitest'
import type { Clock } from './clock.ts'
import { defaultLimits } from './limits.ts'
import { asAsker, createPacer, createPacers, mostAtOnce, type PaceLimit } from './pacing.ts'

/** A clock that is moved on as soon as it is waited for. */
function leapingClock(): Clock {
  let now = 0
  return {
    monotonic: () => now,
    wall: () => now,
    async until(instant) {
      now = Math.max(now, instant)
      await Promise.resolve()
    },
  }
}

/** When each of some requests began, and how many were under way at most. */
async function begun(limit: PaceLimit, count: number, { isFirst = true, lastsMs = 0 } = {}) {
  const clock = leapingClock()
  const pacer = createPacer(limit, clock, isFirst)
  const times: number[] = []
  let underWay = 0
  let most = 0
  await Promise.all(
    Array.from({ length: count }, () =>
      pacer.run(async () => {
        times.push(clock.monotonic())
        most = Math.max(most, ++underWay)
        await clock.until(clock.monotonic() + lastsMs)
        underWay -= 1
      }),
    ),
  )
  return { times, most }
}

/** The most that begin within any second. */
function mostInSecond(times: readonly number[]): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length))
}

describe('a pace', () => {
  test.each([
    [{ perSecond: 5 }, 40],
    [{ perSecond: 5, atOnce: 2 }, 40],
    [{ perSecond: 5, atOnce: 5 }, 40],
    [{ perSecond: 7, atOnce: 3 }, 40],
    [{ perSecond: 2, atOnce: 10 }, 20],
  ])('keeps %o in every second', async (limit, count) => {
    const { times } = await begun(limit, count)
    expect(times).toHaveLength(count)
    expect(mostInSecond(times)).toBeLessThanOrEqual(limit.perSecond)
    // It is not slower than it has to be by much.
    expect((times.at(-1) ?? 0) / 1000).toBeLessThan((count / limit.perSecond) * 1.6)
  })

  test('below one in a second is kept as well', async () => {
    const { times } = await begun({ perSecond: 0.5 }, 3)
    expect(times.slice(1).map((at, index) => at - (times[index] ?? 0))).toEqual([2200, 2200])
  })

  test('spaces requests evenly, and begins as many together as may be under way', async () => {
    const alone = await begun({ perSecond: 10 }, 5)
    expect(new Set(alone.times).size).toBe(5)
    const pairs = await begun({ perSecond: 10, atOnce: 2 }, 6)
    expect(new Set(pairs.times).size).toBe(3)
  })

  test('counts what another process may have sent just before', async () => {
    const { times } = await begun({ perSecond: 5 }, 1, { isFirst: false })
    expect(times[0]).toBeGreaterThanOrEqual(1000)
  })

  test('bounds what is under way alone', async () => {
    expect((await begun({ atOnce: 3 }, 12, { lastsMs: 500 })).most).toBe(3)
  })
})

test('urgent requests go first, and askers take turns', async () => {
  const pacer = createPacer({ perSecond: 1 }, leapingClock())
  const order: string[] = []
  const ask = (name: string, isUrgent = false) =>
    asAsker({ name, isUrgent }, () => pacer.run(async () => void order.push(name)))
  await Promise.all([ask('a'), ask('a'), ask('a'), ask('b'), ask('c', true)])
  expect(order).toEqual(['c', 'a', 'b', 'a', 'a'])
})

test('a request that fails makes room', async () => {
  const pacer = createPacer({ atOnce: 1 }, leapingClock())
  await expect(pacer.run(() => Promise.reject(new Error('reset')))).rejects.toThrow('reset')
  expect(await pacer.run(async () => 'answer')).toBe('answer')
})

test('a call of a backend waits for the pace of the mint, too', async () => {
  const clock = leapingClock()
  const pacers = createPacers({ mint: { perSecond: 1 } }, clock, true)
  const times: number[] = []
  const ask = (part: string) => pacers.of(part)?.run(async () => void times.push(clock.monotonic()))
  await Promise.all([ask('mint'), ask('backend'), ask('mint')])
  expect(times).toEqual([0, 1100, 2200])
  expect(pacers.of('jwks')).toBeUndefined()
  expect(mostAtOnce({ mint: { atOnce: 3 }, backend: { atOnce: 9 } }, 'backend')).toBe(3)
  expect(mostAtOnce({ signaling: { perSecond: 9 } }, 'signaling')).toBe(1)
  expect(mostAtOnce(defaultLimits.pace, 'mint')).toBe(Number.POSITIVE_INFINITY)
})

test('requests that wait long for their turn are announced, once for all of them', async () => {
  const told: number[] = []
  const pacer = createPacer({ perSecond: 2 }, leapingClock(), true, ({ seconds }) => told.push(seconds))
  await Promise.all(Array.from({ length: 4 }, () => pacer.run(async () => null)))
  expect(told).toEqual([])
  await Promise.all(Array.from({ length: 20 }, () => pacer.run(async () => null)))
  expect(told).toEqual([4])
})
