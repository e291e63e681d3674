import type { Outcome, Verdict } from '../base/verdict.ts'
import type { CheckResult } from '../requirement/run.ts'
import type { RunResults } from './results.ts'

/** From what has to be looked at first to what is only counted. */
export const verdictOrder: readonly Verdict[] = [
  'fail',
  'error',
  'warn',
  'untested',
  'not-applicable',
  'info',
  'pass',
]

export const verdictTitles: Readonly<Record<Verdict, string>> = {
  fail: 'Violations',
  error: 'Lost to the suite or the network',
  warn: 'Warnings',
  untested: 'Not judged',
  'not-applicable': 'Not applicable',
  info: 'Only recorded',
  pass: 'Held',
}

/** What the outcome means. A run that would have shown a secret may have judged anything. */
export function outcomeSentence({ outcome, leaks = [] }: Pick<RunResults, 'outcome' | 'leaks'>): string {
  if (leaks.length === 0) return outcomeSentences[outcome]
  const places = leaks.map(({ file, at }) => `${file} at ${at}`)
  return `A secret would have been shown in ${places.join(', ')}, and was redacted: a fault of the suite. What was judged is kept.`
}

const outcomeSentences: Readonly<Record<Outcome, string>> = {
  conformant: 'Everything that applies was judged, and no requirement is broken.',
  nonconformant: 'At least one requirement is broken.',
  incomplete: 'No violation was seen, but something that applies could not be judged.',
  error: 'No violation was seen, but the suite or the network failed somewhere.',
}

/** The requirement as a sentence: its title completes "the mint …". */
export function sentenceOf({ role, title }: Pick<CheckResult, 'role' | 'title'>): string {
  return role === 'signaling' ? `signaling ${title}` : `the ${role} ${title}`
}

export function withVerdict({ checks }: RunResults, verdict: Verdict): CheckResult[] {
  return checks.filter((check) => check.verdict === verdict)
}

/** What is to be said of one requirement: its findings, and the reason where no finding repeats it. */
export function statementsOf(check: CheckResult): string[] {
  const messages = check.findings.map(({ message }) => message)
  const reason = reasonBeside(check)
  return reason === null ? messages : [...messages, reason]
}

/** The reason, where the findings do not say it already. */
export function reasonBeside({ findings, reason }: CheckResult): string | null {
  return reason === null || findings.some(({ message }) => reason.includes(message)) ? null : reason
}

export interface SplitFinding {
  readonly saw: string
  readonly expected: string
}

/** A finding's sentence taken apart; `null` where it has another form. */
export function splitFinding(message: string): SplitFinding | null {
  const [, saw, expected] = /^saw (.*); expected (.*)$/s.exec(message) ?? []
  return saw === undefined || expected === undefined ? null : { saw, expected }
}

export function clauseText(clauses: readonly string[]): string {
  if (clauses.length === 0) return 'beyond the specification'
  return `clause${clauses.length > 1 ? 's' : ''} ${clauses.join(', ')}`
}

/** The requirements of one reason side by side, in the order in which the reasons appear. */
export function byReason(checks: readonly CheckResult[]): { reason: string; ids: string[] }[] {
  const groups = new Map<string, string[]>()
  for (const check of checks) {
    const reason = statementsOf(check).join('; ') || 'no reason was given'
    groups.set(reason, [...(groups.get(reason) ?? []), check.id])
  }
  return [...groups].map(([reason, ids]) => ({ reason, ids }))
}

export function secondsOf(durationMs: number): string {
  return (durationMs / 1000).toFixed(durationMs < 10_000 ? 2 : 1)
}
