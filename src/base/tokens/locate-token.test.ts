import { describe, expect, test } from 'vitest'
import { readToken, tokensIn } from './decode.ts'
import { locateToken } from './locate-token.ts'

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwt = (sub: string) => `${part({ alg: 'ES256' })}.${part({ sub })}.c2ln`
const jwe = `${part({ alg: 'dir', enc: 'A256GCM' })}..aXY.Y2lwaGVy.dGFn`
const located = (json: unknown, field = 'auto') => locateToken({ text: JSON.stringify(json), json }, field)

describe('the calling token is found', () => {
  test.each([
    ['at token', { token: jwt('a') }, 'token'],
    ['at jwt', { jwt: jwt('a') }, 'jwt'],
    ['at token rather than at jwt', { jwt: jwt('b'), token: jwt('a') }, 'token'],
    ['as a JSON string', jwt('a'), 'whole body'],
    [
      'as the only token in the body',
      { data: { access: [jwt('a')] }, id: 'api.acme.example' },
      "$['data']['access'][0]",
    ],
    ['at jwt where token is something else', { token: 'opaque-id', jwt: jwt('a') }, 'jwt'],
    ['elsewhere where token is something else', { token: 'opaque-id', calling: jwt('a') }, "$['calling']"],
    ['at token beside another token', { token: jwt('a'), refresh: jwt('b') }, 'token'],
  ])('%s', (_, body, at) => {
    expect(located(body)).toEqual({ kind: 'found', token: jwt('a'), at })
  })

  test('as the whole body that is no JSON', () => {
    expect(locateToken({ text: `${jwt('a')}\n`, json: undefined }, 'auto')).toMatchObject({ token: jwt('a') })
  })

  test('as a JWE', () => {
    expect(located({ token: jwe })).toMatchObject({ kind: 'found', token: jwe })
  })

  test('at the place that the configuration names', () => {
    expect(located({ a: jwt('b'), b: { c: jwt('a') } }, '$.b.c')).toMatchObject({
      token: jwt('a'),
      at: '$.b.c',
    })
  })
})

test('several tokens without a name are ambiguous', () => {
  expect(located({ access: jwt('a'), refresh: jwt('b') })).toMatchObject({ kind: 'ambiguous' })
})

test('a string that is no token is taken only where a token would stand', () => {
  expect(located({ token: 'deadbeef' })).toMatchObject({ kind: 'found', token: 'deadbeef' })
  expect(located({ id: 'deadbeef' })).toEqual({ kind: 'missing' })
  expect(located({ token: 7 })).toEqual({ kind: 'missing' })
  expect(located({ token: '' })).toEqual({ kind: 'missing' })
})

describe('reading a token', () => {
  test('takes a JWS with its claims and a JWE without', () => {
    expect(readToken(jwt('a'))).toEqual({ format: 'JWS', header: { alg: 'ES256' }, claims: { sub: 'a' } })
    expect(readToken(jwe)).toMatchObject({ format: 'JWE', claims: null })
  })

  test.each(['api.acme.example', 'aaa.bbb.ccc', '1.2.3', jwt('a').replace('.', '..')])(
    'takes no %s',
    (text) => {
      expect(readToken(text)).toBeNull()
    },
  )

  test('finds every token in a text', () => {
    expect(tokensIn(`a ${jwt('a')}, "${jwt('b')}" ${jwt('a')} api.acme.example`)).toEqual([
      jwt('a'),
      jwt('b'),
    ])
  })
})
