import { onOneLine } from '../../base/printable.ts'
import type { Verdict } from '../../base/verdict.ts'
import type { CheckResult } from '../../requirement/run.ts'
import { sentenceOf, statementsOf } from '../describe-results.ts'
import { writeJson } from '../escape.ts'
import type { RunResults } from '../results.ts'

/** An unknown verdict never counts as passed, and an error is red. */
const statuses: Readonly<Record<Verdict, 'passed' | 'failed' | 'skipped' | 'pending'>> = {
  pass: 'passed',
  info: 'passed',
  warn: 'passed',
  fail: 'failed',
  error: 'failed',
  untested: 'pending',
  'not-applicable': 'skipped',
}

/** The Common Test Report Format; `rawStatus` is the verdict of twotoken. */
export function renderCtrf(run: RunResults): string {
  const tests = run.checks.map(testOf)
  const count = (status: string) => tests.filter((test) => test.status === status).length
  const start = Date.parse(run.startedAt)
  const report = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp: run.startedAt,
    generatedBy: 'twotoken',
    results: {
      tool: { name: run.tool.name, version: run.tool.version },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: count('pending'),
        other: 0,
        suites: new Set(run.checks.map(({ role }) => role)).size,
        start,
        stop: start + run.durationMs,
      },
      tests,
      environment: { testEnvironment: onOneLine(run.target) },
      extra: { outcome: run.outcome, summary: run.summary, seed: run.seed },
    },
  }
  return writeJson(report)
}

function testOf(check: CheckResult) {
  const { id, role, level, clauses, verdict, durationMs } = check
  const statements = statementsOf(check)
  return {
    name: onOneLine(`${id} ${sentenceOf(check)}`),
    status: statuses[verdict],
    rawStatus: verdict,
    duration: durationMs,
    suite: [role],
    tags: [id, level],
    type: 'conformance',
    message: statements[0] && onOneLine(statements[0]),
    trace: statements.length < 2 ? undefined : statements.map(onOneLine).join('\n'),
    extra: { id, level, clauses, waived: check.waived ? true : undefined },
  }
}
