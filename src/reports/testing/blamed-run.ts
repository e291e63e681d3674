import type { Blame } from '../../requirement/blame.ts'
import type { RunResults } from '../results.ts'
import { frozenRun } from './frozen-run.ts'

/** A table with each kind of row, and hostile text. */
export const blame: Blame = {
  conclusion: 'unknown',
  parts: ['backend'],
  sentence: 'It heals with the reference as backend; the mint could not be replaced and is not ruled out.',
  tries: [
    { replaced: [], verdict: 'fail', detail: 'saw <b>|`a`; expected "b"' },
    { replaced: ['mint'], verdict: null, detail: 'not possible: needs backend.fakeMint' },
    { replaced: ['backend'], verdict: 'pass', detail: null },
    { replaced: ['mint', 'backend'], verdict: 'error', detail: 'control failed' },
  ],
}

export const blamedRun: RunResults = {
  ...frozenRun,
  checks: frozenRun.checks.map((check) => (check.id === 'BACK-08' ? { ...check, blame } : check)),
}
