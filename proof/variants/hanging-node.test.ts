import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import connects from '../../suites/flow/connects-end-to-end.ts'
import separates from '../../suites/flow/separates-concurrent-users.ts'

/** As many as show that no busy machine is the cause. */
const silentAtFirst = 6

/** A balancer with a dead node: it leaves the first requests and then every third without an answer. */
function withDeadNode() {
  let count = 0
  let open = 0
  const seen = { mostOpen: 0 }
  const answer = async <Answer>(usual: Answer): Promise<Answer> => {
    count += 1
    if (count > silentAtFirst && count % 3 !== 0) return usual
    open += 1
    seen.mostOpen = Math.max(seen.mostOpen, open)
    setTimeout(() => (open -= 1), 5000)
    return await new Promise(() => {})
  }
  return { seen, variant: { backend: { answer } } }
}

test('requests that a dead node leaves without an answer are waited for side by side', async () => {
  const { seen, variant } = withDeadNode()
  await using stack = await startReference({
    variant: { ...variant, configuration: { limits: { requestSeconds: 5 } } },
  })
  await using session = await openSession(stack.configuration)
  // Its silence is known from then on.
  for (let count = 0; count < silentAtFirst / 2; count += 1) await runCheck(connects, session)
  const { verdict, reason } = await runCheck(separates, session)
  // On a machine that is busy besides, a control may be late.
  expect(['pass', 'error'], reason ?? '').toContain(verdict)
  expect(seen.mostOpen).toBeGreaterThan(2)
})
