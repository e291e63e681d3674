import { expect, test } from 'vitest'
import { listPaceGaps } from './pace-gaps.ts'

const checks = [
  { id: 'BACK-01' },
  { id: 'BACK-11', atOnce: { backend: 2 } },
  { id: 'BACK-22', atOnce: { backend: 100 } },
  { id: 'SIG-32', atOnce: { signaling: 4 } },
]

test('names each check that the pace leaves untested, with the key to raise', () => {
  expect(listPaceGaps(checks, { backend: { perSecond: 5, atOnce: 2 } })).toEqual([
    'BACK-22 stays untested: limits.pace allows 2 requests at once to backend; needs 100 (limits.pace.backend.atOnce)',
  ])
})

test('counts the limit of the mint for the backend, which calls it each time', () => {
  expect(listPaceGaps(checks, { mint: { atOnce: 1 } })).toHaveLength(2)
})

test('says nothing without a pace', () => {
  expect(listPaceGaps(checks, {})).toEqual([])
})
