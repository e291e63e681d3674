import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import recovers from '../../suites/backend/recovers-from-stalled-mint.ts'
import connects from '../../suites/flow/connects-end-to-end.ts'
import rejects from '../../suites/flow/rejects-when-minting-fails.ts'
import type { AnyCheck } from './define.ts'
import { runCheck, sortByPhase } from './run.ts'
import { openSession } from './session.ts'

test('a backend that stays down after a stall of the mint costs no other requirement its verdict', async () => {
  await using stack = await startReference({
    variant: recovers.catches['stays closed for a minute after failures'] ?? {},
  })
  await using session = await openSession(stack.configuration)
  const checks: readonly AnyCheck[] = [recovers, rejects, connects]
  const results = await Promise.all(sortByPhase(checks).map((check) => runCheck(check, session)))
  const verdicts = Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]))
  expect(verdicts).toEqual({ 'BACK-22': 'warn', 'FLOW-06': 'pass', 'FLOW-01': 'pass' })
})
