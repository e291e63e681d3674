import { createCipheriv, createDecipheriv } from 'node:crypto'
import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import type { Variant } from '../../src/requirement/define.ts'
import { runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import { cacheUntil } from '../../suites/backend/lib/variant-caches.ts'
import forgedSignatures from '../../suites/signaling/rejects-tampered-token.ts'
import unsignedTokens from '../../suites/signaling/rejects-unsigned-token.ts'

// A "forgery" that equals a token of the service is none: accepting it breaks nothing.

async function judge(variant: Variant, withoutDouble = false) {
  await using reference = await startReference({ variant, withoutDouble })
  await using session = await openSession(reference.configuration)
  const checks = [forgedSignatures, unsignedTokens]
  return await Promise.all(checks.map(async (check) => (await runCheck(check, session)).verdict))
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
  const verdicts = await judge({
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
    const verdicts = await judge(
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
  const verdicts = await judge(
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
