import { mostAtOnce } from '../base/limiter.ts'
import { type PaceLimits, pacedParts } from '../base/limits.ts'
import type { AnyCheck } from './define.ts'

type Paced = Pick<AnyCheck, 'id' | 'atOnce'>

/** Why a check cannot be judged at this pace; null where it can. */
export function findPaceGap({ atOnce = {} }: Pick<Paced, 'atOnce'>, pace: PaceLimits): string | null {
  for (const part of pacedParts) {
    const most = mostAtOnce(pace, part)
    const needed = atOnce[part] ?? 0
    if (most < needed)
      return `limits.pace allows ${most} ${most === 1 ? 'request' : 'requests'} at once to ${part}; needs ${needed} (limits.pace.${part}.atOnce)`
  }
  return null
}

/** Says before a run which checks its pace leaves untested, a line for each. */
export function listPaceGaps(checks: readonly Paced[], pace: PaceLimits): string[] {
  return checks.flatMap((check) => {
    const gap = findPaceGap(check, pace)
    return gap === null ? [] : [`${check.id} stays untested: ${gap}`]
  })
}
