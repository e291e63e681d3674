import { expect, test } from 'vitest'
import { type Verdict, verdicts } from '../base/verdict.ts'
import { loadCatalogue } from '../catalogue/load-requirements.ts'
import type { Waiver } from '../configuration/configuration.ts'
import { resultsOf } from '../reports/results.ts'
import { frozenRun } from '../reports/testing/frozen-run.ts'
import type { CheckResult } from '../requirement/run.ts'
import { applyWaivers, assertWaiversKnown } from './waivers.ts'

const today = new Date('2027-03-31T23:59:00Z')
const waiver: Waiver = {
  id: 'SIG-08',
  reason: 'close code lands in March',
  issue: 'https://issues.example/42',
  expires: '2027-03-31',
}
const because = 'waived until 2027-03-31: close code lands in March (https://issues.example/42)'

function judged(verdict: Verdict, reason: string | null = null): CheckResult {
  const finding = { level: 'SHOULD' as const, verdict, message: `came out ${verdict}`, evidence: ['x4'] }
  return {
    id: 'SIG-08',
    title: 'reports a refusal as 401',
    role: 'signaling',
    level: 'SHOULD',
    clauses: ['7.3'],
    verdict,
    durationMs: 1,
    reason,
    findings: [finding],
    observations: {},
  }
}

const apply = (result: CheckResult, waivers: readonly Waiver[] = [waiver], day = today) =>
  applyWaivers([result], waivers, day)[0] ?? result

test.each(['fail', 'warn'] as const)('a waived %s is a warning that counts for nothing', (verdict) => {
  expect(apply(judged(verdict))).toMatchObject({ verdict: 'warn', waived: true, reason: because })
})

test.each(['pass', 'info', 'not-applicable'] as const)('a waived %s is red', (verdict) => {
  const result = apply(judged(verdict))
  expect(result).toMatchObject({ verdict: 'fail', reason: `stale waiver (${because})` })
  expect(result.findings.map(({ message }) => message)).toEqual([
    expect.stringContaining('Remove the waiver.'),
    `came out ${verdict}`,
  ])
})

test.each(['untested', 'error'] as const)('a waived %s stays so, and says so', (verdict) => {
  expect(apply(judged(verdict, 'no oracle'))).toMatchObject({ verdict, reason: `no oracle; ${because}` })
})

test.each(verdicts)('a waiver that has expired is red, whatever came out: %s', (verdict) => {
  const result = apply(judged(verdict), [waiver], new Date('2027-04-01T00:00:00Z'))
  expect(result.verdict).toBe('fail')
  expect(result.findings[0]?.message).toContain('saw a waiver that expired on 2027-03-31')
})

test('fails a requirement where one of its two waivers has expired', () => {
  const expired = { ...waiver, expires: '2027-03-30' }
  expect(apply(judged('fail'), [waiver, expired]).verdict).toBe('fail')
})

test('leaves alone what is not waived', () => {
  const other = { ...judged('fail'), id: 'SIG-07' }
  expect(apply(other)).toBe(other)
})

test('a stale waiver makes a run nonconformant, and a waived failure does not', () => {
  const outcomeOf = (verdict: Verdict) =>
    resultsOf({ ...frozenRun, startedAt: today, interrupted: false, checks: [apply(judged(verdict))] })
      .outcome
  expect([outcomeOf('pass'), outcomeOf('fail')]).toEqual(['nonconformant', 'conformant'])
})

const catalogue = await loadCatalogue()

test('a waiver of a requirement that there is not is an error, with the nearest', () => {
  expect(() => assertWaiversKnown([{ id: 'SIG-98', reason: 'a slip' }], catalogue)).toThrow(
    expect.objectContaining({
      code: 'configuration',
      message: expect.stringMatching(/^waivers: unknown requirement "SIG-98"; did you mean .*SIG-08/),
    }),
  )
})

test('waivers of requirements, and of contracts that are known only later, are none', () => {
  const waivers = ['SIG-08', 'MINT-01', 'PACT-04'].map((id) => ({ id, reason: 'later' }))
  expect(() => assertWaiversKnown(waivers, catalogue)).not.toThrow()
})
