import type { Waiver } from '../configuration/configuration.ts'
import type { CheckResult } from '../requirement/run.ts'

/**
 * Applies the known failures that the operator declared. A waived `fail` counts as a warning, and a waived warning
 * counts for nothing; both say why. A waiver that is not needed any more, or that has expired, is red, so that none
 * outlives its reason.
 */
export function applyWaivers(
  results: readonly CheckResult[],
  waivers: readonly Waiver[],
  today: Date,
): CheckResult[] {
  return results.map((result) => {
    const own = waivers.filter(({ id }) => id === result.id)
    const waiver = own.find((one) => isExpired(one, today)) ?? own[0]
    return waiver === undefined ? result : waived(result, waiver, today)
  })
}

function waived(result: CheckResult, waiver: Waiver, today: Date): CheckResult {
  const { verdict } = result
  if (isExpired(waiver, today))
    return stale(
      result,
      waiver,
      `saw a waiver that expired on ${waiver.expires}; expected the failure to be mended, or the waiver to be renewed`,
    )
  if (verdict === 'fail' || verdict === 'warn')
    return { ...result, verdict: 'warn', reason: joined(result.reason, sentenceOf(waiver)), waived: true }
  if (verdict === 'not-applicable')
    return stale(result, waiver, 'saw a waiver of what does not apply; expected the waiver to be removed')
  if (verdict === 'pass' || verdict === 'info')
    return stale(
      result,
      waiver,
      'saw the requirement hold although it is waived; expected the waiver to be removed',
    )
  return { ...result, reason: joined(result.reason, sentenceOf(waiver)) }
}

function isExpired({ expires }: Waiver, today: Date): boolean {
  return expires !== undefined && today.toISOString().slice(0, 10) > expires
}

function sentenceOf({ reason, issue, expires }: Waiver): string {
  const until = expires === undefined ? '' : ` until ${expires}`
  return `waived${until}: ${reason}${issue === undefined ? '' : ` (${issue})`}`
}

function joined(...reasons: readonly (string | null)[]): string {
  return reasons.filter((reason) => reason !== null).join('; ')
}

/** The waiver is what is wrong, so it is said first; what was found stays. */
function stale(result: CheckResult, waiver: Waiver, message: string): CheckResult {
  const finding = { level: result.level, verdict: 'fail' as const, message, evidence: [] }
  return {
    ...result,
    verdict: 'fail',
    reason: joined(`stale waiver (${sentenceOf(waiver)})`, result.reason),
    findings: [finding, ...result.findings],
  }
}
