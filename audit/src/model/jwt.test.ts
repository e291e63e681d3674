import { expect, test } from 'vitest'
import { createJwtJudge } from './jwt.ts'

const [now, day] = [1_800_000_000, 86_400]

function judged(claims: object): string | null {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return createJwtJudge([], () => now).judge(`${part({ alg: 'RS256' })}.${part(claims)}.${'A'.repeat(43)}`)
}

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
  expect(judged(claims)).toBe(verdict)
})
