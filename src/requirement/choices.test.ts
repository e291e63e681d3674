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
