import type { CheckResult } from '../requirement/run.ts'

/** Requirements that could not be judged for one and the same reason: a part that is down, a ban, a network. */
export interface ErrorGroup {
  /** The cause as the first of them tells it. */
  readonly cause: string
  readonly checks: readonly CheckResult[]
}

/** A part that no longer served, and everything that could not be judged for that. */
export interface Outage {
  /** The cause as the first of the requirements tells it. */
  readonly cause: string
  readonly requirements: readonly string[]
}

/** The causes that more than one requirement waits for, the one that most wait for first. */
export function findOutages(checks: readonly CheckResult[]): Outage[] {
  return groupErrors(checks.filter(({ verdict }) => verdict === 'error'))
    .filter((group) => group.checks.length > 1)
    .map(({ cause, checks: waiting }) => ({ cause, requirements: waiting.map(({ id }) => id) }))
}

/** Completes an outage: "12 requirements wait for this one". */
export function describeWaiting({ requirements }: Outage): string {
  return `${requirements.length} requirements wait for this one`
}

/** Advice on an outage. */
export const outageAdvice =
  'Bring the part up again and run these again, with --only; its log says why it stopped.'

/** The errors among the checks, each cause once, the one that most wait for first. */
export function groupErrors(checks: readonly CheckResult[]): ErrorGroup[] {
  const groups = new Map<string, CheckResult[]>()
  for (const check of checks) {
    const key = causeOf(check)
    groups.set(key, [...(groups.get(key) ?? []), check])
  }
  return [...groups.values()]
    .map((alike) => ({ cause: textOf(alike[0]), checks: alike }))
    .toSorted((one, other) => other.checks.length - one.checks.length)
}

function textOf(check: CheckResult | undefined): string {
  return check?.reason ?? check?.findings[0]?.message ?? ''
}

/** The part and what became of it; an error of another kind is one of its own. */
function causeOf({ id, cause }: CheckResult): string {
  return cause === undefined ? id : `${cause.part} ${cause.unavailable}`
}
