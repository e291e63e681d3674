import { expect, test } from 'vitest'
import { isHashedName, isNameWithDigits } from './name-shape.ts'

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'

function createRandom(seed: number): (length: number) => string {
  let state = seed
  const character = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return alphabet[Math.floor((state / 2 ** 32) * alphabet.length)]
  }
  return (length) => Array.from({ length }, character).join('')
}

/** Random parts in these are longer than a hash, or their groups are no designations. */
test.each<[string, (random: (length: number) => string) => string]>([
  ['one group', (random) => random(16)],
  ['a word before', (random) => `server_${random(12)}`],
  ['two words before', (random) => `acme_server_${random(16)}`],
  ['a word and a number before', (random) => `eu1_${random(24)}`],
  ['a quarter behind', (random) => `${random(16)}_2026_q3`],
  ['groups of eight', (random) => [8, 8, 8].map(random).join('-')],
  ['groups of six', (random) => [6, 6, 6, 6].map(random).join('_')],
  ['groups of four', (random) => [4, 4, 4, 4].map(random).join('-')],
])('takes hardly a random key with %s for a name', (_, keyOf) => {
  const random = createRandom(20_261_123)
  const named = Array.from({ length: 4000 }, () => keyOf(random)).filter(isNameWithDigits)
  expect(named.length).toBeLessThanOrEqual(8)
})

test.each(['badge-5d41402abc4b2a76b9719d911017c592', 'badge-3f9a1c2b'])(
  'takes %s for the name of a file',
  (name) => {
    expect(isHashedName(name)).toBe(true)
  },
)

test.each(['5d41402abc4b2a76b9719d911017c592', '9fK2mPq7Rt4Vw8Xy1Zb3Nc6Dq5Lh0Js'])(
  'takes %s alone for no name of a file',
  (name) => {
    expect(isHashedName(name)).toBe(false)
  },
)

test.each(['new_lobby_2026_q3', 'beta-rollout-2026-h1', 'ticket_2026w12'])('takes %s for a name', (name) => {
  expect(isNameWithDigits(name)).toBe(true)
})

test('takes a random key beside a quarter for no name', () => {
  expect(isNameWithDigits('9fK2mPq7Rt4Vw8Xy_2026_q3')).toBe(false)
})
