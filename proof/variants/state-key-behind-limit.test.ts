import { expect, test } from 'vitest'
import type { MintPolicy } from '../../fixtures/mint/policy.ts'
import { startReference } from '../../fixtures/stack.ts'
import { runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import rejectsSuspended from '../../suites/mint/rejects-suspended-key.ts'

const everyMs = 3_200

/** Counts requests of any key, as a gateway does before the mint. */
function limited(): Partial<MintPolicy> {
  let next = 0
  return {
    answer(usual) {
      const now = performance.now()
      if (now >= next) {
        next = now + everyMs
        return usual
      }
      const headers = { 'content-type': 'application/json', 'retry-after': '1' }
      return { status: 429, headers, body: '{"error":"too many requests"}' }
    },
  }
}

test('a limit on the rate is not taken for the rejection of a suspended key', async () => {
  await using reference = await startReference({ variant: { mint: limited() } })
  await using session = await openSession(reference.configuration)
  const { verdict, observations } = await runCheck(rejectsSuspended, session)
  expect([verdict, observations]).toMatchObject(['pass', { statuses: [403, 403] }])
})
