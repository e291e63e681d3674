import type { Exchange } from '../base/evidence/exchange.ts'
import type { Waiver } from '../configuration/configuration.ts'
import { waitForCause } from '../reports/wait-for-cause.ts'
import type { CheckResult } from '../requirement/run.ts'
import { applyWaivers } from './waivers.ts'

/** Verdicts change here for the last time: what follows adds reasons and hides what peers have said. */
export function conclude(
  judged: readonly CheckResult[],
  {
    exchanges,
    waivers,
    today,
  }: {
    readonly exchanges: readonly Exchange[]
    readonly waivers: readonly Waiver[]
    readonly today: Date
  },
): CheckResult[] {
  return applyWaivers(waitForCause(judged, exchanges), waivers, today)
}
