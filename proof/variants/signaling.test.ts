import { createCipheriv, createDecipheriv } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { systemClock } from '../../src/base/clock.ts'
import { ControlLost } from '../../src/base/inconclusive.ts'
import type { Variant } from '../../src/requirement/define.ts'
import { createJudge } from '../../src/requirement/judge.ts'
import { runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import { cacheUntil } from '../../suites/backend/lib/variant-caches.ts'
import rejectsKeyConfusion from '../../suites/signaling/rejects-key-confusion.ts'
import forgedSignatures from '../../suites/signaling/rejects-tampered-token.ts'
import unsignedTokens from '../../suites/signaling/rejects-unsigned-token.ts'
import sig32 from '../../suites/signaling/serves-users-during-refusals.ts'
import sparesOthers from '../../suites/signaling/spares-others-at-the-end.ts'
import { judge, judgeInTurn } from './testing/judge.ts'

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

/** A key at `hooks.revokeKey.key` that may be of the project of `mint.apiKey`, and no other hook. */
async function judgeEndOfKey(variant: Variant) {
  await using reference = await startReference({
    variant: { ...variant, configuration: { hooks: { signOut: null, suspendProject: null } } },
  })
  const { mint, hooks, ...rest } = reference.configuration
  const key = mint?.otherProjectKey
  if (mint === undefined || key === undefined || hooks?.revokeKey === undefined)
    throw new Error('the reference has no key to revoke')
  const configuration = {
    ...rest,
    mint: { ...mint, otherProjectKey: undefined },
    hooks: { ...hooks, revokeKey: { ...hooks.revokeKey, key } },
  }
  await using session = await openSession(configuration)
  return await runCheck(sparesOthers, session)
}

test('the end of a key is recorded where no other token is sure to be of another project', async () => {
  const { verdict, reason, observations } = await judgeEndOfKey({})
  expect(verdict).toBe('info')
  expect(reason).toBe(
    'after the revocation of an API key, no token was offered that is sure to be of another project',
  )
  expect(observations).toMatchObject({
    'signaling.tokensOfRevokedKey': 'accepted for 3 s',
    'signaling.socketOfRevokedKey': 'open for 3 s',
  })
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

test('a token that fails to come during the rejections ends SIG-32 alone, not the process', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  let issued = 0
  const fresh = async () => {
    issued += 1
    if (issued > 4) throw new ControlLost('the mint did not answer within 1 s')
    return { jwt: 'a.b.c', userId: 'u-1' }
  }
  const attempt = async () => {
    await new Promise((resolve) => setTimeout(resolve, 1))
    return { outcome: 'refused' }
  }
  const parts = {
    callingTokens: { fresh },
    signaling: {
      join: async () => ({ outcome: 'accepted', startedAt: 0, decidedAt: 1 }),
      outlastBan: async () => 0,
      attempt,
    },
    clock: systemClock,
  }
  await expect(sig32.run(parts as never, createJudge('ADVISORY'))).rejects.toThrow(ControlLost)
  expect(unhandled).toEqual([])
})
