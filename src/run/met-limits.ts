import type { MetLimit, MetLimits } from '../base/http/limiter.ts'
import type { PacedPart } from '../base/http/limits.ts'

/** A line for each part that limited the run. It names no pace: a limit's own cannot be seen from outside. */
export function listLimits(limits: MetLimits): string[] {
  return entriesOf(limits).flatMap(([part, { repeated, waitedSeconds, bannedSeconds }]) => {
    const name = part === 'signaling' ? part : `the ${part}`
    const lines: string[] = []
    if (bannedSeconds !== undefined) lines.push(`${name} refused every request for ${bannedSeconds} s`)
    if (repeated > 0)
      lines.push(
        `${name} limits its rate (requests repeated: ${repeated}, time spent waiting: ${waitedSeconds} s)`,
      )
    return lines
  })
}

export function observedLimits(limits: MetLimits): Record<string, MetLimit> {
  return Object.fromEntries(entriesOf(limits).map(([part, met]) => [`${part}.rateLimit`, met]))
}

function entriesOf(limits: MetLimits): [PacedPart, MetLimit][] {
  return Object.entries(limits) as [PacedPart, MetLimit][]
}
