import { expect, test } from 'vitest'
import { figuresText } from '../../src/storm/judge-storm.ts'
import type { StormPlan } from '../../src/storm/plan.ts'
import { judgeVariant } from './judge-variant.ts'
import { brokenVariants, conformingVariants } from './variants.ts'

const plan: StormPlan = {
  profile: 'steady',
  users: 40,
  shard: { index: 1, count: 1 },
  rampSeconds: 0,
  seconds: 2,
  leastTurns: 400,
  thinkMs: 300,
  waveMs: 1000,
  jitterMs: 300,
}

// One after the other: on a starved machine the requests of several storms would time out, and nothing be judged.
test.each(Object.entries(brokenVariants))(
  'catches a service that %s',
  async (_, { variant, breaks, profile = 'steady' }) => {
    const { checks, tally } = await judgeVariant(variant(), { ...plan, profile })
    const failed = checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
    expect(failed, figuresText(tally)).toContain(breaks)
  },
)

test.each(Object.entries(conformingVariants))('accuses no %s', async (_, { variant, profile = 'steady' }) => {
  const { checks, tally } = await judgeVariant(variant(), { ...plan, profile })
  const accused = checks.filter(
    ({ verdict }) => verdict === 'fail' || verdict === 'warn' || verdict === 'error',
  )
  expect(accused, figuresText(tally)).toEqual([])
})
