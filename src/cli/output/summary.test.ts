import { expect, test } from 'vitest'
import { pageAddress } from '../../base/version.ts'
import { frozenRun } from '../../reports/testing/frozen-run.ts'
import { describeBreach } from '../../requirement/judge.ts'
import { summaryText } from './summary.ts'

const text = summaryText(frozenRun, { color: false, reportPath: '/out/report.html' })
const lines = text.split('\n')

test('one entry a requirement under what its findings are, what must be changed first', () => {
  const shown = lines.map(
    (line) => /^[A-Z].*\(\d+\)$/.exec(line)?.[0] ?? /^ {2}(?:[✗?!] )?([A-Z]+-\S+) /.exec(line)?.[1],
  )
  expect(shown.filter((item) => item !== undefined)).toEqual([
    'Violations (2)',
    'MINT-04',
    'BACK-08',
    'Errors (1)',
    'BACK-01',
    'Warnings (2)',
    'SIG-08',
    'BACK-14',
    'Not judged (2)',
    'MINT-16',
    'SIG-22',
  ])
})

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

test('says no advice twice', () => {
  const [check] = broken([401]).checks
  if (check === undefined) throw new Error('the run has no check')
  const twice = { ...frozenRun, checks: [check, { ...check, id: 'BACK-22' }] }
  const shown = summaryText(twice, { color: false, reportPath: '' })
  expect(shown.match(/Answer 502/g)).toHaveLength(1)
  expect(shown).toContain('    The change for BACK-07 is the one for this, too.\n')
})

test('prints a waived violation as a warning, with the waiver', () => {
  expect(text).toMatch(
    / {2}! SIG-08 .+\n {4}saw close 1008; expected close 4401 \(MUST, clause 7\.3\)\n {4}waived until 2027-03-31/,
  )
})

const [violation] = frozenRun.checks.filter(({ id }) => id === 'MINT-04')
const broken = (statuses: readonly number[]) =>
  violation === undefined
    ? frozenRun
    : {
        ...frozenRun,
        checks: [
          {
            ...violation,
            id: 'BACK-07',
            reason: 'the backend answered from a cache',
            findings: statuses.map((status) =>
              describeBreach(
                { level: 'MUST', verdict: 'fail' },
                {
                  case: `${status}`,
                  saw: `status 200 when the mint answered ${status}`,
                  expected: 'a non-2xx response (4.2.4)',
                  fix: 'Answer 502 when the mint call fails.',
                },
              ),
            ),
          },
        ],
      }

test('many cases of one mistake are one entry', () => {
  expect(
    summaryText(broken([401, 403, 429, 500]), { color: false, reportPath: '' })
      .split('\n')
      .slice(0, 6),
  ).toEqual([
    'Violations (1)',
    '  ✗ BACK-07 issues nothing without an API key',
    '    saw status 200 when the mint answered 401; expected a non-2xx response (4.2.4) (MUST; also: 403, 429, 500)',
    '    Anyone who finds the endpoint could call as any user.',
    '    Answer 502 when the mint call fails.',
    '',
  ])
})

test('a list of cases is cut, and says how many are left', () => {
  const shown = summaryText(broken(Array.from({ length: 60 }, (_, index) => 440 + index)), {
    color: false,
    reportPath: '',
  })
  expect(shown.split('\n')[2]).toMatch(/also: 441, 442, .* and 27 more\)$/)
})

test('lists the unjudged part of a requirement apart', () => {
  expect(summaryText(broken([401]), { color: false, reportPath: '' })).toContain(
    'Not judged (1)\n  BACK-07 (in part)  the backend answered from a cache\n',
  )
})

test('cuts a very long observation at a word', () => {
  const long = broken([401])
  const [check] = long.checks
  const [finding] = check?.findings ?? []
  if (check === undefined || finding === undefined) throw new Error('no finding')
  const saw = `${'as userId in JSON, '.repeat(30)}and more`
  const findings = [describeBreach(finding, { saw, expected: 'another', fix: 'Use another.' })]
  const cut = summaryText({ ...long, checks: [{ ...check, findings }] }, { color: false, reportPath: '' })
  expect(cut.split('\n')[2]).toMatch(/as userId in … \(all of it in the report\); expected another \(MUST/)
})

test('entries are wrapped at the width of the terminal', () => {
  const shown = summaryText(broken([401, 403]), { color: false, columns: 60, reportPath: '' })
  expect(shown.split('\n').slice(0, 5)).toEqual([
    'Violations (1)',
    '  ✗ BACK-07 issues nothing without an API key',
    '    saw status 200 when the mint answered 401; expected a',
    '    non-2xx response (4.2.4) (MUST; also: 403)',
    '    Anyone who finds the endpoint could call as any user.',
  ])
})

test('lists requirements that are unjudged for the same reason on one line', () => {
  expect(lines).toContain("  SIG-22 SIG-25  needs token.jwks, the service's published keys")
})

test('only counts what held, and ends with the outcome and the report', () => {
  expect(text).not.toContain('MINT-01')
  expect(text).toContain(
    '2 fail, 1 error, 2 warn, 3 untested, 1 not-applicable, 1 info, 1 pass in 5.32 s\n\nacme <staging> & co is nonconformant',
  )
  expect(text.endsWith('\nreport: /out/report.html\n')).toBe(true)
})

test('a peer cannot write escape sequences to the terminal', () => {
  expect(text).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}/u)
})

test('colours are there only when wanted', () => {
  const colored = summaryText(frozenRun, { color: true, reportPath: '/out/report.html' })
  expect(colored.startsWith('\u001b[31mViolations (2)\u001b[0m\n')).toBe(true)
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
    `Outages (1)\n  BACK-01   ${reason} (3 requirements wait for this one)\n            BACK-01 BACK-02 BACK-03\n`,
  )
  expect(told.indexOf('Outages')).toBeLessThan(told.indexOf('Violations'))
  expect(told).not.toContain('Errors (')
})

test('an entry counts the requirements that wait for it', () => {
  const [check] = broken([401]).checks
  if (check === undefined) throw new Error('the run has no check')
  const waiting = ['BACK-30', 'BACK-31'].map((id) => ({
    ...check,
    id,
    verdict: 'untested' as const,
    findings: [],
    reason: `waits for ${check.id}: until then`,
  }))
  const shown = summaryText({ ...frozenRun, checks: [check, ...waiting] }, { color: false, reportPath: '' })
  expect(shown).toMatch(/ {2}✗ BACK-07 .*\n(?: {4}.*\n)* {4}2 requirements wait for this one\.\n/)
})
