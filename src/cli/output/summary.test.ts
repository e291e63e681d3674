import { expect, test } from 'vitest'
import { pageAddress } from '../../base/version.ts'
import type { AbsentPart } from '../../configuration/configuration.ts'
import { renderHtml } from '../../reports/run/html.ts'
import { renderMarkdown } from '../../reports/run/markdown.ts'
import { frozenRun } from '../../reports/testing/frozen-run.ts'
import { summaryText } from './summary.ts'

const text = summaryText(frozenRun, { color: false, reportPath: '/out/report.html' })
const lines = text.split('\n')

test('an entry says what was seen, expected, the clause and the change; a violation also what else to change', () => {
  const at = lines.indexOf('  ✗ MINT-04 issues nothing without an API key')
  expect(lines[at + 1]).toMatch(/^ {4}saw .*; expected .* \(MUST/)
  expect(lines.slice(at).find((line) => line.startsWith('    Warning: '))).toBe(
    '    Warning: saw 200; expected 401 (TYPICAL, clause 2.2)',
  )
  // Only a violation says why it matters.
  expect(lines.filter((line) => line.includes('could call as any user'))).toHaveLength(1)
  expect(text).toContain(`\nclauses: ${pageAddress('specification')}\ndetails: npx twotoken explain `)
})

test('prints a waived violation as a warning, with the waiver', () => {
  expect(text).toMatch(
    / {2}! SIG-08 .+\n {4}saw close 1008; expected close 4401 \(MUST, clause 7\.3\)\n {4}waived until 2027-03-31/,
  )
})

test('requirements that wait for one part are one entry, with all their ids, before the violations', () => {
  const [lost] = frozenRun.checks.filter(({ verdict }) => verdict === 'error')
  if (lost === undefined) throw new Error('the run has no error')
  const reason = 'control failed: the backend returned 502 without a token for a valid session'
  const cause = { part: 'backend', unavailable: 'failing' } as const
  const violated = frozenRun.checks.filter(({ verdict }) => verdict === 'fail')
  const checks = [
    ...violated,
    ...['BACK-01', 'BACK-02', 'BACK-03'].map((id) => ({ ...lost, id, reason, cause, findings: [] })),
  ]
  const told = summaryText({ ...frozenRun, checks }, { color: false, reportPath: '/out/report.html' })
  expect(told).toContain(
    `Outages\n  BACK-01   ${reason} (3 requirements wait for this one)\n            BACK-01 BACK-02 BACK-03\n`,
  )
  expect(told.indexOf('Outages')).toBeLessThan(told.indexOf('Violations'))
  expect(told).not.toContain('Errors (')
})

const beginnings = (absent: AbsentPart) => {
  const declared = { verdict: 'not-applicable', reason: 'declared', absent, findings: [] } as const
  const run = {
    ...frozenRun,
    checks: frozenRun.checks.slice(0, 1).map((check) => ({ ...check, ...declared })),
  }
  return {
    console: summaryText(run, { color: false, reportPath: '' }).split('\n').slice(-5).join('\n'),
    markdown: renderMarkdown(run).split('\n').slice(0, 6).join('\n'),
    html: renderHtml(run).split('</header>')[0],
  }
}

test.each(['console', 'markdown', 'html'] as const)('the %s says what was declared, not judged', (form) => {
  expect(beginnings({ what: 'mintTls', reason: 'no certificates here' })[form]).toMatch(
    /Declared, not judged: .* is absent: no certificates here/,
  )
  expect(beginnings({ what: 'hooks', reason: 'no operator' })[form]).not.toContain('Declared, not judged')
})
