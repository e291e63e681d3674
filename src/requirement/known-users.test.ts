import { expect, test } from 'vitest'
import { anyUserId } from '../roles/mint/user-ids.ts'
import { createChoices } from './choices.ts'

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

test('a seed makes the same UUIDs again, each of them once', () => {
  const choose = () => {
    const { newUser, unknownUser } = createChoices(7, 'MINT-04', { pattern: 'uuid' })
    return [...Array.from({ length: 50 }, newUser), unknownUser()]
  }
  expect(choose()).toEqual(choose())
  expect(new Set(choose()).size).toBe(51)
  for (const id of choose()) expect(id).toMatch(uuid)
})

test('each known user differs from the last, and an unknown user is none of them', () => {
  const from = ['u-1', 'u-2', 'u-3']
  const { newUser, unknownUser } = createChoices(7, 'MINT-04', { from })
  const users = Array.from({ length: 9 }, newUser)
  expect(new Set(users)).toEqual(new Set(from))
  expect(users.every((user, at) => user !== users[at - 1])).toBe(true)
  expect(from).not.toContain(unknownUser())
})

test.each([
  [undefined, 'tt-made-up'],
  [{ from: ['u-1', 'u-2'] }, 'u-1'],
] as const)('an id beside the run follows %o', (userIds, expected) => {
  expect(anyUserId(userIds, 'tt-made-up')).toBe(expected)
})
