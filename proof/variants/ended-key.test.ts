import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import type { Variant } from '../../src/requirement/define.ts'
import { runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import sparesOthers from '../../suites/signaling/spares-others-at-the-end.ts'

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
