import { expect, test } from 'vitest'
import { rerunCommand } from './rerun-command.ts'

const run = { config: 'mint.yaml', seed: 7 }

test('tells a story again where there is one, and explores again where there is none', () => {
  const explored = { id: 'EXP-41', role: 'mint' } as const
  const story = { role: 'mint', id: 'EXP-41', steps: [] } as never
  expect(rerunCommand({ ...explored, story }, run)).toBe(
    'npx twotoken explore mint --config mint.yaml --replay twotoken-results/explore-mint/story-EXP-41.json',
  )
  expect(rerunCommand(explored, run)).toBe('npx twotoken explore mint --config mint.yaml --seed 7')
})

test('names the seed of a requirement, and no command for a pact without a configuration', () => {
  expect(rerunCommand({ id: 'MINT-01', role: 'mint' }, run)).toBe(
    'npx twotoken run --only MINT-01 --config mint.yaml --seed 7',
  )
  expect(rerunCommand({ id: 'PACT-MINT-01', role: 'mint' }, { seed: 7 })).toBeNull()
})
