import { onOneLine } from '../base/printable.ts'
import type { Outcome, Verdict } from '../base/verdict.ts'
import { remarksOf } from '../requirement/judge.ts'
import type { CheckResult } from '../requirement/run.ts'
import { groupFindings, listOtherCases } from './group-findings.ts'
import type { RunResults } from './results.ts'

export const verdictTitles: Readonly<Record<Exclude<Verdict, 'info' | 'pass'>, string>> = {
  fail: 'Violations',
  error: 'Errors',
  warn: 'Warnings',
  untested: 'Not judged',
  'not-applicable': 'Not applicable',
}

export function outcomeSentence({ outcome, checks }: Pick<RunResults, 'outcome' | 'checks'>): string {
  if (outcome === 'nonconformant') {
    const { length } = checks.filter(({ verdict }) => verdict === 'fail')
    const all = checks.length === 1 ? '1 requirement' : `${checks.length} requirements`
    return `${length} of ${all} ${length === 1 ? 'is' : 'are'} violated.`
  }
  return (outcome === 'incomplete' ? describeOutage(checks) : null) ?? outcomeSentences[outcome]
}

/** A part that went down is more than what is left to judge; null where none did. */
function describeOutage(checks: readonly CheckResult[]): string | null {
  const down = checks.flatMap(({ cause }) =>
    cause === undefined || cause.unavailable === 'limited' ? [] : cause,
  )
  const { part, during } = down.find((one) => one.during !== undefined) ?? down[0] ?? {}
  if (part === undefined) return null
  const name = part === 'signaling' ? 'Signaling' : `The ${part}`
  const open = checks.filter(({ verdict }) => verdict === 'error' || verdict === 'untested').length
  const end = during === undefined ? '' : ` during ${during}`
  return `${name} stopped serving${end}: ${open} of ${checks.length} requirements could not be judged, and no other is violated.`
}

/** Says whether a clause guards secrets and calls: a violation is a leak or a takeover. */
export function guardsSecrets(clause: string): boolean {
  return /^(?:1\.3|2\.1|4\.2\.[12]|5\.[124])(?:\.|$)/.test(clause)
}

/** The violation with the worst consequence: of a MUST before others, a leak or a takeover before others. */
export function worstViolation({ checks }: Pick<RunResults, 'checks'>): CheckResult | null {
  const rank = (check: CheckResult) =>
    (check.level === 'MUST' ? 2 : 0) + (violatedClauses(check).some(guardsSecrets) ? 1 : 0)
  const violated = checks.filter(({ verdict, why }) => verdict === 'fail' && why !== undefined)
  return violated.toSorted((one, two) => rank(two) - rank(one))[0] ?? null
}

/** The clauses that findings name behind what they expected, else the first of the requirement. */
function violatedClauses({ findings, clauses }: CheckResult): readonly string[] {
  const named = findings.flatMap((finding) => {
    if (finding.verdict !== 'fail' || finding.seen === undefined) return []
    const [, list = ''] = /\(([\d., ]{3,60})\)$/.exec(finding.expected) ?? []
    return list.split(', ').filter((clause) => clause !== '')
  })
  return named.length > 0 ? named : clauses.slice(0, 1)
}

const outcomeSentences: Readonly<Record<Exclude<Outcome, 'nonconformant'>, string>> = {
  conformant: 'All applicable requirements were judged, without a violation.',
  incomplete: 'No violation, but some applicable requirements could not be judged.',
  error: 'No violation, but the suite itself failed: please report it.',
}

/** Declarations of an operator in place of a judgement: a conformant backend may verify no certificate at all. */
export function declaredSentences({ checks }: Pick<RunResults, 'checks'>): string[] {
  return checks.flatMap((check) => {
    if (check.verdict !== 'not-applicable' || check.absent?.what !== 'mintTls') return []
    return [
      `Declared, not judged: ${check.id}, ${sentenceOf(check)} (mintTls is absent: ${check.absent.reason}).`,
    ]
  })
}

/** The requirement as a sentence: its title completes "the mint …". */
export function sentenceOf({ role, title }: Pick<CheckResult, 'role' | 'title'>): string {
  return role === 'signaling' ? `signaling ${title}` : `the ${role} ${title}`
}

export function withVerdict({ checks }: RunResults, verdict: Verdict): CheckResult[] {
  return checks.filter((check) => check.verdict === verdict)
}

/** The findings of a requirement, the worst first and one for each change, and the reason where no finding repeats it. */
export function statementsOf(check: CheckResult): string[] {
  const messages = groupFindings(check.findings).map((group) => {
    const others = listOtherCases(group)
    return `${group.findings[0].message}${others === '' ? '' : ` (${others})`}`
  })
  const reason = reasonBeside(check)
  return reason === null ? messages : [...messages, reason]
}

/** The reasons that no finding states, as one text; null where there are none. */
export function reasonBeside(check: CheckResult): string | null {
  const remarks = remarksOf(check)
  return remarks.length === 0 ? null : remarks.join('; ')
}

export function clauseText(clauses: readonly string[]): string {
  if (clauses.length === 0) return 'beyond the specification'
  return `clause${clauses.length > 1 ? 's' : ''} ${clauses.join(', ')}`
}

/** The requirements grouped by reason, in the order in which the reasons appear. */
export function byReason(checks: readonly CheckResult[]): { reason: string; ids: string[] }[] {
  const groups = Map.groupBy(checks, (check) => statementsOf(check).join('; ') || 'no reason given')
  return [...groups].map(([reason, alike]) => ({ reason, ids: alike.map(({ id }) => id) }))
}

export function secondsOf(durationMs: number): string {
  return (durationMs / 1000).toFixed(durationMs < 10_000 ? 2 : 1)
}

/** The command that judges one requirement again, with the same generated ids; null where none does. */
export function rerunCommand(
  { id, role, story }: Pick<CheckResult, 'id' | 'role' | 'story'>,
  run: Pick<RunResults, 'config' | 'seed'>,
  folder = `twotoken-results/explore-${role}`,
): string | null {
  const config = run.config === undefined ? ' --reference' : ` --config ${quoted(onOneLine(run.config))}`
  if (id.startsWith('EXP-'))
    return `npx twotoken explore ${role}${config} ${story === undefined ? `--seed ${run.seed}` : `--replay ${quoted(onOneLine(`${folder}/${storyFile(id)}`))}`}`
  if (/^[A-Z]+-\d+[A-Z]?$/.test(id)) return `npx twotoken run --only ${id}${config} --seed ${run.seed}`
  // An interaction of a pact is verified with its provider, which only a configuration describes.
  return id.startsWith('PACT') && run.config !== undefined ? `npx twotoken verify ${role}${config}` : null
}

export function storyFile(id: string): string {
  return `story-${id}.json`
}

function quoted(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
