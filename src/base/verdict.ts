export const verdicts = ['pass', 'fail', 'warn', 'info', 'not-applicable', 'untested', 'error'] as const
export type Verdict = (typeof verdicts)[number]

export type Level = 'MUST' | 'SHOULD' | 'TYPICAL' | 'ADVISORY' | 'INFO'

export type Outcome = 'conformant' | 'nonconformant' | 'incomplete' | 'error'

/** From the least to the most serious; the verdict on a requirement is the worst of its parts. */
const severity: readonly Verdict[] = ['not-applicable', 'info', 'pass', 'warn', 'untested', 'error', 'fail']

export function worst(parts: Iterable<Verdict>, least: Verdict): Verdict {
  let found = least
  for (const part of parts) if (severity.indexOf(part) > severity.indexOf(found)) found = part
  return found
}

/** What a broken part of this level makes of the whole requirement. */
export function verdictOfBreach(level: Level): Verdict {
  if (level === 'MUST') return 'fail'
  return level === 'INFO' ? 'info' : 'warn'
}

/** A run in which nothing was judged is never conformant. */
export function outcomeOf(counts: Readonly<Record<Verdict, number>>): Outcome {
  if (counts.fail > 0) return 'nonconformant'
  if (counts.error > 0) return 'error'
  if (counts.untested > 0) return 'incomplete'
  return counts.pass + counts.warn + counts.info === 0 ? 'incomplete' : 'conformant'
}

export const exitCodeOfOutcome: Readonly<Record<Outcome, number>> = {
  conformant: 0,
  nonconformant: 1,
  incomplete: 3,
  error: 4,
}
