import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import rotation from '../../suites/signaling/records-key-rotation.ts'

test.each([
  ['a published key', {}],
  [
    'a shared secret',
    {
      mint: { algorithm: 'HS256' },
      signaling: { algorithms: ['HS256'] },
      configuration: { token: { jwks: null } },
    },
  ],
] as const)('the reference replaces %s when it is told to, and forgets the old one', async (_, variant) => {
  await using reference = await startReference({ variant })
  await using session = await openSession(reference.configuration)
  const { verdict, observations } = await runCheck(rotation, session)
  expect(verdict).toBe('info')
  expect(observations).toEqual({
    'signaling.keyIdAfterRotation': 'another',
    'signaling.newKeyAccepted': expect.stringMatching(/^after/),
    'signaling.removedKeyRejected': expect.stringMatching(/^after/),
  })
})
