import { createHmac, createPublicKey } from 'node:crypto'
import { confused } from '../../src/base/tokens/forge-key-confusion.ts'
import { type Catch, defineCheck } from '../../src/requirement/define.ts'
import { explainMissing } from '../../src/requirement/needs.ts'
import { fetchUnseen, mustReject, type Rule, toAttacks } from './lib/try-attacks.ts'

const rule: Rule = { clause: '1.3', fix: 'Fix the algorithm of each key and ignore alg in the header.' }

/** Members of a header that carry a public key, or say where it is. */
const keyHeaders = ['jwk', 'jku', 'x5c', 'x5u']

export default defineCheck({
  id: 'SIG-22',
  role: 'signaling',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['1.3', '5.4'],
  basis:
    'The service issues the token: what is signed with a key that anyone can read is not issued by it (1.3).',
  title: 'rejects RS256-to-HS256 key confusion',
  why: 'A service that takes the algorithm from the header verifies an HMAC with a public key that any client can download.',
  how: {
    does: [
      'Signs the header and claims of a fresh token by HMAC with each published key (at most three) as PEM, DER, JWK and other encodings that software uses.',
    ],
    fails: ['A success sign.'],
    warns: ['A success sign that the service takes back at once.'],
    untested: [
      'Does not apply where tokens are signed with a shared secret, or no public key is published.',
      'Absent keys (jwks) that the header of the token names all the same (jwk, jku, x5c, x5u).',
    ],
  },
  mints: 3,
  needs: ['callingTokens', 'signaling'],
  async run({ callingTokens, signaling, configuration, available, optional }, judge) {
    const { original } = await fetchUnseen(callingTokens)
    const { alg, kid } = original.header
    if (typeof alg === 'string' && alg.startsWith('HS') && available('jwks') === undefined) {
      judge.notApplicable('tokens are signed with a shared secret')
      return
    }
    const shown = keyHeaders.filter((name) => name in original.header)
    const { reason } = explainMissing('jwks', configuration)
    // An attacker reads the key there, whatever else is published.
    if (available('jwks') === undefined && shown.length > 0) {
      judge.untested(`${reason}; but the token's header names its public key (${shown.join(', ')})`)
      return
    }
    const load = optional('jwks')
    if (load === undefined) return
    const keys = (await load()).filter(({ kty }) => kty !== 'oct')
    if (keys.length === 0) {
      judge.notApplicable('no public key is published')
      return
    }
    const first = keys.toSorted((a, b) => Number(b.kid === kid) - Number(a.kid === kid)).slice(0, 3)
    const attacks = first.flatMap((key) => toAttacks(confused(original, key)))
    await judge.sandwich(signaling.control, () => mustReject(attacks, signaling, judge, rule))
  },
  catches: {
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
  },
})

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
