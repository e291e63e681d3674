import { onOneLine } from '../../base/printable.ts'
import type { Verdict } from '../../base/verdict.ts'
import { statementsOf } from '../../reports/describe-results.ts'
import type { CheckResult } from '../../requirement/run.ts'

/** One requirement, as a test runner reports it. */
export interface TestStatement {
  readonly kind: 'failed' | 'untested' | 'remark' | 'passed'
  readonly text: string
}

const kinds: Readonly<Record<Verdict, TestStatement['kind']>> = {
  fail: 'failed',
  error: 'failed',
  untested: 'untested',
  warn: 'remark',
  'not-applicable': 'remark',
  info: 'passed',
  pass: 'passed',
}

/** Translates a verdict for a test runner, where a test passes, fails or is skipped. */
export function describeForTest(result: CheckResult): TestStatement {
  const { id, verdict } = result
  return { kind: kinds[verdict], text: onOneLine(`${id}: ${statementsOf(result).join('; ') || verdict}`) }
}
