import { expect, test } from 'vitest'
import type { Cell } from './prove.ts'
import { compareWholeRuns, renderWholeRuns } from './whole-runs.ts'

const cell = (requirement: string, variant: string, verdict: string, accusedBy: readonly string[] = []) =>
  ({ kind: 'broken', requirement, variant, result: { verdict }, accusedBy }) as unknown as Cell

const baseline = renderWholeRuns([
  cell('MINT-05', 'takes a | for a key', 'fail', ['MINT-04']),
  cell('BACK-11', 'keeps one token', 'fail'),
])

test('has a row for each broken variant, in order', () => {
  expect(baseline.split('\n').slice(2)).toEqual([
    '| BACK-11 | keeps one token | fail | |',
    '| MINT-05 | takes a \\| for a key | fail | MINT-04 |',
    '',
  ])
})

test('names the rows that differ from the baseline, and new ones', () => {
  const now = renderWholeRuns([
    cell('MINT-05', 'takes a | for a key', 'error', ['MINT-04']),
    cell('BACK-11', 'keeps one token', 'fail'),
    cell('BACK-12', 'is new', 'fail'),
  ])
  expect(compareWholeRuns(baseline, now)).toEqual([
    'not in the baseline\n  now | BACK-12 | is new | fail | |',
    '| MINT-05 | takes a \\| for a key | fail | MINT-04 |\n  now | MINT-05 | takes a \\| for a key | error | MINT-04 |',
  ])
})
