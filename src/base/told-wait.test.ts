import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tellingWait } from './told-wait.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

test.each([
  ['a wait after three seconds', 8_000, 15_000, ['waiting for the backend (up to 15 s)']],
  ['nothing of an answer that comes sooner', 2_900, 15_000, []],
  ['nothing of a wait that is bounded by less', 5_000, 2_000, []],
])('tells %s', async (_, ms, longestMs, told) => {
  const lines: string[] = []
  const done = Promise.withResolvers<void>()
  const waiting = tellingWait(() => done.promise, {
    what: 'waiting for the backend',
    longestMs,
    tell: (line) => lines.push(line),
  })
  await vi.advanceTimersByTimeAsync(ms)
  done.resolve()
  await waiting
  expect(lines).toEqual(told)
})
