import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, exportPKCS8, generateKeyPair, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import type { Answer } from '../http/client.ts'
import { readToken } from './decode.ts'
import { changeMembers } from './edit-json.ts'
import { locateToken } from './locate-token.ts'
import { loadSigningKey, type TestKey } from './signing-key.ts'
import { lifetimeOf } from './token-lifetime.ts'
import { createTokenLikeness } from './token-likeness.ts'

test.each([
  ['replaces a value', '{ "a" : 1 , "b":{"a":2}}', { a: 'x' }, '{ "a" : "x" , "b":{"a":2}}'],
  ['replaces every duplicate', '{"a":1,"a":[2,{"a":3}]}', { a: null }, '{"a":null,"a":null}'],
  [
    'replaces an escaped name',
    String.raw`{"\u0061":1,"b\/":"c\/"}`,
    { a: 2 },
    String.raw`{"\u0061":2,"b\/":"c\/"}`,
  ],
  ['removes the first member', '{"a":",","b":2}', { a: undefined }, '{"b":2}'],
  ['removes the last member', '{"b":"}","a":{}}', { a: undefined }, '{"b":"}"}'],
  ['adds to an empty object', ' {} ', { a: 1 }, ' {"a":1} '],
  [
    'keeps a long number',
    '{"n":12345678901234567890,"e":1.0}',
    { a: '$&' },
    '{"n":12345678901234567890,"e":1.0,"a":"$&"}',
  ],
])('%s', (_, before, changes, after) => {
  expect(changeMembers(before, changes)).toBe(after)
})

test.each(['', '[]', 'null', '"{}"', '{', '{"a":1}}'])('changes no %s', (text) => {
  expect(changeMembers(text, { a: 1 })).toBeNull()
})

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwt = (header: object, claims: object) => `${part(header)}.${part(claims)}.c2lnbmVk`
const now = Date.UTC(2026, 10, 25, 12)

function issued(iatMs: number, dateMs: number) {
  const iat = iatMs / 1000
  const answer = { headers: [['date', new Date(dateMs).toUTCString()]] as const } as unknown as Answer
  return lifetimeOf(readToken(jwt({ alg: 'ES256' }, { iat, exp: iat + 60 })), answer, now)
}

test.each([-3_600_000, 3_600_000])('a gateway whose clock is off by %i ms changes no lifetime', (off) => {
  expect(issued(now, now + off)).toEqual({ byClaims: 60, byClock: 60 })
})

test('a mint whose own clock is off, or that dates its tokens ahead, is measured by its header', () => {
  expect(issued(now + 3_600_000, now + 3_600_000)).toEqual({ byClaims: 60, byClock: 60 })
  expect(issued(now + 3_600_000, now)).toEqual({ byClaims: 60, byClock: 3_660 })
})

const usual = { iss: 'calling', sub: 'u-2', iat: 3, exp: 4, jti: 'y' }
const genuine = jwt({ alg: 'ES256', kid: 'a' }, { ...usual, sub: 'u-1', jti: 'x' })

test('takes anything for a token until one has been seen', () => {
  expect(createTokenLikeness().isAlike(jwt({ alg: 'RS256' }, {}))).toBe(true)
})

test.each([
  ['another user and key', { alg: 'ES256', kid: 'b' }, usual, true],
  ['a claim less', { alg: 'ES256' }, { iss: 'calling', sub: 'u-2', iat: 3, exp: 4 }, true],
  ['another algorithm', { alg: 'RS256' }, usual, true],
  ['a signed request object', { alg: 'RS256' }, { iss: 'app', aud: 'login', scope: 'openid' }, false],
  ['a key of another service', { alg: 'HS256' }, { iss: 'database', role: 'anon', iat: 1, exp: 9 }, false],
])('knows %s', (_, header, claims, isAlike) => {
  const likeness = createTokenLikeness()
  likeness.learn(genuine)
  expect(likeness.isAlike(jwt(header, claims))).toBe(isAlike)
})

const signed = ({ alg, key }: Pick<TestKey, 'alg' | 'key'>) =>
  new SignJWT({ sub: 'ann' }).setProtectedHeader({ alg }).sign(key)

test.each(['PEM', 'JWK'])(
  'a key from a %s file knows its own signatures from those of another key',
  async (form) => {
    const folder = await mkdtemp(join(tmpdir(), 'twotoken-key-'))
    try {
      const [own, other] = await Promise.all([
        generateKeyPair('ES256', { extractable: true }),
        generateKeyPair('ES256'),
      ])
      const file = join(folder, 'key')
      const text =
        form === 'PEM' ? await exportPKCS8(own.privateKey) : JSON.stringify(await exportJWK(own.privateKey))
      await writeFile(file, text)
      const key = await loadSigningKey({ alg: 'ES256', privateKey: file })
      expect(await key.hasSigned(await signed(key))).toBe(true)
      expect(await key.hasSigned(await signed({ alg: 'ES256', key: other.privateKey }))).toBe(false)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)

test('so does a shared secret', async () => {
  const key = await loadSigningKey({ alg: 'HS256', secret: 'a secret of thirty-two characters' })
  const other = new TextEncoder().encode('another secret of 32 characters!')
  expect(await key.hasSigned(await signed(key))).toBe(true)
  expect(await key.hasSigned(await signed({ alg: 'HS256', key: other }))).toBe(false)
})

const tokenOf = (sub: string) => jwt({ alg: 'ES256' }, { sub })
const jwe = `${part({ alg: 'dir', enc: 'A256GCM' })}..aXY.Y2lwaGVy.dGFn`
const located = (json: unknown, field = 'auto') => locateToken({ text: JSON.stringify(json), json }, field)

test('the configuration names the calling token where an answer has several', () => {
  const several = { access: tokenOf('a'), refresh: { token: tokenOf('b') } }
  expect(located(several, '$.refresh.token')).toMatchObject({ token: tokenOf('b'), at: '$.refresh.token' })
  expect(located(several)).toMatchObject({ kind: 'ambiguous' })
})

test('a string that is no token is taken only where a token would stand', () => {
  expect(located({ token: 'deadbeef' })).toMatchObject({ kind: 'found', token: 'deadbeef' })
  expect(located({ id: 'deadbeef' })).toEqual({ kind: 'missing' })
  expect(located({ token: 7 })).toEqual({ kind: 'missing' })
  expect(located({ token: '' })).toEqual({ kind: 'missing' })
})

test('reading a token takes a JWS with its claims and a JWE without', () => {
  expect(readToken(tokenOf('a'))).toEqual({ format: 'JWS', header: { alg: 'ES256' }, claims: { sub: 'a' } })
  expect(readToken(jwe)).toMatchObject({ format: 'JWE', claims: null })
})

test.each(['api.acme.example', 'aaa.bbb.ccc', '1.2.3', tokenOf('a').replace('.', '..')])(
  'reading a token takes no %s',
  (text) => {
    expect(readToken(text)).toBeNull()
  },
)
