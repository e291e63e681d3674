import { expect, test } from 'vitest'
import { largestGrowth, slowestGrowth } from './growth.ts'

const sizes = [64, 256, 1024]
/** Reads for as long as `seconds` says; of several samples, the first is disturbed. */
function clock(seconds: (size: number) => number, disturbance = 0) {
  let size = 0
  let samples = 0
  return slowestGrowth(
    sizes,
    (next) => {
      size = next
      samples = 0
      return async () => {}
    },
    async () => seconds(size) + (samples++ === 0 ? disturbance : 0),
  )
}

test('finds quadratic time', async () => {
  expect(await clock((size) => size ** 2 / 1e5)).toBeCloseTo(4)
})

test('finds time that is quadratic in large files alone', async () => {
  expect(await clock((size) => 0.02 + (size / 1024) ** 2 * 8)).toBeGreaterThan(largestGrowth)
})

test('admits linear time, also on a busy machine', async () => {
  expect(await clock((size) => size / 500)).toBeCloseTo(2)
  expect(await clock((size) => size / 500, 40)).toBeLessThan(largestGrowth)
})

test('passes over times that noise decides', async () => {
  expect(await clock((size) => size ** 2 / 1e7)).toBe(0)
})
