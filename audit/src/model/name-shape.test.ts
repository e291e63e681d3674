import { expect, test } from 'vitest'
import { createRandom } from '../testing/fuzz.ts'
import { createJwtJudge } from './jwt.ts'
import { createNameCleaner } from './location.ts'
import { isHashedName, isNameWithDigits } from './name-shape.ts'

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'

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
  const partOf = (length: number) => Array.from({ length }, () => alphabet[random(alphabet.length)]).join('')
  const named = Array.from({ length: 4000 }, () => keyOf(partOf)).filter(isNameWithDigits)
  expect(named.length).toBeLessThanOrEqual(8)
})

test.each([
  ['badge-5d41402abc4b2a76b9719d911017c592', true],
  ['badge-3f9a1c2b', true],
  ['5d41402abc4b2a76b9719d911017c592', false],
  ['9fK2mPq7Rt4Vw8Xy1Zb3Nc6Dq5Lh0Js', false],
])('%s is the name of a hashed file: %s', (name, isName) => {
  expect(isHashedName(name)).toBe(isName)
})

test.each([
  ['new_lobby_2026_q3', true],
  ['beta-rollout-2026-h1', true],
  ['ticket_2026w12', true],
  ['9fK2mPq7Rt4Vw8Xy_2026_q3', false],
])('%s is a name: %s', (name, isName) => {
  expect(isNameWithDigits(name)).toBe(isName)
})

const cleanName = createNameCleaner('ac_live_')

test('shows file names with dots and a word that contains `ew` or `ey`', () => {
  for (const name of [
    'app/new-dialog.component.js',
    'src/keyboard-overlay.module.ts',
    'dist/reviewer-panel.d.ts.map',
  ])
    expect(cleanName(name)).toBe(name)
})

test('shows four characters of a token in a name, and none behind them', () => {
  for (const head of ['{"alg":"HS256"}', '{\n  "alg": "HS256"\n}', '{ "typ":"JWT" }']) {
    const token = `${Buffer.from(head).toString('base64url')}.eyJzdWIiOiJhIn0.c2lnbmF0dXJl`
    expect(cleanName(`tokens/x-${token}.txt`)).toBe(`tokens/x-${token.slice(0, 4)}…`)
  }
})

const [now, day] = [1_800_000_000, 86_400]

test.each([
  ['calling', 'below a day', { sub: 'user-1', iat: now, exp: now + day - 1 }],
  ['possible', 'exactly a day', { sub: 'user-1', iat: now, exp: now + day }],
  ['possible', 'an expiry today, and no iat', { sub: 'user-1', exp: now + 3600 }],
  ['possible', 'an expiry that is over, and no iat', { user_id: 7, exp: now - 3600 }],
  ['expired', 'below a day, and over', { sub: 'user-1', iat: now - day, exp: now - 3600 }],
  ['other', 'more than a day', { sub: 'user-1', iat: now, exp: now + day + 1 }],
  ['other', 'an expiry next month, and no iat', { sub: 'user-1', exp: now + 30 * day }],
  ['other', 'no expiry', { sub: 'user-1', iat: now }],
  ['other', 'no user', { role: 'anon', iat: now, exp: now + day }],
  ['other', 'no user and no iat', { role: 'anon', exp: now + 60 }],
])('takes a token for %s: %s', (verdict, _, claims) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const token = `${part({ alg: 'RS256' })}.${part(claims)}.${'A'.repeat(43)}`
  expect(createJwtJudge([], () => now).judge(token)).toBe(verdict)
})
