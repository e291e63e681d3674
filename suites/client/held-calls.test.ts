import { expect, test } from 'vitest'
import { isAnyHeld } from './never-uses-previous-users-token.ts'

const signOut = { from: 2000, to: 2100 }

test.each([
  ['a call that is still open', null, true],
  ['a call that the client cancelled at the sign-out', 2010, true],
  ['a call that the next user has cancelled', 4000, true],
  ['a call that the client had given up before the sign-out', 1900, false],
  ['a call that met the limit of the client after the sign-out', 9000, false],
])('%s: %s', (_, givenUpAt, isHeld) => {
  expect(isAnyHeld([{ at: 1000, givenUpAt }], signOut)).toBe(isHeld)
})

test('a slow sign-out cancels a call that has been open for longer than limits are', () => {
  expect(isAnyHeld([{ at: 1000, givenUpAt: 9500 }], { from: 2000, to: 9000 })).toBe(true)
})

test('one of several calls is enough, as where an app is mounted twice', () => {
  const calls = [
    { at: 1000, givenUpAt: 1010 },
    { at: 1020, givenUpAt: null },
  ]
  expect(isAnyHeld(calls, signOut)).toBe(true)
  expect(isAnyHeld(calls.slice(0, 1), signOut)).toBe(false)
})
