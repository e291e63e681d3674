import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import rejectsKeyConfusion from '../../suites/signaling/rejects-key-confusion.ts'

const reason = 'signaling is given the key directly'

async function judged(header: Readonly<Record<string, string>>) {
  await using reference = await startReference({
    variant: {
      mint: {
        jwks: () => null,
        header: ({ algorithm, kid }) => ({ alg: algorithm, kid, typ: 'JWT', ...header }),
      },
      configuration: { token: { jwks: null }, absent: [{ what: 'jwks', reason }] },
    },
  })
  await using session = await openSession(reference.configuration)
  return await runCheck(rejectsKeyConfusion, session)
}

test('keys that are declared absent, and that the header of the token names, are untested, with the reason', async () => {
  const { verdict, reason: said } = await judged({ jku: 'https://keys.example/jwks.json' })
  expect({ verdict, said }).toEqual({
    verdict: 'untested',
    said: `declared absent (jwks): ${reason}; but the token's header names its public key (jku)`,
  })
})

test('keys that are published nowhere do not apply', async () => {
  expect((await judged({})).verdict).toBe('not-applicable')
})
