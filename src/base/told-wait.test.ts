import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type ToldWait, tellingWait } from './told-wait.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

async function toldBy(ms: number, longestMs: number): Promise<ToldWait[]> {
  const told: ToldWait[] = []
  const done = Promise.withResolvers<void>()
  const waiting = tellingWait(() => done.promise, {
    what: 'the backend to answer',
    longestMs,
    tell: (wait) => told.push(wait),
  })
  await vi.advanceTimersByTimeAsync(ms)
  done.resolve()
  await waiting
  return told
}

test('tells a wait after three seconds, and its end', async () => {
  expect(await toldBy(8_000, 15_000)).toEqual([
    { what: 'the backend to answer', seconds: 12 },
    { what: 'the backend to answer', seconds: 0 },
  ])
})

test('says nothing of an answer that comes sooner', async () => {
  expect(await toldBy(2_900, 15_000)).toEqual([])
})

test('says nothing of a wait that is bounded by less', async () => {
  expect(await toldBy(5_000, 2_000)).toEqual([])
})
