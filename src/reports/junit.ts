import type { CheckResult } from '../requirement/run.ts'
import { escaped, onOneLine } from './escape.ts'
import { clauseText, sentenceOf, statementsOf } from './groups.ts'
import type { RunResults } from './results.ts'

/**
 * JUnit XML: one suite per part, one test case per requirement, named by its id. It keeps to what readers of JUnit have
 * in common: a test case has no properties, and only suites count what was skipped.
 */
export function renderJunit(run: RunResults): string {
  const roles = [...new Set(run.checks.map(({ role }) => role))]
  const suites = roles.map((role) =>
    suite(
      role,
      run.startedAt,
      run.checks.filter((check) => check.role === role),
    ),
  )
  const { tests, failures, errors } = countsOf(run.checks)
  const attributes = {
    name: `twotoken: ${run.target}`,
    tests,
    failures,
    errors,
    time: seconds(run.durationMs),
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', attributes, suites)}\n`
}

function suite(role: string, startedAt: string, checks: readonly CheckResult[]): string {
  const time = seconds(checks.reduce((sum, { durationMs }) => sum + durationMs, 0))
  const timestamp = startedAt.replace(/\.\d+Z$/, '')
  return element('testsuite', { name: role, ...countsOf(checks), time, timestamp }, checks.map(testCase))
}

function countsOf(checks: readonly CheckResult[]) {
  const count = (...wanted: string[]) => checks.filter(({ verdict }) => wanted.includes(verdict)).length
  return {
    tests: checks.length,
    failures: count('fail'),
    errors: count('error'),
    skipped: count('untested', 'not-applicable'),
  }
}

function testCase(check: CheckResult): string {
  const { id, role, durationMs } = check
  const attributes = { classname: `twotoken.${role}`, name: id, time: seconds(durationMs) }
  return element('testcase', attributes, [
    ...outcomeOf(check),
    element('system-out', {}, [escaped(aboutOf(check))]),
  ])
}

/** What the requirement asks, and what is to be said besides what an outcome says already. */
function aboutOf(check: CheckResult): string {
  const { level, clauses, verdict } = check
  const told = ['fail', 'error', 'untested', 'not-applicable'].includes(verdict)
  return [
    `${sentenceOf(check)} (${level}, ${clauseText(clauses)}): ${verdict}`,
    ...(told ? [] : statementsOf(check)),
  ].join('\n')
}

function outcomeOf(check: CheckResult): string[] {
  const statements = statementsOf(check)
  const text = escaped(statements.join('\n'))
  const message = statements[0] ?? check.title
  switch (check.verdict) {
    case 'fail':
      return [element('failure', { type: check.level, message }, [text])]
    case 'error':
      return [element('error', { type: 'error', message }, [text])]
    case 'untested':
    case 'not-applicable':
      return [element('skipped', { type: check.verdict, message: statements.join('; ') })]
    default:
      return []
  }
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3)
}

function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  children: readonly string[] = [],
): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escaped(onOneLine(String(value)))}"`,
  )
  const start = `<${name}${written.join('')}`
  if (children.length === 0) return `${start}/>`
  return children.every((child) => child.startsWith('<'))
    ? `${start}>\n${children.join('\n')}\n</${name}>`
    : `${start}>${children.join('')}</${name}>`
}
