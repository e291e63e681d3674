import { expect, test } from 'vitest'
import { findRespelling, isNamedIn } from './respelled-id.ts'

test.each([
  ['u-Alice', 'u-alice', 'case'],
  ['u-alice', ' u-alice', 'blanks'],
  ['jos\u{e9}', 'jose\u{301}', 'the Unicode form of its letters'],
  ['JOS\u{e9} ', 'jose\u{301}', 'case, blanks, zeros in front and the form of its letters'],
  ['00417', '417', 'zeros in front'],
  ['00417', '4170', null],
  ['u-alice', 'u-alice', null],
  ['u-alice', 'usr_u-alice', null],
])('%j and %j differ in %j', (one, other, differs) => {
  expect(findRespelling(one, other)).toBe(differs)
})

test.each([
  ['a claim of a session', { sub: 'u-A' }, null, true],
  ['a field of a response', {}, { token: 'x', user: { user_id: 'u-A' } }, true],
  ['an address in a session', { sub: '17', email: 'u-A' }, { token: 'x' }, false],
  ['another spelling', { sub: 'u-a' }, { userId: 'U-A' }, false],
])('%s shows the id of a user: case %#', (_, claims, json, isNamed) => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  expect(isNamedIn('u-A', `${part({ alg: 'HS256' })}.${part(claims)}.c2ln`, json)).toBe(isNamed)
})
