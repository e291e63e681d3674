import { createHmac } from 'node:crypto'
import { compactDecrypt, exportJWK, exportSPKI, importJWK } from 'jose'
import { describe, expect, test } from 'vitest'
import { type Forgery, forged, type Original } from './forge.ts'
import { encryptedForgeries } from './forge-encrypted.ts'
import { withKeyId } from './forge-headers.ts'
import { confused } from './forge-key-confusion.ts'
import { rawForgeries, rawMixtures } from './forge-raw.ts'
import { tampered } from './forge-tampered.ts'
import { unsigned } from './forge-unsigned.ts'
import { createUntrustedSigner, forgeUntrusted, resigned } from './forge-untrusted.ts'
import { blank } from './forge-zero-signature.ts'
import { hmacSigned } from './sign-input.ts'
import { apart, holds, privateKey, publicJwk, publicKey } from './testing/forging.ts'

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
  return (token, genuine) => verify(token, genuine) || of(token) === of(genuine)
}

const verify = comparing((given, right) => given.equals(right))
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
    expect(verify(forged(original, {}), token)).toBe(true)
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
      expect([forgery.name, verify(forgery.token, token)]).toEqual([forgery.name, false])
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
      expect([name, verify(other, token)]).toEqual([name, false])
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
