import { expect, test } from 'vitest'
import type { CheckResult } from '../requirement/run.ts'
import { findOutages, groupErrors } from './group-errors.ts'

const error = (id: string, reason: string, change: Partial<CheckResult> = {}): CheckResult => ({
  id,
  reason,
  title: '',
  role: 'backend',
  level: 'MUST',
  clauses: [],
  verdict: 'error',
  durationMs: 0,
  findings: [],
  observations: {},
  ...change,
})

test('puts all errors of one part that is down in one group, whatever was asked of it', () => {
  const groups = groupErrors([
    error(
      'SIG-02',
      'control failed: signaling should have accepted a fresh calling token, but it closed with 1013',
    ),
    error('BACK-04', 'control failed: the backend returned 502 without a token for a valid session'),
    error('BACK-05', 'control failed: the backend answered 503, with no token for the session of bob'),
    error('BACK-06', 'the backend did not answer within 10 s, but not on a retry'),
    error('BACK-07', 'internal error: the backend returned 502', { defect: true }),
    error('MINT-01', 'a different reason'),
    error('MINT-02', 'a different reason'),
  ])
  expect(groups.map(({ checks }) => checks.map(({ id }) => id))).toEqual([
    ['BACK-04', 'BACK-05'],
    ['SIG-02'],
    ['BACK-06'],
    ['BACK-07'],
    ['MINT-01'],
    ['MINT-02'],
  ])
  expect(groups[0]?.cause).toContain('returned 502')
})

test('an outage has all that wait for it; one requirement alone is none', () => {
  const refused = 'control failed: signaling should have accepted a token, but it refused the connection'
  const checks = [
    error('SIG-02', refused),
    error('MINT-01', 'a different reason'),
    error('SIG-03', refused),
    error('SIG-04', refused, { verdict: 'untested' }),
  ]
  expect(findOutages(checks)).toEqual([{ cause: refused, requirements: ['SIG-02', 'SIG-03'] }])
})
