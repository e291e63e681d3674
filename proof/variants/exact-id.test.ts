import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import mintsForTheExactId from '../../suites/backend/mints-for-the-exact-id.ts'

const withoutOdd = { backend: { sessions: { odd: null } } }

test('without users of odd ids a backend that changes no id is not judged further', async () => {
  await using reference = await startReference({ variant: { configuration: withoutOdd } })
  await using session = await openSession(reference.configuration)
  const { verdict, reason } = await runCheck(mintsForTheExactId, session)
  expect([verdict, reason]).toEqual(['not-applicable', expect.stringContaining('backend.sessions.odd')])
})

test('an id that the file alone writes in other letters warns, and says where to correct it', async () => {
  const configuration = { backend: { sessions: { odd: null, alice: { userId: 'U-ALICE' } } } }
  await using reference = await startReference({ variant: { configuration } })
  await using session = await openSession(reference.configuration)
  const { verdict, findings } = await runCheck(mintsForTheExactId, session)
  expect(verdict).toBe('warn')
  expect(findings.map(({ message }) => message).join()).toContain('correct backend.sessions.alice.userId')
})

test('an id of the same length is not said to be of another length', async () => {
  const userId = ({ userId: id }: { readonly userId: string }) => id.replaceAll('"', '_')
  await using reference = await startReference({ variant: { backend: { userId } } })
  await using session = await openSession(reference.configuration)
  const { verdict, findings } = await runCheck(mintsForTheExactId, session)
  expect(verdict).toBe('fail')
  expect(JSON.stringify(findings)).not.toMatch(/of (\d+) characters instead of \1\b/)
})
