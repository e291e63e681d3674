import { expect, test } from 'vitest'
import { createTokenLikeness } from './token-likeness.ts'

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwt = (header: object, claims: object) => `${part(header)}.${part(claims)}.c2lnbmVk`
const genuine = jwt({ alg: 'ES256', kid: 'a' }, { iss: 'calling', sub: 'u-1', iat: 1, exp: 2, jti: 'x' })

test('takes anything for a token until one has been seen', () => {
  expect(createTokenLikeness().isAlike(jwt({ alg: 'RS256' }, {}))).toBe(true)
})

test.each([
  [
    'another user and key',
    jwt({ alg: 'ES256', kid: 'b' }, { iss: 'calling', sub: 'u-2', iat: 3, exp: 4, jti: 'y' }),
    true,
  ],
  ['a claim less', jwt({ alg: 'ES256' }, { iss: 'calling', sub: 'u-2', iat: 3, exp: 4 }), true],
  [
    'another algorithm',
    jwt({ alg: 'RS256' }, { iss: 'calling', sub: 'u-2', iat: 3, exp: 4, jti: 'y' }),
    true,
  ],
  ['a signed request object', jwt({ alg: 'RS256' }, { iss: 'app', aud: 'login', scope: 'openid' }), false],
  [
    'a public key of another service',
    jwt({ alg: 'HS256' }, { iss: 'database', role: 'anon', iat: 1, exp: 9 }),
    false,
  ],
])('knows %s', (_, other, isAlike) => {
  const likeness = createTokenLikeness()
  likeness.learn(genuine)
  expect(likeness.isAlike(other)).toBe(isAlike)
})
