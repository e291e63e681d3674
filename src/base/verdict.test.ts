import { expect, test } from 'vitest'
import { exitCodeOfOutcome, type Judged, outcomeOf, type Verdict } from './verdict.ts'

const of = (...verdicts: readonly Verdict[]): Judged[] => verdicts.map((verdict) => ({ verdict }))
const defect: Judged = { verdict: 'error', defect: true }

test.each<[string, readonly Judged[], number]>([
  ['nothing broken', of('pass', 'warn', 'info', 'not-applicable'), 0],
  ['a violation, whatever else there is', [...of('pass', 'fail', 'error', 'untested'), defect], 1],
  ['what a network kept from being judged', of('pass', 'error'), 3],
  ['what something is missing for', of('pass', 'untested'), 3],
  ['nothing that applies', of('not-applicable'), 3],
  ['nothing at all', [], 3],
  ['a defect of the suite beside what is missing', [...of('pass', 'untested', 'error'), defect], 4],
])('%s', (_, checks, code) => {
  expect(exitCodeOfOutcome[outcomeOf(checks)]).toBe(code)
})
