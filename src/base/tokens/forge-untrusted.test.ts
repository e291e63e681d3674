import { type CryptoKey, decodeJwt, decodeProtectedHeader, importJWK, importX509 } from 'jose'
import { describe, expect, test } from 'vitest'
import { claimsOf } from './forge.ts'
import { withKeyId, withKeyInHeader } from './forge-headers.ts'
import { createUntrustedSigner, forgeUntrusted, resigned } from './forge-untrusted.ts'
import { apart, expectForged, holds, original, privateKey } from './testing/forging.ts'

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
