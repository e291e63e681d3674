import { expect, test } from 'vitest'
import { MintFailure } from '../../fixtures/backend/mint-client.ts'
import { startReference } from '../../fixtures/stack.ts'
import { conforming } from '../../fixtures/variants/backend.ts'
import type { AnyCheck, Catch } from '../../src/requirement/define.ts'
import { runCheck, sortByTurn } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import { broken as failing } from '../../suites/backend/answers-error-when-minting-fails.broken.ts'
import answersError from '../../suites/backend/answers-error-when-minting-fails.ts'
import { broken as stalled } from '../../suites/backend/recovers-from-stalled-mint.broken.ts'
import recovers from '../../suites/backend/recovers-from-stalled-mint.ts'
import connects from '../../suites/flow/connects-end-to-end.ts'
import rejects from '../../suites/flow/rejects-when-minting-fails.ts'

/** In the order of a run, in which both that need a silent mint come last. */
async function judgeTogether(variant: Catch): Promise<Record<string, string>> {
  await using stack = await startReference({ variant })
  await using session = await openSession(stack.configuration)
  const checks: readonly AnyCheck[] = [recovers, answersError, rejects, connects]
  const results = await Promise.all(sortByTurn(checks).map((check) => runCheck(check, session)))
  return Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]))
}

const passing = { 'BACK-07': 'pass', 'BACK-22': 'pass', 'FLOW-01': 'pass', 'FLOW-06': 'pass' }

/** Short, so that a silence is. */
const quick = { mintDeadlineMs: 800 }
const patience = { configuration: { limits: { backendAnswerSeconds: 2 } } }

test('a backend that stays down after a stall of the mint costs no other requirement its verdict', async () => {
  const broken = stalled['asks the mint again only after a while']
  expect(await judgeTogether({ ...patience, backend: { ...broken?.backend, ...quick } })).toEqual({
    ...passing,
    'BACK-22': 'warn',
  })
})

test('both requirements that need a silent mint judge a silence of their own', async () => {
  const cached = failing['returns an expired token of the user when the mint hangs']
  expect(await judgeTogether({ backend: { ...cached?.backend, ...quick } })).toMatchObject({
    'BACK-07': 'fail',
    'BACK-22': 'pass',
  })
  const unbounded = stalled['runs out of connections for good']
  expect(
    await judgeTogether({
      backend: { ...unbounded?.backend },
      configuration: { limits: { backendAnswerSeconds: 1, neverSeconds: 30 } },
    }),
  ).toMatchObject({ 'BACK-07': 'fail', 'BACK-22': 'warn' })
})

test('a call that all requests of one user share is judged by both', async () => {
  const sharing = conforming['lets simultaneous requests of one user share a mint call']?.variant
  expect(await judgeTogether({ backend: { ...sharing?.backend, ...quick } })).toMatchObject({
    'BACK-07': 'pass',
    'BACK-22': 'pass',
  })
  const endless = stalled['shares a mint call that never ends']
  expect(
    await judgeTogether({
      backend: { ...endless?.backend },
      configuration: { limits: { backendAnswerSeconds: 1, neverSeconds: 30 } },
    }),
  ).toMatchObject({ 'BACK-07': 'fail', 'BACK-22': 'warn' })
})

test('a backend that keeps tokens for a moment makes a call that stalls', async () => {
  const keeping = conforming['keeps a token per user for a second, against double clicks']?.variant
  await using stack = await startReference({ variant: { backend: { ...keeping?.backend, ...quick } } })
  await using session = await openSession(stack.configuration)
  const { verdict, observations } = await runCheck(recovers, session)
  expect(verdict).toBe('pass')
  expect(observations['backend.stalledMintCalls']).toBeGreaterThan(0)
})

test('a backend whose circuit is open at first is waited for', async () => {
  let openUntil = 0
  const backend: Catch['backend'] = {
    tokenFor(userId, { mint }) {
      openUntil ||= performance.now() + 3000
      return performance.now() < openUntil
        ? Promise.reject(new MintFailure('the circuit is open'))
        : mint(userId)
    },
  }
  await using stack = await startReference({ variant: { backend } })
  await using session = await openSession(stack.configuration)
  expect(await runCheck(recovers, session)).toMatchObject({ verdict: 'pass' })
})

test('a correct backend that serves one request at a time is not accused behind a crowd', async () => {
  expect(await judgeTogether({ backend: oneAtATime() })).toMatchObject({
    'BACK-07': 'pass',
    'FLOW-06': 'pass',
  })
})

test('a correct backend that tries calls again in a queue is not accused behind a crowd', async () => {
  const queueing = conforming['tries failed mint calls again in a queue, after a pause']?.variant
  expect(await judgeTogether({ backend: { ...queueing?.backend, ...quick } })).toEqual(passing)
})

/** Each mint call waits for the one before it. */
function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve()
  return {
    mintDeadlineMs: 300,
    callMint<Call, Reply>(call: Call, usual: (call: Call) => Promise<Reply>): Promise<Reply> {
      const mine = last.then(() => usual(call))
      last = mine.catch(() => undefined)
      return mine
    },
  }
}
