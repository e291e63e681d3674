import { createHmac, createPublicKey, verify } from 'node:crypto'
import {
  CompactEncrypt,
  type CryptoKey,
  compactDecrypt,
  compactVerify,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  importX509,
  type JWK,
  SignJWT,
} from 'jose'
import { describe, expect, test } from 'vitest'
import {
  claimsOf,
  type Forgery,
  flipped,
  flippedReadably,
  forged,
  forUser,
  madeUp,
  type Original,
  takenApart,
} from './forge.ts'
import { encryptedForgeries } from './forge-encrypted.ts'
import { withKeyId, withKeyInHeader } from './forge-headers.ts'
import { confused } from './forge-key-confusion.ts'
import { rawForgeries, rawMixtures } from './forge-raw.ts'
import { tampered, tamperedParts } from './forge-tampered.ts'
import { unsigned } from './forge-unsigned.ts'
import { createUntrustedSigner, forgeUntrusted, resigned } from './forge-untrusted.ts'
import { blank } from './forge-zero-signature.ts'
import { hmacSigned } from './sign-input.ts'

/** A token of a service, its key, and what is asked of every forgery of it. */

const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
const publicJwk: JWK = { ...(await exportJWK(publicKey)), kid: 'k1' }

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

const token = await sign({ sub: 'ann', jti: 'abc-def' })
const original = apart(token)

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
  expect(forged(original, {})).toBe(token)
  expect(await holds(token)).toBe(true)
  expect(takenApart('ac_live_nothing', 'ann')).toBeNull()
})

test('an encrypted token is not taken apart, and a made-up one stands in for it', async () => {
  const jwe = await new CompactEncrypt(Buffer.from('{}'))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(new Uint8Array(32))
  expect(takenApart(jwe, 'ann')).toBeNull()
  const standIn = madeUp('ann', 1_900_000_000)
  expect(claimsOf(apart(forged(standIn, {})))).toMatchObject({ sub: 'ann', exp: 1_900_000_900 })
  expect(standIn.userId).toBe('ann')
  expect(unsigned(standIn).map(({ name }) => name)).toContain('with a signature of zero bytes')
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
  const payload = Buffer.from(
    '{"sub": "ann", "ann":1,"act":{"ids":["x","user:\\u0061nn"]},"n":1.0,"nothing":null}',
  )
  expect(Buffer.from(forUser({ ...original, payload }, 'bea$&')).toString()).toBe(
    '{"sub": "bea$&", "ann":1,"act":{"ids":["x","user:bea$&"]},"n":1.0,"nothing":null}',
  )
})

describe('unsigned tokens', () => {
  test('verify with no key', () => expectForged(unsigned(original)))

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
  test('verify with no key', async () => {
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

  test('those that bear the name of the other user declare it', () => {
    const foreign = tampered(original, { otherUser: 'bea' }).filter(({ userId }) => userId === 'bea')
    const three = (token: string) => token.split('.').slice(0, 3).join('.')
    expect(foreign.map((forgery) => claimsOf(apart(three(forgery.token)))['sub'])).toEqual(['bea', 'bea'])
  })

  test('flips every part that an encrypted token has', async () => {
    const { publicKey: wrap } = await generateKeyPair('RSA-OAEP')
    const jwe = await new CompactEncrypt(Buffer.from('{"sub":"ann"}'))
      .setProtectedHeader({ alg: 'RSA-OAEP', enc: 'A256GCM' })
      .encrypt(wrap)
    const forgeries = tamperedParts(jwe, 'ann')
    expect(forgeries).toHaveLength(6)
    expect(new Set([jwe, ...forgeries.map((forgery) => forgery.token)]).size).toBe(7)
  })
})

const signer = await createUntrustedSigner('ES256')

describe('an untrusted signer', () => {
  test('signs what verifies with its own key only', async () => {
    const forgeries = await forgeUntrusted(original, signer)
    await expectForged(forgeries)
    const key = await importJWK(signer.publicJwk, 'ES256')
    for (const forgery of forgeries) expect(await holds(forgery.token, key as CryptoKey)).toBe(true)
  })

  test('brings along the key in the header', async () => {
    const issuer = 'http://127.0.0.1:1'
    const bait = { issuer, jwksUrl: `${issuer}/jwks`, certificateUrl: `${issuer}/cert` }
    const forgeries = await withKeyInHeader(original, signer, bait)
    await expectForged(forgeries)
    const key = (await importJWK(signer.publicJwk, 'ES256')) as CryptoKey
    const issued = forgeries.filter(({ token }) => decodeJwt(token).iss === issuer)
    expect(issued).toHaveLength(2)
    for (const { token } of issued) expect(await holds(token, key)).toBe(true)
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
    expect((await createUntrustedSigner('EdDSA')).alg).toBe('EdDSA')
    expect((await createUntrustedSigner('HS256')).alg).toBe('ES256')
  })
})

test('key ids lead to keys that an attacker knows', async () => {
  const forgeries = withKeyId(original)
  await expectForged(forgeries)
  const query = forgeries.find(({ name }) => name.includes('an SQL query,'))?.token ?? ''
  expect(await holds(query, Buffer.from('twotoken'))).toBe(true)
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

describe('blank signatures', () => {
  test('verify with no key', () => expectForged(blank(original)))

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

describe('confused tokens', () => {
  test('verify where the published key is taken for a shared secret', async () => {
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

// Serialisers of headers differ. A forgery that says "only the signature changed" has to be just that for each.

const key = Buffer.alloc(32, 7)

/** Headers of HS256 and claims of ann, as different libraries write them. */
const styles: Readonly<Record<string, readonly [header: string, claims: string]>> = {
  'blanks after colons and commas': [
    '{"alg": "HS256", "typ": "JWT"}',
    '{"sub": "ann", "exp": 1900000000, "org": "a1"}',
  ],
  'escaped slashes': [
    String.raw`{"typ":"JWT","alg":"HS256","kid":"keys\/1"}`,
    String.raw`{"iss":"https:\/\/mint.example","sub":"ann","exp":1900000000}`,
  ],
  'another order of keys': [
    '{"typ":"JWT","kid":"1","7":"x","alg":"HS256"}',
    '{"exp":1900000000,"12":"x","3":"y","sub":"ann"}',
  ],
  'duplicate members': [
    '{"alg":"none","alg":"HS256"}',
    '{"exp":1900000000,"sub":"eve","sub":"ann","id":90071992547409931}',
  ],
  'characters beyond ASCII': [
    '{"alg":"HS256","kid":"schlüssel","z":"\\u00fc"}',
    '{"sub":"ann","name":"Ännchen","city":"K\\u00f6ln","exp":1900000000}',
  ],
}

const tokens = Object.entries(styles).map(([style, parts]) => {
  const input = parts.map((part) => Buffer.from(part).toString('base64url')).join('.')
  return { style, token: hmacSigned(input, 'HS256', key) }
})

type Verify = (token: string, genuine: string) => boolean

/** A verifier that compares the right signature with the one that came. */
function comparing(isEqual: (given: Buffer, right: Buffer, encoded: string) => boolean): Verify {
  return (token) => {
    const [header, payload, signature = '', ...more] = token.split('.')
    const right = createHmac('sha256', key).update(`${header}.${payload}`).digest()
    return more.length === 0 && isEqual(Buffer.from(signature, 'base64url'), right, signature)
  }
}

/** A verifier that takes what agrees with a token it has verified before. */
function remembering(memory: (header: string, payload: string, signature: string) => unknown): Verify {
  const of = (token: string) => {
    const [header = '', payload = '', signature = ''] = token.split('.')
    return JSON.stringify(memory(header, payload, signature))
  }
  return (token, genuine) => isTaken(token, genuine) || of(token) === of(genuine)
}

const isTaken = comparing((given, right) => given.equals(right))
const json = (part: string): unknown => {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return part
  }
}
const text = (encoding: BufferEncoding) => (given: Buffer, right: Buffer) =>
  given.toString(encoding) === right.toString(encoding)

const broken: Readonly<Record<string, Verify>> = {
  'compares the first byte': comparing((given, right) => given.length > 0 && given[0] === right[0]),
  'compares a prefix of 8 bytes': comparing((given, right) =>
    given.subarray(0, 8).equals(right.subarray(0, 8)),
  ),
  'compares all but the last byte': comparing((given, right) =>
    given.subarray(0, 31).equals(right.subarray(0, 31)),
  ),
  'compares as far as the given one goes': comparing(
    (given, right) => given.length > 0 && given.equals(right.subarray(0, given.length)),
  ),
  'compares as far as the right one goes': comparing((given, right) => given.subarray(0, 32).equals(right)),
  'compares a suffix of 8 bytes': comparing((given, right) => given.subarray(-8).equals(right.subarray(-8))),
  'compares all but the first byte': comparing((given, right) => given.subarray(1).equals(right.subarray(1))),
  'compares without case': comparing(
    (_, right, encoded) => encoded.toLowerCase() === right.toString('base64url').toLowerCase(),
  ),
  'compares as text of 7 bits': comparing(text('ascii')),
  'compares as text of UTF-8': comparing(text('utf8')),
  'verifies the header and claims as it would write them': (token, genuine) =>
    remembering((header, payload, signature) => [json(header), json(payload), signature])(token, genuine),
  'remembers claims': remembering((_, payload) => json(payload)),
  'remembers encoded claims': remembering((_, payload) => payload),
  'remembers claims with their signature': remembering((_, payload, signature) => [json(payload), signature]),
  'remembers the header with the signature': remembering((header, _, signature) => [header, signature]),
  'remembers signatures': remembering((_, _payload, signature) => signature),
  'remembers the end of signatures': remembering((_, _payload, signature) => signature.slice(-10)),
}

describe.each(tokens)('a token with $style', ({ token }) => {
  const original = apart(token)
  const forgeries = tampered(original, { otherUser: 'bea' })

  test('takes the token apart without a change', () => {
    expect(isTaken(forged(original, {}), token)).toBe(true)
    expect(forged(original, {})).toBe(token)
  })

  test.each(Object.entries(broken))('catches a verifier that %s', (_, isAccepted) => {
    expect(isAccepted(token, token)).toBe(true)
    expect(forgeries.filter((forgery) => isAccepted(forgery.token, token))).not.toEqual([])
  })

  test('changes nothing but the signature where the name says so', () => {
    const named = forgeries.filter(({ name }) => /\bits signature\b/.test(name))
    expect(named.length).toBeGreaterThan(8)
    for (const { name, token: other } of named)
      expect([name, other.slice(0, other.lastIndexOf('.'))]).toEqual([
        name,
        token.slice(0, token.lastIndexOf('.')),
      ])
  })

  test('makes no forgery that verifies', async () => {
    const all = await everyForgery(original)
    for (const forgery of all)
      expect([forgery.name, isTaken(forgery.token, token)]).toEqual([forgery.name, false])
  })

  test('changes one member of the header, and keeps the other characters', () => {
    const added = forgeries.find(({ name }) => name === 'with a header parameter added')
    const before = headerText(token)
    expect(headerText(added?.token ?? '')).toBe(`${before.slice(0, -1)},"x":1}`)
  })

  test('signs the same header again', async () => {
    expect(await resigned(original, { alg: 'HS256', key }, {})).toBe(token)
  })
})

describe.each(tokens)('a token with $style of a service that publishes a key', ({ token }) => {
  const original = apart(token)

  test('is signed with that key as a secret under the header as it was written, but for its algorithm and key', async () => {
    const pem = `${(await exportSPKI(publicKey)).trimEnd()}\n`
    const forgeries = confused(original, publicJwk)
    const byPem = forgeries.filter(({ name }) => name.endsWith(' with the published key as PEM'))
    expect(byPem.map(({ name }) => name.split(' ')[2])).toEqual(['HS256', 'HS384', 'HS512'])
    for (const forgery of byPem) expect(await holds(forgery.token, Buffer.from(pem))).toBe(true)
    const kept = withoutMembers(headerText(token))
    for (const { name, token: other } of forgeries) {
      expect([name, withoutMembers(headerText(other))]).toEqual([name, kept])
      expect([name, isTaken(other, token)]).toEqual([name, false])
      expect([name, other.split('.')[1]]).toEqual([name, token.split('.')[1]])
    }
  })

  test('is encrypted to that key with its claims as they were written, but for the user', async () => {
    const forgeries = await encryptedForgeries(original, 'bea', [publicJwk])
    const jwk = await exportJWK(privateKey)
    const toKey = forgeries.filter(({ name }) => name.includes('to a published key'))
    expect(toKey.length).toBe(6)
    const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url')
      .toString()
      .replaceAll('"ann"', '"bea"')
    for (const { name, token: other } of toKey) {
      const { plaintext } = await compactDecrypt(other, await importJWK(jwk, 'ECDH-ES'))
      const inner = Buffer.from(plaintext).toString()
      const [header = '', payload = ''] = inner.split('.')
      const text = name.includes('claims') ? inner : Buffer.from(payload, 'base64url').toString()
      expect([name, text]).toEqual([name, claims])
      if (name.includes('a tampered token')) expect([name, header]).toEqual([name, token.split('.')[0]])
    }
  })
})

/** Without the members that name an algorithm or a key, and without what separates them from others. */
function withoutMembers(header: string): string {
  return header.replaceAll(/"(?:alg|kid)"\s*:\s*"[^"]*"/g, '').replaceAll(/[,\s]+/g, '')
}

async function everyForgery(original: Original): Promise<Forgery[]> {
  const signer = await createUntrustedSigner('ES256')
  return [
    ...tampered(original, { otherUser: 'bea' }),
    ...unsigned(original),
    ...withKeyId(original),
    ...blank(original),
    ...(await forgeUntrusted(original, signer)),
    ...rawForgeries(original, 'bea'),
    ...rawMixtures(original, forged(original, {}), 'bea'),
  ]
}

function headerText(token: string): string {
  return Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()
}
