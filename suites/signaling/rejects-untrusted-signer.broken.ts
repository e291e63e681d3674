import { createHmac } from 'node:crypto'
import { compactVerify, decodeJwt, importJWK, type JWTPayload } from 'jose'
import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { ofSignaling, warning } from '../lib/broken-rows.ts'
import { alsoTaking, subjectOf } from './lib/variants.ts'

export const broken: BrokenVariants = {
  ...ofSignaling({
    'accepts any signature under an unknown key id': {
      signatureHolds: ({ header }, trust, usual) =>
        header['kid'] === undefined ? usual() : trust.key(header).then(usual, () => true),
    },
    'accepts any signature without a key id': alsoTaking(({ header }) => header['kid'] === undefined),
    'accepts any signature under a known key id': {
      async signatureHolds({ header }, trust, usual) {
        return header['kid'] === (await trust.publicJwk()).kid || usual()
      },
    },
    'remembers users whom it has verified': { verdictKey: subjectOf },
  }),
  ...warning(
    ofSignaling({
      'takes a token without exp': {
        expiryOf: ({ exp }) =>
          typeof exp === 'number' ? Math.min(exp, 4e9) : exp === undefined ? null : undefined,
      },
      'takes exp as text for one that never ends': {
        expiryOf: ({ exp }) =>
          typeof exp === 'string' ? null : typeof exp === 'number' && exp < 1e12 ? exp : undefined,
      },
      'takes exp beyond every date': { expiryOf: ({ exp }) => (typeof exp === 'number' ? exp : undefined) },
      'does not look at nbf': { notBeforeOf: () => 0 },
      'ignores what is critical': {
        async signatureHolds({ header, token }, trust, usual) {
          if (header['crit'] === undefined) return usual()
          const key = await importJWK(await trust.publicJwk(), String(header['alg']))
          return compactVerify(token, key, { crit: { 'x-twotoken': true } }).then(() => true)
        },
      },
    }),
  ),
  'takes HMAC with the secret of development beside public keys': {
    mint: { algorithm: 'EdDSA' },
    ...takingHmac(() => 'secret'),
  },
  "takes HMAC with the issuer's name beside public keys": takingHmac(({ iss }) => String(iss)),
}

/** Signaling that takes HMAC as well, as it did before there were keys. */
function takingHmac(secretOf: (claims: JWTPayload) => string): Catch {
  return {
    signaling: alsoTaking(
      ({ header, token, signingInput, signature }) =>
        header['alg'] === 'HS256' &&
        createHmac('sha256', secretOf(decodeJwt(token)))
          .update(signingInput)
          .digest()
          .equals(signature),
    ),
  }
}
