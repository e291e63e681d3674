import { expect, test } from 'vitest'
import { anyUserId } from '../roles/mint/user-ids.ts'
import { createChoices } from './choices.ts'

const choose = (seed: number, name: string) => {
  const { newUser, random, randomBytes } = createChoices(seed, name)
  return [newUser(), random(), randomBytes(8).toString('hex'), newUser()]
}

test('a seed makes the same choices again', () => {
  expect(choose(7, 'MINT-04')).toEqual(choose(7, 'MINT-04'))
  expect(choose(7, 'MINT-04')).not.toEqual(choose(8, 'MINT-04'))
})

test('choices of another requirement change nothing', () => {
  const [mint, backend] = [createChoices(7, 'MINT-04'), createChoices(7, 'BACK-04')]
  backend.random()
  const alone = choose(7, 'MINT-04')
  expect(mint.newUser()).toBe(alone[0])
  backend.newUser()
  expect(mint.random()).toBe(alone[1])
})

test('users are new ones, whose ids are equally long', () => {
  const { newUser } = createChoices(7, 'MINT-04')
  const users = Array.from({ length: 99 }, newUser)
  expect(new Set(users).size).toBe(99)
  expect(new Set(users.map(({ length }) => length)).size).toBe(1)
  for (const user of users) expect(user).toMatch(/^tt-7-mint-04-\d+-[\da-z]+$/)
})

test.each([
  [undefined, 'tt-made-up'],
  [{ from: ['u-1', 'u-2'] }, 'u-1'],
] as const)('an id beside the run follows %o', (userIds, expected) => {
  expect(anyUserId(userIds, 'tt-made-up')).toBe(expected)
})
