import { expect, test } from 'vitest'
import { isLimited } from './is-limited.ts'

test.each([
  ['http', 429, true],
  ['http', 503, true],
  ['close', 4429, true],
  ['close', 1013, true],
  ['http', 401, false],
  ['http', 400, false],
  ['close', 4401, false],
  ['close', 4000, false],
] as const)('%s %i limits: %s', (type, code, expected) => {
  expect(isLimited({ events: [{ at: 0, type, code, text: '' }] })).toBe(expected)
})
