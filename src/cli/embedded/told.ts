import type { Verdict } from '../../base/verdict.ts'
import { statementsOf } from '../../reports/describe-results.ts'
import type { CheckResult } from '../../requirement/run.ts'

/** What a test runner is told of one requirement. */
export interface Told {
  readonly kind: 'failed' | 'untested' | 'remark' | 'held'
  readonly text: string
}

const kinds: Readonly<Record<Verdict, Told['kind']>> = {
  fail: 'failed',
  error: 'failed',
  untested: 'untested',
  warn: 'remark',
  'not-applicable': 'remark',
  info: 'held',
  pass: 'held',
}

/** A verdict as a test runner can say it: a test passes, fails, or was not run. */
export function toldInATest(result: CheckResult): Told {
  const { id, verdict } = result
  return { kind: kinds[verdict], text: `${id}: ${statementsOf(result).join('; ') || verdict}` }
}
