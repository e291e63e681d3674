import type { Cause } from '../requirement/cause.ts'
import type { CheckResult } from '../requirement/run.ts'

/** A part that no longer served, and everything that could not be judged for that. */
export interface Outage {
  readonly cause: string
  readonly requirements: readonly string[]
}

/** The causes that more than one requirement waits for, the one that most wait for first. */
export function findOutages(checks: readonly CheckResult[]): Outage[] {
  return groupErrors(checks.filter(({ verdict }) => verdict === 'error'))
    .filter((group) => group.checks.length > 1)
    .map(({ cause, checks: waiting }) => ({ cause, requirements: waiting.map(({ id }) => id) }))
}

/** Completes an outage or a violation: "12 requirements wait for this one". */
export function describeWaiting({ length }: readonly string[]): string {
  return length === 1 ? '1 requirement waits for this one' : `${length} requirements wait for this one`
}

/** The requirement of each part that fails where its own rejections or failures have brought it down. */
export const damageOf = { mint: 'MINT-27', backend: 'BACK-22', signaling: 'SIG-32' } as const

/** Credential of the configuration that ordinary use of a part rests on. */
const rejected = {
  mint: 'mint.apiKey',
  backend: 'a session of backend.sessions',
  signaling: 'the account of the calling tokens',
} as const

/** Advice on an outage: a limit on the rate, or the cap of a trial, needs no restart. */
export function adviseOnOutage({ requirements }: Outage, checks: readonly CheckResult[]): string {
  const { part = 'mint', unavailable = 'failing' } =
    checks.find(({ id }) => id === requirements[0])?.cause ?? {}
  const explaining = checks.find(({ id, verdict }) => id === damageOf[part] && verdict === 'fail')
  if (explaining !== undefined) return `Correct ${explaining.id} first, which says why; then run these again.`
  const orKey = part === 'mint' ? ', give a key that is below its cap,' : ''
  return {
    limited: `Set limits.pace.${part} to what the limit allows${orKey} or raise the limit for the suite, and run these again, with --only.`,
    failing: 'Bring the part up again and run these again, with --only; its log says why it failed.',
    refusing:
      'Start the part again, or allow this machine to connect to it, and run these again, with --only.',
    silent:
      'Find out in its log whether it hangs, is overloaded or blocks this machine; then run these again, with --only.',
    'broken off':
      'Find out in its log, or in that of the proxy before it, who ends the connections; then run these again, with --only.',
    rejecting: `Find out in its log why it rejects ordinary use: ${rejected[part]} may have ended or been revoked, or it bans this machine. Correct that, and run these again, with --only.`,
  }[unavailable]
}

/** The errors among the checks by their cause (a part that is down, a ban, a network), the one that most wait for first. */
export function groupErrors(checks: readonly CheckResult[]) {
  const partsThat = (unavailable: Cause['unavailable']) =>
    new Set(checks.flatMap(({ cause }) => (cause?.unavailable === unavailable ? [cause.part] : [])))
  const refusing = partsThat('refusing')
  // A backend fails while its mint is dead, fails or no longer takes the key.
  const ofMint = (['refusing', 'rejecting', 'failing'] as const).find((one) => partsThat(one).has('mint'))
  return [...Map.groupBy(checks, (check) => causeOf(check, refusing, ofMint))]
    .map(([key, alike]) => {
      // Those that met the part itself say most about it.
      const hasMet = ({ cause }: CheckResult) => key === `${cause?.part} ${cause?.unavailable}`
      const told = alike.toSorted((one, other) => Number(hasMet(other)) - Number(hasMet(one)))
      const during = told.find(({ cause }) => cause?.during !== undefined)?.cause?.during
      const end = during === undefined ? '' : `; it ended during ${during}`
      return { cause: textOf(told[0]) + end, checks: told }
    })
    .toSorted((one, other) => other.checks.length - one.checks.length)
}

/** The error itself where there is a finding: the reason also has what else kept the requirement from being judged. */
function textOf(check: CheckResult | undefined): string {
  const error = check?.findings.find(({ verdict }) => verdict === 'error')
  return error?.message ?? check?.reason ?? ''
}

/** The part and what became of it, else the requirement. A part that died broke connections off before it refused others. */
function causeOf(
  { id, cause }: CheckResult,
  refusing: ReadonlySet<Cause['part']>,
  ofMint: Cause['unavailable'] | undefined,
): string {
  if (cause === undefined) return id
  const { part, unavailable } = cause
  if (part === 'backend' && unavailable === 'failing' && ofMint !== undefined) return `mint ${ofMint}`
  const isOfDeath = unavailable === 'silent' || unavailable === 'broken off'
  return `${part} ${isOfDeath && refusing.has(part) ? 'refusing' : unavailable}`
}
