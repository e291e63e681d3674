import { expect, test } from 'vitest'
import { unavailabilities } from '../base/evidence/transport-fault.ts'
import type { Level, Verdict } from '../base/verdict.ts'
import type { Cause } from '../requirement/cause.ts'
import { describeBreach, type Finding } from '../requirement/judge.ts'
import type { CheckResult } from '../requirement/run.ts'
import { adviseOnOutage, findOutages, groupErrors } from './group-errors.ts'
import { groupFindings, listOtherCases } from './group-findings.ts'

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

test('a part that died is one group with what it broke off, and with a backend that fails while its mint is dead', () => {
  const groups = groupErrors([
    down('mint', 'broken off', 'MINT-02'),
    down('mint', 'silent', 'MINT-03'),
    down('mint', 'refusing', 'MINT-04', 'the mint refused the connection'),
    down('backend', 'failing', 'BACK-02'),
    down('backend', 'silent', 'BACK-03'),
  ])
  expect(groups).toMatchObject([
    {
      cause: 'the mint refused the connection',
      checks: [{ id: 'MINT-04' }, { id: 'MINT-02' }, { id: 'MINT-03' }, { id: 'BACK-02' }],
    },
    { checks: [{ id: 'BACK-03' }] },
  ])
})

test.each(['rejecting', 'failing'] as const)('a backend fails for a mint that is %s', (unavailable) => {
  const groups = groupErrors([
    down('backend', 'failing', 'BACK-02'),
    down('backend', 'silent', 'BACK-03'),
    down('mint', unavailable, 'SIG-04', 'the mint returned no token'),
  ])
  expect(groups).toMatchObject([
    { cause: 'the mint returned no token', checks: [{ id: 'SIG-04' }, { id: 'BACK-02' }] },
    { checks: [{ id: 'BACK-03' }] },
  ])
})

test('an outage has all that wait for it; one requirement alone is none', () => {
  const refused = 'control failed: signaling should have accepted a token, but it refused the connection'
  const lost = (id: string) => down('signaling', 'refusing', id, refused)
  const untested = { ...lost('SIG-04'), verdict: 'untested' as const }
  const checks = [lost('SIG-02'), error('MINT-01', 'a different reason'), lost('SIG-03'), untested]
  expect(findOutages(checks)).toEqual([{ cause: refused, requirements: ['SIG-02', 'SIG-03'] }])
})

test('advises on the pace where a part limits its rate, and on its log where it is down', () => {
  const advise = (...cause: [Cause['part'], Cause['unavailable']]) => {
    const checks = [down(...cause, 'A'), down(...cause, 'B')]
    const [outage] = findOutages(checks)
    return outage === undefined ? '' : adviseOnOutage(outage, checks)
  }
  expect(advise('signaling', 'limited')).toMatch(/limits\.pace\.signaling/)
  expect(advise('signaling', 'limited')).not.toMatch(/up again|its log|its cap/)
  expect(advise('mint', 'limited')).toMatch(/limits\.pace\.mint.* below its cap/)
  expect(advise('backend', 'failing')).toMatch(/^Bring the part up again/)
  expect(new Set(unavailabilities.map((one) => advise('backend', one))).size).toBe(unavailabilities.length)
})

test('points to the requirement that explains the outage, where one fails', () => {
  const checks = [down('signaling', 'failing', 'SIG-02'), down('signaling', 'failing', 'SIG-03')]
  const broken = error('SIG-32', '', { verdict: 'fail', role: 'signaling' })
  const other = error('BACK-22', '', { verdict: 'fail' })
  const [outage = { cause: '', requirements: [] }] = findOutages(checks)
  expect(adviseOnOutage(outage, [...checks, other])).toMatch(/up again/)
  expect(adviseOnOutage(outage, [...checks, other, broken])).toMatch(/^Correct SIG-32 first/)
})

const advice = 'Answer 502 with { "error": "…" } when the mint call fails.'

function found(name: string, verdict: Verdict = 'fail', level: Level = 'MUST', fix = advice): Finding {
  const saw = `status 200 when the mint answered ${name}`
  return describeBreach({ level, verdict }, { case: name, saw, expected: 'a non-2xx response (4.2.4)', fix })
}

test('groups findings that ask for the same change, with the cases behind the first, each once', () => {
  const findings = ['401', '403', '401', 'with HTML'].map((name) => found(name))
  const groups = groupFindings(findings)
  expect(groups).toEqual([{ verdict: 'fail', findings }])
  expect(groups.map(listOtherCases)).toEqual(['also: 403, with HTML'])
})

test('separates another change, level or verdict, the worst first', () => {
  const late = found('after 12 s', 'warn', 'SHOULD', 'Set a deadline.')
  const wrong = found('200')
  expect(groupFindings([late, wrong]).map(({ findings }) => findings)).toEqual([[wrong], [late]])
})
