import { createHmac, createPublicKey } from 'node:crypto'
import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'

export const broken: BrokenVariants = {
  'takes the PEM for a secret': confuseKeys((key) => key.export({ type: 'spki', format: 'pem' })),
  'takes the PEM without its line end for a secret': confuseKeys((key) =>
    key.export({ type: 'spki', format: 'pem' }).toString().trim(),
  ),
  'takes the DER for a secret': confuseKeys((key) => key.export({ type: 'spki', format: 'der' })),
  'takes the DER for a secret of the longest HMAC': confuseKeys(
    (key) => key.export({ type: 'spki', format: 'der' }),
    'HS512',
  ),
  'takes base64 of the DER for a secret': confuseKeys((key) =>
    key.export({ type: 'spki', format: 'der' }).toString('base64'),
  ),
  'takes the members of the key as JSON for a secret': confuseKeys((key) => {
    const { crv, kty, x, y } = key.export({ format: 'jwk' })
    return JSON.stringify({ crv, kty, x, y })
  }),
  'takes the coordinates for a secret': confuseKeys((key) => {
    const { x = '', y = '' } = key.export({ format: 'jwk' })
    return Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  }),
  'takes the published JSON for a secret': {
    signaling: {
      async signatureHolds({ header, signingInput, signature }, trust, usual) {
        if (header['alg'] !== 'HS256') return usual()
        const secret = JSON.stringify(await trust.publicJwk())
        return createHmac('sha256', secret).update(signingInput).digest().equals(signature)
      },
    },
  },
  'takes the published key set for a secret': {
    signaling: {
      async signatureHolds({ header, signingInput, signature }, trust, usual) {
        if (header['alg'] !== 'HS256') return usual()
        const secret = JSON.stringify({ keys: [await trust.publicJwk()] })
        return createHmac('sha256', secret).update(signingInput).digest().equals(signature)
      },
    },
  },
  'takes an RSA key as PEM for a secret': {
    mint: { algorithm: 'RS256' },
    ...confuseKeys((key) => key.export({ type: 'spki', format: 'pem' })),
  },
  'takes an Edwards key as PEM for a secret': {
    mint: { algorithm: 'EdDSA' },
    ...confuseKeys((key) => key.export({ type: 'spki', format: 'pem' })),
  },
  'takes an RSA modulus for a secret': {
    mint: { algorithm: 'RS256' },
    ...confuseKeys((key) => Buffer.from(key.export({ format: 'jwk' }).n ?? '', 'base64url')),
  },
}

/** A service that takes HMAC from the header and uses an encoding of its public key as the secret. */
function confuseKeys(
  form: (key: ReturnType<typeof createPublicKey>) => string | Buffer,
  algorithm: 'HS256' | 'HS512' = 'HS256',
): Catch {
  return {
    signaling: {
      async signatureHolds({ header, signingInput, signature }, trust, usual) {
        if (header['alg'] !== algorithm) return usual()
        const key = createPublicKey({ key: { ...(await trust.publicJwk()) }, format: 'jwk' })
        const hash = algorithm === 'HS256' ? 'sha256' : 'sha512'
        return createHmac(hash, form(key)).update(signingInput).digest().equals(signature)
      },
    },
  }
}
