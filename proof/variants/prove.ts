import type { Conforming, Degenerate } from '../../fixtures/conforming.ts'
import { startReference } from '../../fixtures/stack.ts'
import { type Verdict, verdicts } from '../../src/base/verdict.ts'
import type { ProvenCheck } from '../../src/catalogue/load-requirements.ts'
import { waitForCause } from '../../src/reports/wait-for-cause.ts'
import type { AnyCheck, Catch } from '../../src/requirement/define.ts'
import { type CheckResult, runCheck, sortByTurn } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import { createBrowserSource } from '../../src/roles/client/page/browser.ts'

/** One cell of the table: the verdict of a requirement on a variant, and the expected ones. */
export interface Cell {
  readonly requirement: string
  readonly variant: string
  readonly kind: 'reference' | 'broken' | 'conforming' | 'degenerate'
  readonly expected: readonly Verdict[]
  readonly result: CheckResult
  readonly holds: boolean
  /** The other requirements that accused a broken variant, where all were judged at once. */
  readonly accusedBy?: readonly string[]
}

const unaccused: readonly Verdict[] = ['pass', 'info', 'not-applicable']

/** A broken variant is caught by its own requirement, which says what to change. */
export async function proveCaught(check: ProvenCheck, name: string): Promise<Cell> {
  const broken = check.catches[name]
  if (broken === undefined) throw new Error(`${check.id} has no variant called ${name}`)
  const [result] = await judgeVariant([check], broken)
  if (result === undefined) throw new Error(`${check.id} gave no result for ${name}`)
  const caught = cell('broken', name, [broken.as ?? 'fail'], result)
  return { ...caught, holds: caught.holds && findWithoutAdvice(result).length === 0 }
}

/** A broken variant is caught by a requirement of all that a run judges at once, even where not by its own. */
export async function proveCaughtWhole(
  checks: readonly AnyCheck[],
  check: ProvenCheck,
  name: string,
): Promise<Cell> {
  const broken = check.catches[name]
  if (broken === undefined) throw new Error(`${check.id} has no variant called ${name}`)
  const results = await judgeVariant(checks, broken)
  const own = results.find(({ id }) => id === check.id)
  if (own === undefined) throw new Error(`${check.id} gave no result for ${name}`)
  const accusedBy = results
    .filter(({ id, verdict }) => verdict === 'fail' && id !== check.id)
    .map(({ id }) => id)
  const caught = cell('broken', name, [broken.as ?? 'fail'], own)
  return { ...caught, accusedBy, holds: caught.holds || accusedBy.length > 0 }
}

/** The breaches of a result that do not say what to change. */
function findWithoutAdvice({ findings }: CheckResult): string[] {
  return findings
    .filter(({ verdict, seen }) => verdict !== 'error' && seen === undefined)
    .map(({ message }) => message)
}

/** A conforming variant gets no fail. */
export async function proveUnaccused(
  checks: readonly AnyCheck[],
  name: string,
  { variant, expected = {} }: Conforming,
): Promise<Cell[]> {
  const kind = name === 'reference' ? 'reference' : 'conforming'
  const results = await judgeVariant(checks, variant)
  return results.map((result) => {
    const other = expected[result.id]
    return cell(kind, name, other === undefined ? unaccused : [other], result)
  })
}

/** A peer that answers nothing, or the same to everything, earns no `pass` for a refusal. */
export async function proveNoPass(
  checks: readonly AnyCheck[],
  name: string,
  peer: Degenerate,
): Promise<Cell[]> {
  const results = await judgeVariant(checks, peer.variant)
  const anythingElse = verdicts.filter((verdict) => verdict !== 'pass')
  return results.map((result) => cell('degenerate', name, anythingElse, result))
}

/** One browser for the whole proof; its user disposes of it. */
export const browsers = createBrowserSource({ onlyShipped: true })

/** Runs checks against a variant of the reference, over real sockets. */
async function judgeVariant(
  checks: readonly AnyCheck[],
  variant: Catch,
  { withoutDouble = false } = {},
): Promise<CheckResult[]> {
  const clients = checks.filter(({ role }) => role === 'client')
  const others = checks.filter(({ role }) => role !== 'client')
  const results = await Promise.all([
    others.length === 0 ? [] : judgeAtOnce(others, variant, withoutDouble),
    clients.length === 0 ? [] : judgeInTurn(clients, variant),
  ])
  return results.flat()
}

/** How long signaling may take for an answer, unless a variant is silent: a busy machine answers late. */
const signalingMs = 20_000

function withPatience(changed: NonNullable<Catch['configuration']> = {}): Record<string, unknown> {
  const { signaling = {} } = changed as { readonly signaling?: { readonly profile?: object } | null }
  if (signaling === null) return changed
  return {
    ...changed,
    signaling: { ...signaling, profile: { timeoutMs: signalingMs, ...signaling.profile } },
  }
}

async function judgeAtOnce(
  checks: readonly AnyCheck[],
  { restart, ...changed }: Catch,
  withoutDouble: boolean,
): Promise<CheckResult[]> {
  const variant = {
    ...changed,
    configuration: withPatience(changed.configuration),
  }
  await using reference = await startReference({
    variant,
    withBundle: true,
    withoutDouble,
    withSecureDouble: !withoutDouble,
  })
  await using session = await openSession(reference.configuration, {
    ...reference.session,
    restart: restart && startAgain(restart),
  })
  const results = await Promise.all(sortByTurn(checks).map((check) => runCheck(check, session)))
  return waitForCause(results, session.journal.drain())
}

function startAgain(empty: () => void) {
  return async () => {
    empty()
    return true
  }
}

async function judgeInTurn(checks: readonly AnyCheck[], variant: Catch): Promise<CheckResult[]> {
  await using reference = await startReference({ variant, withClient: true })
  await using session = await openSession(reference.configuration, { browsers })
  const results: CheckResult[] = []
  for (const check of checks) results.push(await runCheck(check, session))
  return results
}

function cell(kind: Cell['kind'], variant: string, expected: readonly Verdict[], result: CheckResult): Cell {
  return { requirement: result.id, variant, kind, expected, result, holds: expected.includes(result.verdict) }
}
