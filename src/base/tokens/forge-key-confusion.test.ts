import { createPublicKey } from 'node:crypto'
import { exportJWK, exportSPKI, generateKeyPair } from 'jose'
import { describe, expect, test } from 'vitest'
import { confused } from './forge-key-confusion.ts'
import { expectForged, holds, original, publicJwk, publicKey } from './testing/forging.ts'

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
