import type { Verdict } from '../base/verdict.ts'
import type { Finding } from '../requirement/judge.ts'
import type { CheckResult } from '../requirement/run.ts'
import { splitFinding } from './split-finding.ts'

/** Findings of one requirement that ask for the same change: one violation, seen in several cases. */
export interface FindingGroup {
  readonly verdict: Verdict
  readonly findings: readonly [Finding, ...Finding[]]
  /**
   * Differences between the cases, in the order of the findings: "401", "403". Null where there is one
   * finding, or where the observations differ too much for one sentence.
   */
  readonly cases: readonly string[] | null
}

/** A finding with its place among the others, as in `results.json`. */
export type GroupedFinding = Finding & {
  /** Change to make, as a sentence. */
  readonly advice?: string
  /** Difference from the other findings of its group. */
  readonly case?: string
  /** Findings of one requirement with the same number ask for the same change; counted from 1. */
  readonly group: number
}

/** Fewer words in common say too little to stand for all of them. */
const leastCommon = 2

/** The worst first, and of those as bad the first that was found. */
export function groupFindings(findings: readonly Finding[]): FindingGroup[] {
  const groups = new Map<string, [Finding, ...Finding[]]>()
  for (const finding of findings) {
    const key = JSON.stringify([finding.verdict, finding.level, demandOf(finding)])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [finding])
    else group.push(finding)
  }
  return [...groups.values()]
    .map((group) => ({ verdict: group[0].verdict, findings: group, cases: casesOf(group) }))
    .sort((one, two) => order.indexOf(one.verdict) - order.indexOf(two.verdict))
}

const order: readonly Verdict[] = ['fail', 'error', 'warn']

/**
 * Groups the findings of a requirement under a verdict. Advice of a violated requirement is a warning, and a
 * waiver makes its findings count for less. Null where the verdict does not list the requirement; empty where
 * it lists only its reason.
 */
export function groupsUnder(
  { findings, verdict: judged, waived }: Pick<CheckResult, 'findings' | 'verdict' | 'waived'>,
  verdict: Verdict,
): readonly FindingGroup[] | null {
  const groups = groupFindings(findings).filter((group) => (waived ? judged : group.verdict) === verdict)
  return groups.length === 0 && judged !== verdict ? null : groups
}

/** The most characters of a list of cases. */
const longestList = 160

/** The cases behind the first, as a clause; empty where there are none. */
export function listOtherCases({ findings, cases }: FindingGroup): string {
  if (findings.length === 1) return ''
  const names = [...new Set(cases ?? [])].slice(1)
  if (names.length === 0) return `and ${findings.length - 1} more ${findings.length === 2 ? 'case' : 'cases'}`
  const listed: string[] = []
  let length = 0
  for (const name of names) {
    length += name.length + 2
    if (length > longestList && listed.length > 0) break
    listed.push(name)
  }
  const left = names.length - listed.length
  return `also with ${listed.join(', ')}${left > 0 ? ` and ${left} more` : ''}`
}

export function numberFindings(findings: readonly Finding[]): GroupedFinding[] {
  const groups = groupFindings(findings)
  return findings.map((finding) => {
    const place = groups.findIndex((group) => group.findings.includes(finding))
    const group = groups[place]
    const advice = splitFinding(finding.message)?.fix
    const name = group?.cases?.[group.findings.indexOf(finding)]
    return {
      ...finding,
      ...(advice === undefined ? {} : { advice }),
      ...(name === undefined ? {} : { case: name }),
      group: place + 1,
    }
  })
}

/** The change that a finding asks for, else what is expected: what findings of one group have in common. */
function demandOf({ message }: Finding): string {
  const parts = splitFinding(message)
  return parts === null ? message : (parts.fix ?? parts.expected)
}

function casesOf(group: readonly Finding[]): string[] | null {
  if (group.length === 1) return null
  const seen = group.map(({ message }) => (splitFinding(message)?.saw ?? message).split(' '))
  const shortest = Math.min(...seen.map(({ length }) => length))
  const countCommon = (
    wordAt: (words: readonly string[], place: number) => string | undefined,
    most: number,
  ) => {
    const [first = []] = seen
    let count = 0
    while (count < most && seen.every((words) => wordAt(words, count) === wordAt(first, count))) count += 1
    return count
  }
  const before = countCommon((words, place) => words[place], shortest)
  const behind = countCommon((words, place) => words.at(-1 - place), shortest - before)
  const cases = seen.map((words) => words.slice(before, words.length - behind).join(' '))
  return before + behind < leastCommon || cases.includes('') ? null : cases
}
