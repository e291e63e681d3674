import { createPublicKey, verify } from 'node:crypto'
import {
  CompactEncrypt,
  type CryptoKey,
  compactVerify,
  decodeProtectedHeader,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  importX509,
  type JWK,
  SignJWT,
} from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  claimsOf,
  compact,
  type Forgery,
  flipped,
  flippedReadably,
  forUser,
  madeUp,
  type Original,
  takenApart,
} from './forge.ts'
import { blank } from './forge-blank.ts'
import { confused } from './forge-confused.ts'
import { withKeyId, withKeyInHeader } from './forge-headers.ts'
import { createStranger, resigned, type Stranger, strange } from './forge-stranger.ts'
import { tampered, tamperedParts } from './forge-tampered.ts'
import { unsigned } from './forge-unsigned.ts'

let privateKey: CryptoKey
let publicKey: CryptoKey
let publicJwk: JWK
let stranger: Stranger
let token: string
let original: Original

const sign = (claims: Record<string, unknown>) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: 'k1', typ: 'JWT' })
    .setExpirationTime('5m')
    .sign(privateKey)

function apart(text: string, userId = 'ann'): Original {
  const found = takenApart(text, userId)
  if (found === null) throw new Error('not a JWS')
  return found
}

beforeAll(async () => {
  ;({ privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true }))
  publicJwk = { ...(await exportJWK(publicKey)), kid: 'k1' }
  stranger = await createStranger('ES256')
  token = await sign({ sub: 'ann', jti: 'abc-def' })
  original = apart(token)
})

async function holds(forged: string, key: CryptoKey | Uint8Array = publicKey): Promise<boolean> {
  try {
    await compactVerify(forged, key)
    return true
  } catch {
    return false
  }
}

async function expectForged(forgeries: readonly Forgery[]): Promise<void> {
  expect(forgeries.length).toBeGreaterThan(0)
  expect(new Set(forgeries.map(({ name }) => name)).size).toBe(forgeries.length)
  expect(new Set(forgeries.map((forgery) => forgery.token)).size).toBe(forgeries.length)
  for (const forgery of forgeries)
    expect([forgery.name, await holds(forgery.token)]).toEqual([forgery.name, false])
}

test('taking apart and putting together gives the same token', async () => {
  expect(compact(original.header, original.payload, original.signature)).toBe(token)
  expect(await holds(token)).toBe(true)
  expect(takenApart('ac_live_nothing', 'ann')).toBeNull()
})

test('an encrypted token is not taken apart, and a made-up one stands in for it', async () => {
  const jwe = await new CompactEncrypt(Buffer.from('{}'))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(new Uint8Array(32))
  expect(takenApart(jwe, 'ann')).toBeNull()
  const { header, payload, signature, userId } = madeUp('ann', 1_900_000_000)
  expect(claimsOf(apart(compact(header, payload, signature)))).toMatchObject({
    sub: 'ann',
    exp: 1_900_000_900,
  })
  expect(userId).toBe('ann')
})

describe('flipping', () => {
  test('changes exactly one decoded byte, wherever it is', () => {
    for (const bytes of [original.payload, original.signature])
      for (let index = 0; index < bytes.length; index += 1)
        expect(flipped(bytes, index).filter((byte, place) => byte !== bytes[place])).toHaveLength(1)
  })

  test('can leave claims that read as before', () => {
    const payload = flippedReadably(original)
    const claims = claimsOf({ ...original, payload: payload ?? new Uint8Array() })
    expect(payload).not.toEqual(original.payload)
    expect(claims).toMatchObject({ sub: 'ann', exp: claimsOf(original)['exp'] })
  })

  test('touches no user id and no number', () => {
    const spare = { ...original, payload: Buffer.from('{"n":17,"u":"id:ann"}') }
    expect(claimsOf({ ...spare, payload: flippedReadably(spare) ?? new Uint8Array() })).not.toHaveProperty(
      'u',
      'id:anm',
    )
    expect(flippedReadably({ ...original, payload: Buffer.from('[]') })).toBeNull()
  })
})

test('another user takes every place of the first, at any depth', () => {
  const claims = { sub: 'ann', act: { ids: ['x', 'user:ann'] }, n: 1, nothing: null }
  expect(forUser(claims, 'ann', 'bea$&')).toEqual({
    sub: 'bea$&',
    act: { ids: ['x', 'user:bea$&'] },
    n: 1,
    nothing: null,
  })
})

describe('unsigned tokens', () => {
  test('hold for nobody', () => expectForged(unsigned(original)))

  test('keep the claims, in every spelling of none', () => {
    const headerOf = (text: string) =>
      JSON.parse(Buffer.from(text.split('.')[0] ?? '', 'base64url').toString())
    const algorithms = unsigned(original).map((forgery) => headerOf(forgery.token).alg)
    expect(algorithms).toEqual(
      expect.arrayContaining([
        false,
        ['none'],
        'none',
        'None',
        'NONE',
        'nOnE',
        'none ',
        '',
        null,
        undefined,
        'ES256',
        'HS256',
        'HS384',
        'HS512',
      ]),
    )
    for (const forgery of unsigned(original)) expect(forgery.token.split('.')[1]).toBe(token.split('.')[1])
  })
})

describe('tampered tokens', () => {
  test('hold for nobody', async () => {
    const other = apart(await sign({ sub: 'eve' }))
    await expectForged(tampered(original, { otherUser: 'bea', other }))
    await expectForged(tampered(original, { otherUser: 'bea' }))
  })

  test('decode to other bytes, one at least of the signature or what it covers', () => {
    for (const { token: forged } of tampered(original, { otherUser: 'bea' })) {
      const parts = (text: string) =>
        text.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'))
      expect(parts(forged)).not.toEqual(parts(token))
    }
  })

  test('one bears the name of the other user, and declares it', () => {
    const foreign = tampered(original, { otherUser: 'bea' }).filter(({ userId }) => userId === 'bea')
    expect(foreign.map((forgery) => claimsOf(apart(forgery.token))['sub'])).toEqual(['bea'])
  })

  test('of an encrypted token every part is flipped that is there', async () => {
    const { publicKey: wrap } = await generateKeyPair('RSA-OAEP')
    const jwe = await new CompactEncrypt(Buffer.from('{"sub":"ann"}'))
      .setProtectedHeader({ alg: 'RSA-OAEP', enc: 'A256GCM' })
      .encrypt(wrap)
    const forgeries = tamperedParts(jwe, 'ann')
    expect(forgeries).toHaveLength(6)
    expect(new Set([jwe, ...forgeries.map((forgery) => forgery.token)]).size).toBe(7)
  })
})

describe('confused tokens', () => {
  test('hold for whoever takes the published key as a shared secret', async () => {
    const forgeries = confused(original, publicJwk)
    await expectForged(forgeries)
    const pem = await exportSPKI(publicKey)
    const forms: Record<string, Uint8Array> = {
      'signed as HS256 with the published key as PEM': Buffer.from(`${pem}\n`),
      'signed as HS256 with the published key as DER': createPublicKey(pem).export({
        type: 'spki',
        format: 'der',
      }),
      'signed as HS256 with the published key as the published JSON': Buffer.from(JSON.stringify(publicJwk)),
    }
    for (const [name, secret] of Object.entries(forms)) {
      const forged = forgeries.find((forgery) => forgery.name === name)?.token ?? ''
      expect([name, await holds(forged, secret)]).toEqual([name, true])
    }
  })

  test('are made of RSA and Edwards keys too, and of no shared secret', async () => {
    for (const alg of ['RS256', 'EdDSA']) {
      const keys = await generateKeyPair(alg, { extractable: true })
      expect(confused(original, await exportJWK(keys.publicKey)).length).toBeGreaterThan(9)
    }
    expect(confused(original, { kty: 'oct', k: 'AAAA' })).toEqual([])
  })
})

describe('a stranger', () => {
  test('signs what holds for nobody but the stranger', async () => {
    const forgeries = await strange(original, stranger)
    await expectForged(forgeries)
    const key = await importJWK(stranger.publicJwk, 'ES256')
    for (const forgery of forgeries) expect(await holds(forgery.token, key as CryptoKey)).toBe(true)
  })

  test('brings along the key in the header', async () => {
    const bait = { jwksUrl: 'http://127.0.0.1:1/jwks', certificateUrl: 'http://127.0.0.1:1/cert' }
    const forgeries = await withKeyInHeader(original, stranger, bait)
    await expectForged(forgeries)
    for (const forgery of forgeries) {
      const { jwk, x5c } = decodeProtectedHeader(forgery.token)
      if (jwk !== undefined)
        expect(await holds(forgery.token, (await importJWK(jwk, 'ES256')) as CryptoKey)).toBe(true)
      if (x5c?.[0] === undefined) continue
      const pem = `-----BEGIN CERTIFICATE-----\n${x5c[0]}\n-----END CERTIFICATE-----`
      expect(await holds(forgery.token, await importX509(pem, 'ES256'))).toBe(true)
    }
  })

  test('uses the algorithm of the service where it has a public key', async () => {
    expect((await createStranger('EdDSA')).alg).toBe('EdDSA')
    expect((await createStranger('HS256')).alg).toBe('ES256')
  })
})

test('key ids lead to keys that an attacker knows', async () => {
  const forgeries = withKeyId(original)
  await expectForged(forgeries)
  const query = forgeries.find(({ name }) => name.includes('an SQL query,'))?.token ?? ''
  expect(await holds(query, Buffer.from('twotoken'))).toBe(true)
})

describe('blank signatures', () => {
  test('hold for nobody', () => expectForged(blank(original)))

  test('are what OpenSSL reads them as', () => {
    const key = createPublicKey({ key: { ...publicJwk }, format: 'jwk' })
    for (const forgery of blank(original).filter(({ name }) => name.includes('DER'))) {
      const [, , signature = ''] = forgery.token.split('.')
      expect(verify('sha256', Buffer.from('x'), key, Buffer.from(signature, 'base64url'))).toBe(false)
    }
    const zero = blank(original).find(({ name }) => name.endsWith('r = 0, s = 0 in DER'))
    expect(Buffer.from(zero?.token.split('.')[2] ?? '', 'base64url').toString('hex')).toBe('3006020100020100')
  })

  test('come in the own algorithm of the token besides', () => {
    const rsa = { ...original, header: { alg: 'RS256' }, signature: new Uint8Array(256) }
    const names = blank(rsa).map(({ name }) => name)
    expect(names).toContain('with the ES256 signature r = 0, s = 0')
    expect(names).toContain('with a signature of zeros')
  })
})

test('a trusted key signs the original with one thing changed', async () => {
  const key = { alg: 'ES256', key: privateKey }
  const payload = Buffer.from('{"sub":"ann","sub":"bea","exp":1e99}')
  const changed = await resigned(original, key, { payload })
  expect(await holds(changed)).toBe(true)
  expect(Buffer.from(changed.split('.')[1] ?? '', 'base64url')).toEqual(payload)
  const critical = await resigned(original, key, { header: { crit: ['x-unknown'], 'x-unknown': 1 } })
  expect(decodeProtectedHeader(critical)['crit']).toEqual(['x-unknown'])
  expect(claimsOf(apart(critical))).toEqual(claimsOf(original))
})
