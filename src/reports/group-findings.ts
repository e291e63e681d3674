import { withoutCommonWords } from '../base/common-words.ts'
import { type Verdict, verdictOrder } from '../base/verdict.ts'
import type { Finding } from '../requirement/judge.ts'
import type { CheckResult } from '../requirement/run.ts'

/** Findings of one requirement that ask for the same change: one violation, seen in several cases. */
export interface FindingGroup {
  readonly verdict: Verdict
  readonly findings: readonly [Finding, ...Finding[]]
}

/** The worst first, and of those as bad the first that was found. */
export function groupFindings(findings: readonly Finding[]): FindingGroup[] {
  const groups = Map.groupBy(findings, (finding) => {
    const demand = finding.seen === undefined ? finding.message : finding.advice
    return JSON.stringify([finding.verdict, finding.level, demand])
  })
  return [...groups.values()]
    .flatMap(([first, ...others]): FindingGroup[] =>
      first === undefined ? [] : [{ verdict: first.verdict, findings: [first, ...others] }],
    )
    .sort((one, two) => verdictOrder.indexOf(one.verdict) - verdictOrder.indexOf(two.verdict))
}

/** Groups the findings under a verdict; null where it does not list the requirement, empty where only its reason. */
export function groupsUnder(
  { findings, verdict: judged, waived }: Pick<CheckResult, 'findings' | 'verdict' | 'waived'>,
  verdict: Verdict,
): readonly FindingGroup[] | null {
  const groups = groupFindings(findings).filter((group) => (waived ? judged : group.verdict) === verdict)
  return groups.length === 0 && judged !== verdict ? null : groups
}

const longestList = 160

/** The cases behind the first, as a clause; empty where there are none. */
export function listOtherCases({ findings: [first, ...others] }: FindingGroup): string {
  if (others.length === 0) return ''
  const names = new Set(others.flatMap((one) => caseOf(one) ?? []))
  names.delete(caseOf(first) ?? '')
  if (names.size === 0) return `and ${others.length} more ${others.length === 1 ? 'case' : 'cases'}`
  const listed: string[] = []
  let length = 0
  for (const name of withoutCommonWords([...names])) {
    length += name.length + 2
    if (length > longestList && listed.length > 0) break
    listed.push(name)
  }
  const left = names.size - listed.length
  return `also: ${listed.join(', ')}${left > 0 ? ` and ${left} more` : ''}`
}

function caseOf(finding: Finding): string | undefined {
  return finding.seen === undefined ? undefined : finding.case
}

/** Findings of one requirement with the same number ask for the same change; counted from 1. */
export function numberFindings(findings: readonly Finding[]) {
  const groups = groupFindings(findings)
  return findings.map((finding) => ({
    ...finding,
    group: groups.findIndex((group) => group.findings.includes(finding)) + 1,
  }))
}
