import { expect, test } from 'vitest'
import { findSecret } from './find-secret.ts'

const secret = 'ac_live_4f9aB27/cD1e+80'

test.each([
  ['plain', `x${secret}y`],
  ['plain', JSON.stringify({ a: secret })],
  ['percent-encoded', `k=${encodeURIComponent(secret)}&`],
  ['hexadecimal', `0x${Buffer.from(secret).toString('hex').toUpperCase()}`],
  ['base64', Buffer.from(secret).toString('base64')],
  ['base64', Buffer.from(`a${secret}`).toString('base64')],
  ['base64', Buffer.from(`ab${secret}cd`).toString('base64url')],
] as const)('finds a secret that is %s', (encoding, text) => {
  expect(findSecret(text, secret)).toBe(encoding)
})

test('finds nothing in what is alike', () => {
  expect(
    findSecret(`${secret.slice(0, -1)} ${Buffer.from(secret.slice(1)).toString('hex')}`, secret),
  ).toBeNull()
  expect(findSecret('anything', '')).toBeNull()
})
