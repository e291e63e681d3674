import { type ReferenceOptions, startReference } from '../../../fixtures/stack.ts'
import type { AnyCheck, Variant } from '../../../src/requirement/define.ts'
import { type CheckResult, runCheck } from '../../../src/requirement/run.ts'
import { openSession } from '../../../src/requirement/session.ts'

/** Starts a stack and judges it by some requirements, one after the other. */
export async function judgeInTurn(
  checks: readonly AnyCheck[],
  variant: Variant,
  options: ReferenceOptions = {},
): Promise<CheckResult[]> {
  await using reference = await startReference({ ...options, variant })
  await using session = await openSession(reference.configuration, reference.session)
  const results: CheckResult[] = []
  for (const check of checks) results.push(await runCheck(check, session))
  return results
}

export async function judge(
  check: AnyCheck,
  variant: Variant,
  options?: ReferenceOptions,
): Promise<CheckResult> {
  const [result] = await judgeInTurn([check], variant, options)
  if (result === undefined) throw new Error(`${check.id} gave no result`)
  return result
}
