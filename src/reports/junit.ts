import type { CheckResult } from '../check/run-check.ts'
import { escaped, onOneLine } from './escape.ts'
import { clauseText, statementsOf } from './groups.ts'
import type { RunResults } from './results.ts'

/** JUnit XML: one suite per part, one test case per requirement, named by its id. */
export function renderJunit(run: RunResults): string {
  const roles = [...new Set(run.checks.map(({ role }) => role))]
  const suites = roles.map((role) =>
    suite(
      role,
      run.startedAt,
      run.checks.filter((check) => check.role === role),
    ),
  )
  const attributes = { name: `twotoken: ${run.target}`, ...countsOf(run.checks), time: run.durationMs / 1000 }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', attributes, suites)}\n`
}

function suite(role: string, startedAt: string, checks: readonly CheckResult[]): string {
  const time = checks.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000
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
  const { id, role, title, level, clauses, verdict, durationMs } = check
  const properties = [
    ['title', title],
    ['level', level],
    ['clause', clauseText(clauses)],
    ['verdict', verdict],
  ].map(([name = '', value = '']) => element('property', { name, value }))
  return element('testcase', { classname: `twotoken.${role}`, name: id, time: durationMs / 1000 }, [
    element('properties', {}, properties),
    ...outcomeOf(check),
  ])
}

function outcomeOf(check: CheckResult): string[] {
  const statements = statementsOf(check)
  const text = statements.join('\n')
  const message = statements[0] ?? check.title
  switch (check.verdict) {
    case 'fail':
      return [element('failure', { type: check.level, message }, [escaped(text)])]
    case 'error':
      return [element('error', { type: 'error', message }, [escaped(text)])]
    case 'untested':
    case 'not-applicable':
      return [element('skipped', { message: statements.join('; ') })]
    default:
      return text === '' ? [] : [element('system-out', {}, [escaped(text)])]
  }
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
