import { expect, test } from 'vitest'
import { describeBreach, type Finding, type Judgement } from './judge.ts'
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
  const violation = (saw: string, name?: string) =>
    ({
      verdict: 'fail',
      findings: [
        describeBreach(
          { level: 'MUST', verdict: 'fail' },
          { case: name, saw, expected: 'no leak', fix: 'Close it.' },
        ),
      ],
    }) as const
  expect(choose(violation('a leak after 3 s'), violation('another leak of tt-1')).findings).toHaveLength(1)
  expect(choose(violation('a leak', 'in a cookie'), violation('a leak', 'in a URL')).findings).toHaveLength(2)
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
