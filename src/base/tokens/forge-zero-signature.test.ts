import { createPublicKey, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { blank } from './forge-zero-signature.ts'
import { expectForged, original, publicJwk } from './testing/forging.ts'

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
