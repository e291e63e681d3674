import { expect, test } from 'vitest'
import { TwotokenError } from '../base/errors.ts'
import { parseShard } from '../base/shard.ts'
import { gatherHooks, takeShare } from './shard.ts'

const items = Array.from({ length: 83 }, (_, index) => index)

test.each([1, 2, 3, 4, 7, 83])('%i shards hold every item once', (count) => {
  const shares = Array.from({ length: count }, (_, before) => takeShare(items, { index: before + 1, count }))
  expect(shares.flat().toSorted((a, b) => a - b)).toEqual(items)
  const sizes = shares.map(({ length }) => length)
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
})

test.each([1, 2, 3, 8])('the first of %i shards runs every hook', (count) => {
  const checks = items.map((item) => ({ item, needs: item % 20 === 7 ? ['signOutHook' as const] : [] }))
  const ordered = gatherHooks(checks, { index: 1, count })
  expect(ordered.map(({ item }) => item).toSorted((a, b) => a - b)).toEqual(items)
  const first = takeShare(ordered, { index: 1, count })
  expect(first.filter(({ needs }) => needs.length > 0)).toHaveLength(4)
})

test('a shard with nothing to do is wrong usage, and no success', () => {
  expect(() => takeShare([1, 2], { index: 3, count: 4 })).toThrow('use at most 2 shards')
})

test('reads index and count', () => {
  expect(parseShard('2/4')).toEqual({ index: 2, count: 4 })
})

test.each(['', '2', '0/4', '5/4', '1/0', '-1/2', '1/2/3', 'a/b', '1.5/2'])('refuses "%s"', (text) => {
  expect(() => parseShard(text)).toThrow(TwotokenError)
})
