import { expect, test } from 'vitest'
import { MintFailure } from '../../fixtures/backend/mint-client.ts'
import { conforming } from '../../fixtures/variants/backend.ts'
import type { Catch } from '../../src/requirement/define.ts'
import answersError from '../../suites/backend/answers-error-when-minting-fails.ts'
import { broken as stalled } from '../../suites/backend/recovers-from-stalled-mint.broken.ts'
import recovers from '../../suites/backend/recovers-from-stalled-mint.ts'
import connects from '../../suites/flow/connects-end-to-end.ts'
import rejects from '../../suites/flow/rejects-when-minting-fails.ts'
import { judge, judgeTogether } from '../variants/testing/prove.ts'

/** In the order of a run, in which both that need a silent mint come last. */
async function verdictsOn(variant: Catch): Promise<Record<string, string>> {
  const results = await judgeTogether([recovers, answersError, rejects, connects], variant)
  return Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]))
}

const passing = { 'BACK-07': 'pass', 'BACK-22': 'pass', 'FLOW-01': 'pass', 'FLOW-06': 'pass' }

/** Short, so that a silence is. */
const quick = { mintDeadlineMs: 800 }
const patience = { configuration: { limits: { backendAnswerSeconds: 2 } } }

test('a backend that stays down after a stall of the mint costs no other requirement its verdict', async () => {
  const broken = stalled['asks the mint again only after a while']
  expect(await verdictsOn({ ...patience, backend: { ...broken?.backend, ...quick } })).toEqual({
    ...passing,
    'BACK-22': 'warn',
  })
})

test('a backend that keeps tokens for a moment makes a call that stalls', async () => {
  const keeping = conforming['keeps a token per user for a second, against double clicks']?.variant
  const { verdict, observations } = await judge(recovers, { backend: { ...keeping?.backend, ...quick } })
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
  expect(await judge(recovers, { backend })).toMatchObject({ verdict: 'pass' })
})
