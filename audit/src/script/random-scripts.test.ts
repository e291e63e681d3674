import { expect, test } from 'vitest'
import { createRandom } from '../testing/fuzz.ts'
import { faultOfScript, randomScript } from '../testing/random-scripts.ts'

const seed = 20261122
const scripts = 200

/** A slice of what `npm run proof:audit` runs by the ten thousand. */
test(`scripts at random neither crash the folding nor make it go on for too long (seed ${seed})`, () => {
  const faults: string[] = []
  for (let index = 0; index < scripts; index++) {
    const fault = faultOfScript(randomScript(createRandom(seed + index)))
    if (fault !== null) faults.push(`script ${index}: ${fault}`)
  }
  expect(faults).toEqual([])
})

test('a fault of the folding is seen', () => {
  const fold = () => {
    throw new TypeError('a defect')
  }
  expect(faultOfScript('use("ac_" + "live_")', fold)).toMatch(/^crash: TypeError/)
  expect(faultOfScript('use("ac_" + "live_")', () => ['x'.repeat(5_000_000)])).toMatch(/^large/)
})

test('the same seed makes the same script', () => {
  const [one, again, other] = [1, 1, 2].map((number) => randomScript(createRandom(number)))
  expect(one).toBe(again)
  expect(one).not.toBe(other)
})
