import { expect, test } from 'vitest'
import { isAnyHeld } from './held-calls.ts'

const signedOutAt = 2000

test.each([
  ['a call that is still open', null, true],
  ['a call that the client cancelled at the sign-out', 2010, true],
  ['a call that the client had given up before the sign-out', 1900, false],
  ['a call that met the limit of the client after the sign-out', 9000, false],
])('%s: %s', (_, givenUpAt, isHeld) => {
  expect(isAnyHeld([{ at: 1000, givenUpAt }], signedOutAt)).toBe(isHeld)
})

test('one of several calls is enough, as where an app is mounted twice', () => {
  const calls = [
    { at: 1000, givenUpAt: 1010 },
    { at: 1020, givenUpAt: null },
  ]
  expect(isAnyHeld(calls, signedOutAt)).toBe(true)
  expect(isAnyHeld(calls.slice(0, 1), signedOutAt)).toBe(false)
})
