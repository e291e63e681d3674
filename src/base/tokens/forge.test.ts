import { createHmac } from 'node:crypto'
import {
  CompactEncrypt,
  type CryptoKey,
  compactVerify,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  type JWK,
  SignJWT,
} from 'jose'
import { expect, test } from 'vitest'
import { claimsOf, flippedReadably, forged, forUser, madeUp, type Original, takenApart } from './forge.ts'
import { withKeyId } from './forge-headers.ts'
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

function apart(text: string, userId = 'ann'): Original {
  const found = takenApart(text, userId)
  if (found === null) throw new Error('not a JWS')
  return found
}

const token = await new SignJWT({ sub: 'ann', jti: 'abc-def' })
  .setProtectedHeader({ alg: 'ES256', kid: 'k1', typ: 'JWT' })
  .setExpirationTime('5m')
  .sign(privateKey)
const original = apart(token)

async function holds(forged: string, key: CryptoKey | Uint8Array = publicKey): Promise<boolean> {
  try {
    await compactVerify(forged, key)
    return true
  } catch {
    return false
  }
}

test('an encrypted token is not taken apart, and a made-up one stands in for it', async () => {
  const jwe = await new CompactEncrypt(Buffer.from('{}'))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(new Uint8Array(32))
  expect(takenApart(jwe, 'ann')).toBeNull()
  expect(takenApart('ac_live_nothing', 'ann')).toBeNull()
  const standIn = madeUp('ann', 1_900_000_000)
  expect(claimsOf(apart(forged(standIn, {})))).toMatchObject({ sub: 'ann', exp: 1_900_000_900 })
  expect(standIn.userId).toBe('ann')
  expect(unsigned(standIn).map(({ name }) => name)).toContain('with a signature of zero bytes')
})

test('flipping can leave claims that read as before', () => {
  const payload = flippedReadably(original)
  const claims = claimsOf({ ...original, payload: payload ?? new Uint8Array() })
  expect(payload).not.toEqual(original.payload)
  expect(claims).toMatchObject({ sub: 'ann', exp: claimsOf(original)['exp'] })
})

test('flipping touches no user id and no number', () => {
  const spare = { ...original, payload: Buffer.from('{"n":17,"u":"id:ann"}') }
  expect(claimsOf({ ...spare, payload: flippedReadably(spare) ?? new Uint8Array() })).not.toHaveProperty(
    'u',
    'id:anm',
  )
  expect(flippedReadably({ ...original, payload: Buffer.from('[]') })).toBeNull()
})

test('another user takes every place of the first, at any depth', () => {
  const payload = Buffer.from(
    '{"sub": "ann", "ann":1,"act":{"ids":["x","user:\\u0061nn"]},"n":1.0,"nothing":null}',
  )
  expect(Buffer.from(forUser({ ...original, payload }, 'bea$&')).toString()).toBe(
    '{"sub": "bea$&", "ann":1,"act":{"ids":["x","user:bea$&"]},"n":1.0,"nothing":null}',
  )
})

test('tampered tokens that bear the name of the other user declare it', () => {
  const foreign = tampered(original, { otherUser: 'bea' }).filter(({ userId }) => userId === 'bea')
  const three = (token: string) => token.split('.').slice(0, 3).join('.')
  expect(foreign.map((forgery) => claimsOf(apart(three(forgery.token)))['sub'])).toEqual(['bea', 'bea'])
})

test('tampering flips every part that an encrypted token has', async () => {
  const { publicKey: wrap } = await generateKeyPair('RSA-OAEP')
  const jwe = await new CompactEncrypt(Buffer.from('{"sub":"ann"}'))
    .setProtectedHeader({ alg: 'RSA-OAEP', enc: 'A256GCM' })
    .encrypt(wrap)
  const forgeries = tamperedParts(jwe, 'ann')
  expect(forgeries).toHaveLength(6)
  expect(new Set([jwe, ...forgeries.map((forgery) => forgery.token)]).size).toBe(7)
})

const signer = await createUntrustedSigner('ES256')

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

/** Verifies as a service does that decodes leniently. */
function isTaken(token: string): boolean {
  const [header, payload, signature = '', ...more] = token.split('.')
  const right = createHmac('sha256', key).update(`${header}.${payload}`).digest()
  return more.length === 0 && Buffer.from(signature, 'base64url').equals(right)
}

test.each(Object.entries(styles))('a token with %s is forged as it was written', async (_, parts) => {
  const input = parts.map((part) => Buffer.from(part).toString('base64url')).join('.')
  const token = hmacSigned(input, 'HS256', key)
  const original = apart(token)
  expect(forged(original, {})).toBe(token)
  expect(await resigned(original, { alg: 'HS256', key }, {})).toBe(token)

  const changed = tampered(original, { otherUser: 'bea' })
  const named = changed.filter(({ name }) => /\bits signature\b/.test(name))
  expect(named.length).toBeGreaterThan(8)
  for (const { name, token: other } of named)
    expect([name, other.slice(0, other.lastIndexOf('.'))]).toEqual([name, input])
  const added = changed.find(({ name }) => name === 'with a header parameter added')?.token.split('.')[0]
  const header = Buffer.from(added ?? '', 'base64url').toString()
  expect(header).toBe(`${parts[0].slice(0, -1)},"x":1}`)

  const all = [
    ...changed,
    ...unsigned(original),
    ...withKeyId(original),
    ...blank(original),
    ...(await forgeUntrusted(original, signer)),
    ...rawForgeries(original, 'bea'),
    ...rawMixtures(original, token, 'bea'),
    ...confused(original, publicJwk),
  ]
  expect(isTaken(token)).toBe(true)
  expect(all.filter((forgery) => isTaken(forgery.token))).toEqual([])
})
