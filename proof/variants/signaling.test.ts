import { createCipheriv, createDecipheriv } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Variant } from '../../src/requirement/define.ts'
import { cacheUntil } from '../../suites/backend/lib/variant-caches.ts'
import rejectsKeyConfusion from '../../suites/signaling/rejects-key-confusion.ts'
import forgedSignatures from '../../suites/signaling/rejects-tampered-token.ts'
import unsignedTokens from '../../suites/signaling/rejects-unsigned-token.ts'
import { judge, judgeInTurn } from './testing/prove.ts'

const reason = 'signaling is given the key directly'

const judgeConfusion = (header: Readonly<Record<string, string>>) =>
  judge(rejectsKeyConfusion, {
    mint: {
      jwks: () => null,
      header: ({ algorithm, kid }) => ({ alg: algorithm, kid, typ: 'JWT', ...header }),
    },
    configuration: { token: { jwks: null }, absent: [{ what: 'jwks', reason }] },
  })

test('keys that are declared absent, and that the header of the token names, are untested, with the reason', async () => {
  expect(await judgeConfusion({ jku: 'https://keys.example/jwks.json' })).toMatchObject({
    verdict: 'untested',
    reason: `declared absent (jwks): ${reason}; but the token's header names its public key (jku)`,
  })
})

test('keys that are published nowhere do not apply', async () => {
  expect((await judgeConfusion({})).verdict).toBe('not-applicable')
})

// A "forgery" that equals a token of the service is none: accepting it breaks nothing.

async function judgeForgeries(variant: Variant, withoutDouble = false) {
  const results = await judgeInTurn([forgedSignatures, unsignedTokens], variant, { withoutDouble })
  return results.map(({ verdict }) => verdict)
}

test('a claim in which the user is encrypted is not changed by a rewrite', async () => {
  const [key, iv] = [Buffer.alloc(32, 7), Buffer.alloc(16)]
  const encrypt = (text: string) => {
    const cipher = createCipheriv('aes-256-cbc', key, iv)
    return Buffer.concat([cipher.update(text), cipher.final()]).toString('base64url')
  }
  const decrypt = (text: string) => {
    const decipher = createDecipheriv('aes-256-cbc', key, iv)
    return Buffer.concat([decipher.update(text, 'base64url'), decipher.final()]).toString('utf8')
  }
  const verdicts = await judgeForgeries({
    mint: {
      claims: (grant, { expiresAt }) => ({
        u: encrypt(grant.userId),
        jti: crypto.randomUUID(),
        exp: expiresAt,
      }),
    },
    signaling: {
      declaredUser: { in: 'none' },
      userOf: ({ u }) => (typeof u === 'string' ? decrypt(u) : null),
    },
  })
  expect(verdicts).toEqual(['pass', 'pass'])
})

test.each(['ES256', 'EdDSA'] as const)(
  'a caching backend as the only source hands out one %s token',
  async (algorithm) => {
    const verdicts = await judgeForgeries(
      {
        mint: { algorithm },
        backend: cacheUntil(() => Number.POSITIVE_INFINITY),
        configuration: { mint: null },
      },
      true,
    )
    expect(verdicts).toEqual(['pass', 'pass'])
  },
)

test('a mint whose signatures are deterministic gives one user the same token twice in a second', async () => {
  const verdicts = await judgeForgeries(
    {
      mint: {
        algorithm: 'EdDSA',
        now: () => Math.ceil(Date.now() / 60_000) * 60_000,
        claims: (grant, { issuedAt, expiresAt }) => ({ sub: grant.userId, iat: issuedAt, exp: expiresAt }),
      },
      signaling: { issuedAtHolds: () => true },
      configuration: { mint: null },
    },
    true,
  )
  expect(verdicts).toEqual(['pass', 'pass'])
})
