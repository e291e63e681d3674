import { onOneLine } from '../../base/printable.ts'
import type { Verdict } from '../../base/verdict.ts'
import type { CheckResult } from '../../requirement/run.ts'
import { statementsOf } from '../describe-results.ts'
import { writeJson } from '../escape.ts'
import type { RunResults } from '../results.ts'

/** The version of the format that the report follows. */
const specVersion = '0.0.0'

/** An error is no accusation: it is neither a failure nor skipped. */
const statuses = {
  pass: 'passed',
  info: 'passed',
  warn: 'passed',
  fail: 'failed',
  error: 'other',
  untested: 'skipped',
  'not-applicable': 'skipped',
} as const satisfies Record<Verdict, string>

/** CTRF (Common Test Report Format, ctrf.io): one test per requirement, in the suite of its part. */
export function renderCtrf({ tool, target, startedAt, durationMs, outcome, checks }: RunResults): string {
  const tests = checks.map(testOf)
  const count = (status: string) => tests.filter((one) => one.status === status).length
  const start = Date.parse(startedAt)
  const summary = {
    tests: tests.length,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    pending: 0,
    other: count('other'),
    start,
    stop: start + durationMs,
    duration: durationMs,
  }
  const environment = { reportName: onOneLine(target), extra: { outcome } }
  return writeJson({
    reportFormat: 'CTRF',
    specVersion,
    timestamp: startedAt,
    generatedBy: 'twotoken',
    results: { tool, summary, tests, environment },
  })
}

function testOf(check: CheckResult) {
  const { id, title, role, level, verdict, durationMs } = check
  const statements = statementsOf(check)
  return {
    testId: id,
    name: onOneLine(`${id} ${title}`),
    status: statuses[verdict],
    rawStatus: verdict,
    duration: Math.round(durationMs),
    suite: [role],
    tags: [level],
    message: statements.length === 0 ? undefined : statements.join('\n'),
  }
}
