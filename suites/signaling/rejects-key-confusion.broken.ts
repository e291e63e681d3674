import { createHmac, createPublicKey, type KeyObject } from 'node:crypto'
import type { JWK } from 'jose'
import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { rows } from '../lib/broken-rows.ts'

type Form = (key: KeyObject, jwk: JWK) => string | Buffer

const pem: Form = (key) => key.export({ type: 'spki', format: 'pem' })
const der = (key: KeyObject) => key.export({ type: 'spki', format: 'der' })
const bytesOf = (member = '') => Buffer.from(member, 'base64url')

/** The forms of its public key that a service takes for the secret of an HMAC. */
const forms: Readonly<Record<string, Form>> = {
  'takes the PEM for a secret': pem,
  'takes the PEM without its line end for a secret': (...key) =>
    pem(...key)
      .toString()
      .trim(),
  'takes the DER for a secret': der,
  'takes base64 of the DER for a secret': (key) => der(key).toString('base64'),
  'takes the members of the key as JSON for a secret': (_, { crv, kty, x, y }) =>
    JSON.stringify({ crv, kty, x, y }),
  'takes the coordinates for a secret': (_, { x, y }) => Buffer.concat([bytesOf(x), bytesOf(y)]),
  'takes the published JSON for a secret': (_, jwk) => JSON.stringify(jwk),
  'takes the published key set for a secret': (_, jwk) => JSON.stringify({ keys: [jwk] }),
}

export const broken: BrokenVariants = {
  ...rows(forms, confuseKeys),
  'takes an RSA key as PEM for a secret': { mint: { algorithm: 'RS256' }, ...confuseKeys(pem) },
  'takes an Edwards key as PEM for a secret': { mint: { algorithm: 'EdDSA' }, ...confuseKeys(pem) },
  'takes an RSA modulus for a secret': {
    mint: { algorithm: 'RS256' },
    ...confuseKeys((_, { n }) => bytesOf(n)),
  },
}

/** A service that takes HMAC from the header and uses a form of its public key as the secret. */
function confuseKeys(form: Form): Catch {
  return {
    signaling: {
      async signatureHolds({ header, signingInput, signature }, trust, usual) {
        if (header['alg'] !== 'HS256') return usual()
        const jwk = await trust.publicJwk()
        const secret = form(createPublicKey({ key: { ...jwk }, format: 'jwk' }), jwk)
        return createHmac('sha256', secret).update(signingInput).digest().equals(signature)
      },
    },
  }
}
