import { expect, test } from 'vitest'
import { frozenRun } from '../../reports/testing/frozen-run.ts'
import { summaryText } from './summary.ts'

const text = summaryText(frozenRun, { color: false, reportPath: '/out/report.html' })
const lines = text.split('\n')

test('groups the findings by verdict, one line each', () => {
  const shown = lines.map((line) => /^[A-Z].*\(\d+\)$/.exec(line)?.[0] ?? /^ {2}(\S+) /.exec(line)?.[1])
  expect(shown.filter((item) => item !== undefined)).toEqual([
    'Violations (2)',
    'MINT-04',
    'MINT-04',
    'BACK-08',
    'Errors (1)',
    'BACK-01',
    'Warnings (2)',
    'BACK-14',
    'SIG-08',
    'SIG-08',
    'Not judged (3)',
    'MINT-16',
    'SIG-22',
  ])
})

test('a line says what was seen, expected, the clause, and how to look closer', () => {
  expect(lines).toContain(
    '  MINT-04  saw 200; expected 401 (TYPICAL, clause 2.2; details: twotoken explain MINT-04)',
  )
})

test('what could not be judged for the same reason stands on one line', () => {
  expect(lines).toContain("  SIG-22 SIG-25  needs token.jwks, the service's published keys")
})

test('only counts what held, and ends with the outcome and the report', () => {
  expect(text).not.toContain('MINT-01')
  expect(text).toContain(
    '2 fail, 1 error, 2 warn, 3 untested, 1 not-applicable, 1 info, 1 pass in 5.32 s\nacme <staging> & co is nonconformant',
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
