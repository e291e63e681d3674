export const verdicts = ['pass', 'fail', 'warn', 'info', 'not-applicable', 'untested', 'error'] as const
export type Verdict = (typeof verdicts)[number]

/** The most urgent first. */
export const verdictOrder: readonly Verdict[] = [
  'fail',
  'error',
  'warn',
  'untested',
  'not-applicable',
  'info',
  'pass',
]

export const levels = ['MUST', 'SHOULD', 'TYPICAL', 'ADVISORY', 'INFO'] as const
export type Level = (typeof levels)[number]

export const outcomes = ['conformant', 'nonconformant', 'incomplete', 'error'] as const
export type Outcome = (typeof outcomes)[number]

/** From the least to the most serious; the verdict on a requirement is the worst of its parts. */
const severity: readonly Verdict[] = ['not-applicable', 'info', 'pass', 'warn', 'untested', 'error', 'fail']

export function worst(parts: Iterable<Verdict>, least: Verdict): Verdict {
  let found = least
  for (const part of parts) if (severity.indexOf(part) > severity.indexOf(found)) found = part
  return found
}

/** Returns the verdict on the whole requirement for a broken part of this level. */
export function verdictOfBreach(level: Level): Verdict {
  if (level === 'MUST') return 'fail'
  return level === 'INFO' ? 'info' : 'warn'
}

/** One verdict; `defect` where the suite itself failed, and not a network, a rate limit or a part that is down. */
export interface Judged {
  readonly verdict: Verdict
  readonly defect?: true | undefined
}

/** A run in which nothing was judged is never conformant. */
export function outcomeOf(checks: readonly Judged[]): Outcome {
  const given = new Set(checks.map(({ verdict }) => verdict))
  if (given.has('fail')) return 'nonconformant'
  if (checks.some(({ defect }) => defect === true)) return 'error'
  if (given.has('error') || given.has('untested')) return 'incomplete'
  return given.has('pass') || given.has('warn') || given.has('info') ? 'conformant' : 'incomplete'
}

export const exitCodeOfOutcome: Readonly<Record<Outcome, number>> = {
  conformant: 0,
  nonconformant: 1,
  incomplete: 3,
  error: 4,
}
