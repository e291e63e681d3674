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

const parts = /\b(the (?:mint|backend|provider)|signaling)\b/
/** How a part that is down or bans its client shows itself; the verbs differ, and what was asked. */
const faults: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['silent', /did not answer(?: the upgrade)? within|stayed silent|did not accept the connection/],
  ['refusing', /refused the connection|has a host name that does not resolve/],
  ['broken off', /closed the connection|ended without a close frame|reset/],
  ['failing', /(?:returned|answered|closed with) (?:429|50[0234]|10(?:11|12|13|14)|4429)\b/],
]

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
function causeOf(check: CheckResult): string {
  const text = textOf(check)
  const part = parts.exec(text)?.[1]
  const fault = faults.find(([, pattern]) => pattern.test(text))?.[0]
  return check.defect === true || part === undefined || fault === undefined ? check.id : `${part} ${fault}`
}
