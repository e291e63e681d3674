import { expect, test } from 'vitest'
import { createOutages } from './outages.ts'

const fault = { met: 'the mint did not answer within 10 s', evidence: ['x1'] }

/** A part that serves from this second on; the clock moves only where it is waited for. */
function createPlayed(servesFrom: number) {
  let now = 0
  let asked = 0
  const clock = {
    monotonic: () => now,
    until: async (instant: number) => {
      now = instant
    },
  }
  const outages = createOutages(clock, 20)
  const ask = async () => {
    asked += 1
    return now < servesFrom * 1000 ? fault : null
  }
  return { outages, ask, asked: () => asked, now: () => now }
}

test('a part that kept no check from a judgement is not asked', async () => {
  const { outages, ask, asked } = createPlayed(100)
  expect(await outages.findFault(['mint'], ask)).toBeNull()
  outages.note('backend')
  expect(await outages.findFault(['mint'], ask)).toBeNull()
  expect(asked()).toBe(0)
})

test('one that comes back within the patience is waited for, and then not asked again', async () => {
  const { outages, ask, asked, now } = createPlayed(5)
  outages.note('mint')
  expect(await outages.findFault(['mint'], ask)).toBeNull()
  expect([now(), asked()]).toEqual([5000, 6])
  expect(await outages.findFault(['mint'], ask)).toBeNull()
  expect(asked()).toBe(6)
})

test('one that outlasts the patience costs those behind it one request each', async () => {
  const { outages, ask, asked, now } = createPlayed(100)
  outages.note('mint')
  outages.note('mint')
  expect(await outages.findFault(['mint'], ask)).toEqual(fault)
  const before = asked()
  expect(await outages.findFault(['signaling', 'mint'], ask)).toEqual(fault)
  expect([now(), asked()]).toEqual([20_000, before + 1])
})
