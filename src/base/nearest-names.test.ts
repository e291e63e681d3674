import { expect, test } from 'vitest'
import { distance, findNearestNames } from './nearest-names.ts'

test.each([
  ['', 'abc', 3],
  ['kitten', 'sitting', 3],
  ['flaw', 'lawn', 2],
  ['same', 'same', 0],
])('%s is %s by so many edits', (one, other, edits) => {
  expect(distance(one, other)).toBe(edits)
  expect(distance(other, one)).toBe(edits)
})

test('names the nearest first, whatever their case', () => {
  expect(findNearestNames('mint-5', ['SIG-05', 'BACK-05', 'MINT-15', 'MINT-05'])).toBe(
    'MINT-15, MINT-05, SIG-05',
  )
  expect(findNearestNames('sesions', ['url', 'sessions'], 1)).toBe('sessions')
})
