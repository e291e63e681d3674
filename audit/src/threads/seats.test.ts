import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { defaultLimits } from '../model/settings.ts'
import { kindOf } from './kind.ts'
import type { ReadingThread } from './reading-thread.ts'
import { takeFreeSeat, takeSeat } from './seats.ts'

const kind = kindOf(defaultLimits)

test('audits of one process share as many threads as there are processors, one after the other', async () => {
  const begun: ReadingThread[] = []
  const begin = (thread: ReadingThread) => void begun.push(thread)
  const seats = await Promise.all(Array.from({ length: availableParallelism() }, () => takeSeat(kind, begin)))
  expect(takeFreeSeat(kind, begin)).toBeNull()
  let hasSeat = false
  const waiting = takeSeat(kind, begin).then((seat) => {
    hasSeat = true
    return seat
  })
  await new Promise(setImmediate)
  expect(hasSeat).toBe(false)
  const thread = seats[0]?.thread()
  await seats[0]?.[Symbol.asyncDispose]()
  const next = await waiting
  expect(next.thread()).toBe(thread)
  expect(begun).toEqual([thread, thread])
  await Promise.all([next, ...seats.slice(1)].map((seat) => seat[Symbol.asyncDispose]()))
  const free = takeFreeSeat(kind, begin)
  expect(free).not.toBeNull()
  free?.empty()
  await free?.[Symbol.asyncDispose]()
  await thread?.close()
})
