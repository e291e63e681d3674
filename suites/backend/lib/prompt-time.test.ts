import { expect, test } from 'vitest'
import { countPromptTime } from './prompt-time.ts'

/** A machine on which every timer is late by this. */
function lateClock(lateMs: number) {
  let now = 0
  return {
    monotonic: () => now,
    async until(instant: number) {
      await new Promise(setImmediate)
      now = Math.max(now, instant) + lateMs
    },
  }
}

test.each([
  ['a quiet machine', 1, 1_000, 1_100],
  ['a machine that is ten times too slow', 360, 7_900, 8_100],
])('on %s a second takes its time', async (_, lateMs, leastMs, mostMs) => {
  const clock = lateClock(lateMs)
  using prompt = countPromptTime(clock)
  await prompt.until(1_000)
  expect(prompt.elapsedMs()).toBeGreaterThanOrEqual(1_000)
  expect(clock.monotonic()).toBeGreaterThanOrEqual(leastMs)
  expect(clock.monotonic()).toBeLessThanOrEqual(mostMs)
})

test('a count that has ended keeps nobody waiting', async () => {
  const prompt = countPromptTime(lateClock(1))
  const waiting = prompt.until(Number.POSITIVE_INFINITY)
  prompt[Symbol.dispose]()
  await expect(waiting).resolves.toBeUndefined()
})
