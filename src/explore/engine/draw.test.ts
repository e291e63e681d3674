import { expect, test } from 'vitest'
import { createRandom } from '../../base/seeded-random.ts'
import { always, anyOf, between, listOf, oneOf, record } from './draw.ts'

const step = record({
  does: always('ask'),
  who: anyOf([listOf(oneOf<string>(['alice', 'bob']), 1, 3), listOf(oneOf<string>(['carol']), 1, 1)]),
  times: between(2, 4),
})

const drawn = (seed: number) => listOf(step, 200, 200)(createRandom(seed))

test('the same seed draws the same values, and another seed others', () => {
  expect(drawn(1)).toEqual(drawn(1))
  expect(drawn(2)).not.toEqual(drawn(1))
})

test('draws reach every value, both ends of a range, and no other', () => {
  const values = drawn(1)
  expect(new Set(values.map(({ times }) => times))).toEqual(new Set([2, 3, 4]))
  expect(new Set(values.map(({ who }) => who.length))).toEqual(new Set([1, 2, 3]))
  expect(new Set(values.flatMap(({ who }) => who))).toEqual(new Set(['alice', 'bob', 'carol']))
})

test('rejects a draw from nothing', () => {
  expect(() => oneOf([])).toThrow('nothing')
})
