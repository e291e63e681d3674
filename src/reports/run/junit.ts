import { onOneLine } from '../../base/printable.ts'
import type { CheckResult } from '../../requirement/run.ts'
import { clauseText, sentenceOf, statementsOf } from '../describe-results.ts'
import {
  countCases,
  type JunitCase,
  type JunitOutcome,
  type JunitSuite,
  writeJunit,
} from '../junit-document.ts'
import type { RunResults } from '../results.ts'

/** JUnit XML in what its readers have in common: a test case has no properties, and only suites count what was skipped. */
export function renderJunit(run: RunResults): string {
  const roles = [...new Set(run.checks.map(({ role }) => role))]
  const suites = roles.map((role) => suiteOf(role, run))
  const { tests, failures, errors } = countCases(suites.flatMap(({ cases }) => cases))
  const name = onOneLine(`twotoken: ${run.target}`)
  return writeJunit({ name, tests, failures, errors, time: formatSeconds(run.durationMs) }, suites)
}

function suiteOf(role: string, { startedAt, checks: all }: RunResults): JunitSuite {
  const checks = all.filter((check) => check.role === role)
  const cases = checks.map(caseOf)
  const time = formatSeconds(checks.reduce((sum, { durationMs }) => sum + durationMs, 0))
  const timestamp = onOneLine(startedAt.replace(/\.\d+Z$/, ''))
  return { attributes: { name: role, ...countCases(cases), time, timestamp }, cases }
}

function caseOf(check: CheckResult): JunitCase {
  const { id, role, title, durationMs, level, clauses, verdict } = check
  const outcome = outcomeOf(check)
  return {
    classname: `twotoken.${role}`,
    name: onOneLine(`${id} ${title}`),
    time: formatSeconds(durationMs),
    outcome: outcome ?? undefined,
    systemOut: [
      `${sentenceOf(check)} (${level}, ${clauseText(clauses)}): ${verdict}`,
      ...(outcome === null ? statementsOf(check) : []),
    ].join('\n'),
  }
}

function outcomeOf(check: CheckResult): JunitOutcome | null {
  const statements = statementsOf(check)
  const text = statements.join('\n')
  const message = onOneLine(statements[0] ?? check.title)
  switch (check.verdict) {
    case 'fail':
      return { element: 'failure', type: check.level, message, text }
    case 'error':
      return { element: 'error', type: 'error', message, text }
    case 'untested':
    case 'not-applicable':
      return { element: 'skipped', type: check.verdict, message: onOneLine(statements.join('; ')) }
    default:
      return null
  }
}

function formatSeconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3)
}
