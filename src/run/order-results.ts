import type { AnyCheck } from '../requirement/define.ts'
import type { CheckResult } from '../requirement/run.ts'
import type { CheckReport } from './worker-protocol.ts'

/** One result per requirement, in the order of the catalogue; what did not get its turn says why. */
export function inOrder(
  checks: readonly AnyCheck[],
  reports: readonly CheckReport[],
  interrupted: boolean,
  unaffordable: readonly CheckResult[],
): CheckResult[] {
  return checks.map((check) => {
    const report = reports.find(({ result }) => result.id === check.id)
    if (report !== undefined) return report.result
    const left = unaffordable.find(({ id }) => id === check.id)
    if (left !== undefined) return left
    const { id, title, role, level, clauses } = check
    return {
      id,
      title,
      role,
      level,
      clauses,
      verdict: interrupted ? ('untested' as const) : ('error' as const),
      durationMs: 0,
      reason: interrupted
        ? 'the run was interrupted before it was judged'
        : 'the worker ended before it was judged',
      findings: [],
      observations: {},
    }
  })
}
