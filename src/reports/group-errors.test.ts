import { expect, test } from 'vitest'
import type { Cause } from '../requirement/cause.ts'
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

const down = (
  part: Cause['part'],
  unavailable: Cause['unavailable'],
  id: string,
  reason = `${part} was down`,
): CheckResult => error(id, reason, { cause: { part, unavailable } })

test('puts all errors of one part that is down in one group, whatever was asked of it', () => {
  const groups = groupErrors([
    down('signaling', 'failing', 'SIG-02'),
    down('backend', 'failing', 'BACK-04', 'control failed: the backend returned 502 without a token'),
    down('backend', 'failing', 'BACK-05', 'no token for the session of bob'),
    down('backend', 'silent', 'BACK-06'),
    error('MINT-01', 'a different reason'),
    error('MINT-02', 'a different reason'),
  ])
  expect(groups.map(({ checks }) => checks.map(({ id }) => id))).toEqual([
    ['BACK-04', 'BACK-05'],
    ['SIG-02'],
    ['BACK-06'],
    ['MINT-01'],
    ['MINT-02'],
  ])
  expect(groups[0]?.cause).toContain('returned 502')
})

test('an outage has all that wait for it; one requirement alone is none', () => {
  const refused = 'control failed: signaling should have accepted a token, but it refused the connection'
  const checks = [
    down('signaling', 'refusing', 'SIG-02', refused),
    error('MINT-01', 'a different reason'),
    down('signaling', 'refusing', 'SIG-03', refused),
    { ...down('signaling', 'refusing', 'SIG-04', refused), verdict: 'untested' as const },
  ]
  expect(findOutages(checks)).toEqual([{ cause: refused, requirements: ['SIG-02', 'SIG-03'] }])
})
