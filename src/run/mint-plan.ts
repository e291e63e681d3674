import type { DescribedCheck } from '../catalogue/described.ts'
import { type CheckResult, unjudged } from '../requirement/run.ts'

/** Which requirements a number of calling tokens is enough for. */
export interface MintPlan {
  readonly within: readonly DescribedCheck[]
  readonly beyond: readonly CheckResult[]
  /** Possible cost of the chosen requirements, before any is left out. */
  readonly cost: number
}

function costOf({ mints = 0 }: DescribedCheck): number {
  return mints
}

/** Takes them in their order; one that costs too much does not keep out cheaper ones behind it. */
export function planMints(checks: readonly DescribedCheck[], limit: number | null, spent: number): MintPlan {
  const cost = checks.reduce((sum, check) => sum + costOf(check), 0)
  if (limit === null) return { within: checks, beyond: [], cost }
  const within: DescribedCheck[] = []
  const beyond: CheckResult[] = []
  let left = Math.max(0, limit - spent)
  for (const check of checks) {
    const own = costOf(check)
    if (own <= left) {
      left -= own
      within.push(check)
    } else beyond.push(unaffordable(check, own, left, limit))
  }
  return { within, beyond, cost }
}

function unaffordable(check: DescribedCheck, own: number, left: number, limit: number): CheckResult {
  const reason = `needs up to ${own} calling tokens, but only ${left} of --max-mints ${limit} are left`
  return unjudged(check, { verdict: 'untested', reason })
}
