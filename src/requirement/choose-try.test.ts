import { expect, test } from 'vitest'
import type { Finding, Judgement } from './judge.ts'
import { chooseTry } from './retrial.ts'

const faultless = { faultOf: () => null }
const finding = (verdict: Finding['verdict'], message: string): Finding => ({
  level: 'MUST',
  verdict,
  message,
  evidence: [],
})

function choose(first: Partial<Judgement>, second: Partial<Judgement>): Judgement {
  const ready = (judgement: Partial<Judgement>) => ({
    conclude: () => ({
      verdict: 'pass' as const,
      reason: null,
      findings: [],
      observations: {},
      ...judgement,
    }),
  })
  return chooseTry(ready(first), ready(second), faultless)
}

test('a clean second try keeps the violation of the first', () => {
  const chosen = choose(
    { verdict: 'fail', findings: [finding('fail', 'a leak'), finding('error', 'lost')] },
    {},
  )
  expect(chosen).toMatchObject({ verdict: 'fail', findings: [{ message: 'a leak' }] })
})

test('a clean second try keeps the warning of the first', () => {
  expect(choose({ verdict: 'error', findings: [finding('warn', 'late')] }, {}).verdict).toBe('warn')
})

test('names a violation of both tries once', () => {
  const violation = { verdict: 'fail', findings: [finding('fail', 'a leak after 3 s')] } as const
  expect(
    choose(violation, { ...violation, findings: [finding('fail', 'a leak after 4 s')] }).findings,
  ).toHaveLength(1)
})

test('replaces a first try that only lost its control', () => {
  expect(choose({ verdict: 'error', findings: [finding('error', 'lost')] }, {})).toMatchObject({
    verdict: 'pass',
    findings: [],
  })
})

test('keeps a first try where the second lost its control, too', () => {
  expect(choose({ verdict: 'untested' }, { verdict: 'error' }).verdict).toBe('untested')
})
