import type { Conforming } from '../../fixtures/conforming.ts'
import { startReference } from '../../fixtures/stack.ts'
import type { AnyCheck, Variant } from '../check/check.ts'
import { byPhase } from '../check/order.ts'
import { type CheckResult, runCheck } from '../check/run-check.ts'
import type { Verdict } from '../check/verdict.ts'
import { openSession } from '../parts/session.ts'

/** One cell of the table: a requirement judged a variant, and what it should have come to. */
export interface Cell {
  readonly requirement: string
  readonly variant: string
  readonly kind: 'reference' | 'broken' | 'conforming' | 'degenerate'
  readonly expected: readonly Verdict[]
  readonly result: CheckResult
  readonly holds: boolean
}

const unaccused: readonly Verdict[] = ['pass', 'info', 'not-applicable']

/** Runs checks against a variant of the reference, over real sockets. */
export async function judgeVariant(checks: readonly AnyCheck[], variant: Variant): Promise<CheckResult[]> {
  await using reference = await startReference({ variant })
  await using session = await openSession(reference.configuration)
  return await Promise.all(byPhase(checks).map((check) => runCheck(check, session)))
}

/** A broken variant is caught by its own requirement. */
export async function proveCaught(check: AnyCheck, name: string): Promise<Cell> {
  const broken = check.catches[name]
  if (broken === undefined) throw new Error(`${check.id} has no variant called ${name}`)
  const [result] = await judgeVariant([check], broken)
  return cell(check.id, name, 'broken', [broken.as ?? 'fail'], result)
}

/** A conforming variant is accused of nothing. */
export async function proveUnaccused(
  checks: readonly AnyCheck[],
  name: string,
  { variant, expected = {} }: Conforming,
): Promise<Cell[]> {
  const results = await judgeVariant(checks, variant)
  return results.map((result) => {
    const other = expected[result.id]
    const kind = name === 'reference' ? 'reference' : 'conforming'
    return cell(result.id, name, kind, other === undefined ? unaccused : [other], result)
  })
}

function cell(
  requirement: string,
  variant: string,
  kind: Cell['kind'],
  expected: readonly Verdict[],
  result: CheckResult | undefined,
): Cell {
  if (result === undefined) throw new Error(`${requirement} gave no result for ${variant}`)
  return { requirement, variant, kind, expected, result, holds: expected.includes(result.verdict) }
}
