import type { CheckResult } from '../check/run-check.ts'
import type { Waiver } from '../configuration/configuration.ts'

/**
 * Applies the known failures that the operator declared. A waived `fail` counts as a warning that says why; a waiver
 * that is not needed any more, or that has expired, is red, so that none outlives its reason.
 */
export function applyWaivers(
  results: readonly CheckResult[],
  waivers: readonly Waiver[],
  today: Date,
): CheckResult[] {
  return results.map((result) => {
    const waiver = waivers.find(({ id }) => id === result.id)
    return waiver === undefined ? result : waived(result, waiver, today)
  })
}

function waived(result: CheckResult, waiver: Waiver, today: Date): CheckResult {
  const because = `waived${waiver.expires === undefined ? '' : ` until ${waiver.expires}`}: ${waiver.reason}${waiver.issue === undefined ? '' : ` (${waiver.issue})`}`
  const expired = waiver.expires !== undefined && today.toISOString().slice(0, 10) > waiver.expires
  if (expired)
    return stale(
      result,
      `saw a waiver that expired on ${waiver.expires}; expected the failure to be mended, or the waiver to be renewed`,
    )
  if (result.verdict === 'fail') return { ...result, verdict: 'warn', reason: because, waived: true }
  if (result.verdict === 'pass' || result.verdict === 'info' || result.verdict === 'not-applicable')
    return stale(result, `saw the requirement hold although it is waived; expected the waiver to be removed`)
  return { ...result, reason: [result.reason, because].filter((text) => text !== null).join('; ') }
}

function stale(result: CheckResult, message: string): CheckResult {
  const finding = { level: result.level, verdict: 'fail' as const, message, evidence: [] }
  return { ...result, verdict: 'fail', reason: 'stale waiver', findings: [...result.findings, finding] }
}
