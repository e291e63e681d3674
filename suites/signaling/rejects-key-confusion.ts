import { createHmac, createPublicKey } from 'node:crypto'
import { confused } from '../../src/base/tokens/forge-key-confusion.ts'
import { type Catch, defineCheck } from '../../src/requirement/define.ts'
import { fetchUnseen, mustReject, toAttacks } from './try-attacks.ts'

export default defineCheck({
  id: 'SIG-22',
  role: 'signaling',
  level: 'MUST',
  clauses: ['1.3', '5.4'],
  title: 'does not take a published key for a shared secret',
  why: 'A service that lets the header choose the algorithm verifies an HMAC with a key that everybody can download.',
  how:
    'Header and claims of a fresh token are signed by HMAC with each published key (at most three) as PEM, DER, JSON ' +
    'and in other forms in which software holds it. All must be refused between two controls. Where tokens are signed ' +
    'with a shared secret nothing is published that could be confused.',
  mints: 3,
  needs: ['callingTokens', 'signaling'],
  async run({ callingTokens, signaling, available, optional }, judge) {
    const { original } = await fetchUnseen(callingTokens)
    const { alg, kid } = original.header
    if (typeof alg === 'string' && alg.startsWith('HS') && available('jwks') === undefined) {
      judge.notApplicable('tokens are signed with a shared secret')
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
    await judge.sandwich(signaling.control, () => mustReject(attacks, signaling, judge))
  },
  catches: {
    'takes the PEM for a secret': confusing((key) => key.export({ type: 'spki', format: 'pem' })),
    'takes the PEM without its line end for a secret': confusing((key) =>
      key.export({ type: 'spki', format: 'pem' }).toString().trim(),
    ),
    'takes the DER for a secret': confusing((key) => key.export({ type: 'spki', format: 'der' })),
    'takes the DER for a secret of the longest HMAC': confusing(
      (key) => key.export({ type: 'spki', format: 'der' }),
      'HS512',
    ),
    'takes base64 of the DER for a secret': confusing((key) =>
      key.export({ type: 'spki', format: 'der' }).toString('base64'),
    ),
    'takes the members of the key as JSON for a secret': confusing((key) => {
      const { crv, kty, x, y } = key.export({ format: 'jwk' })
      return JSON.stringify({ crv, kty, x, y })
    }),
    'takes the coordinates for a secret': confusing((key) => {
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
      ...confusing((key) => key.export({ type: 'spki', format: 'pem' })),
    },
    'takes an Edwards key as PEM for a secret': {
      mint: { algorithm: 'EdDSA' },
      ...confusing((key) => key.export({ type: 'spki', format: 'pem' })),
    },
    'takes an RSA modulus for a secret': {
      mint: { algorithm: 'RS256' },
      ...confusing((key) => Buffer.from(key.export({ format: 'jwk' }).n ?? '', 'base64url')),
    },
  },
})

/** A service that lets the header choose HMAC, and holds its public key in some form as bytes. */
function confusing(
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
