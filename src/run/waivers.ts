import { TwotokenError } from '../base/errors.ts'
import { findNearestNames } from '../base/nearest-names.ts'
import type { DescribedCheck } from '../catalogue/described.ts'
import type { Waiver } from '../configuration/configuration.ts'
import { describeBreach, type Observed, withReason } from '../requirement/judge.ts'
import type { CheckResult } from '../requirement/run.ts'

/** Rejects waivers of unknown requirements, which would do nothing; ids of contracts are known only later. */
export function assertWaiversKnown(waivers: readonly Waiver[], catalogue: readonly DescribedCheck[]): void {
  const ids = catalogue.map(({ id }) => id)
  const families = new Set(ids.map((id) => id.split('-')[0]))
  for (const { id } of waivers)
    if (families.has(id.split('-')[0]) && !ids.includes(id))
      throw new TwotokenError(
        'configuration',
        `waivers: unknown requirement "${id}"; did you mean ${findNearestNames(id, ids)}?`,
      )
}

/** A waived `fail` warns, and a waived warning does not count. A waiver that is not needed or has expired is a violation. */
export function applyWaivers(
  results: readonly CheckResult[],
  waivers: readonly Waiver[],
  today: Date,
): CheckResult[] {
  return results.map((result) => {
    const own = waivers.filter(({ id }) => id === result.id)
    const waiver = own.find((one) => isExpired(one, today)) ?? own[0]
    return waiver === undefined ? result : applyWaiver(result, waiver, today)
  })
}

function applyWaiver(result: CheckResult, waiver: Waiver, today: Date): CheckResult {
  const { verdict } = result
  if (isExpired(waiver, today))
    return reportStale(result, waiver, {
      saw: `a waiver that expired on ${waiver.expires}`,
      expected: 'the violation to be fixed by then',
      fix: 'Correct the implementation, or renew the waiver.',
    })
  if (verdict === 'fail' || verdict === 'warn')
    return { ...result, verdict: 'warn', ...withReason(result, describeWaiver(waiver)), waived: true }
  if (verdict === 'untested' || verdict === 'error')
    return { ...result, ...withReason(result, describeWaiver(waiver)) }
  const applies = verdict !== 'not-applicable'
  return reportStale(result, waiver, {
    saw: applies ? 'a waived requirement that passes' : 'a waiver for a requirement that does not apply',
    expected: 'no waiver of it',
    fix: 'Remove the waiver.',
  })
}

function isExpired({ expires }: Waiver, today: Date): boolean {
  return expires !== undefined && today.toISOString().slice(0, 10) > expires
}

function describeWaiver({ reason, issue, expires }: Waiver): string {
  const until = expires === undefined ? '' : ` until ${expires}`
  return `waived${until}: ${reason}${issue === undefined ? '' : ` (${issue})`}`
}

/** The waiver is the violation, so its finding comes first; the other findings stay. */
function reportStale(result: CheckResult, waiver: Waiver, observed: Observed): CheckResult {
  const finding = describeBreach({ level: result.level, verdict: 'fail' }, observed)
  return {
    ...result,
    verdict: 'fail',
    ...withReason(result, `stale waiver (${describeWaiver(waiver)})`),
    findings: [finding, ...result.findings],
  }
}
