import type { PacedPart } from '../base/pacing.ts'
import type { FoundPace, FoundPaces } from '../base/rate-limit-retry.ts'
import type { RunResults } from '../reports/results.ts'

/** One line for each part that limits its rate. The next run finds the pace again: in the file it would bound bursts that are judged. */
export function listPaces(paces: FoundPaces): string[] {
  return entriesOf(paces).map(([part, found]) => {
    const { perSecond, atOnce } = rounded(found)
    const name = part === 'signaling' ? part : `the ${part}`
    const { blocked } = found
    const cause =
      blocked === undefined
        ? 'limits its rate'
        : `refused every request for ${blocked.seconds} s, after ${blocked.rejections} that it had rejected`
    return `${name} ${cause}: the run settled at ${perSecond} a second, ${atOnce} at once`
  })
}

export function addPaces(results: RunResults, paces: FoundPaces): RunResults {
  const observed = entriesOf(paces).map(([part, found]) => [`${part}.pace`, rounded(found)])
  if (observed.length === 0) return results
  return { ...results, observations: { ...results.observations, ...Object.fromEntries(observed) } }
}

function entriesOf(paces: FoundPaces): [PacedPart, FoundPace][] {
  return Object.entries(paces) as [PacedPart, FoundPace][]
}

/** A pace in the file is a whole number, or a tenth of one. */
function rounded({ perSecond, ...others }: FoundPace): FoundPace {
  return { ...others, perSecond: Math.max(0.5, Math.floor(perSecond * 10) / 10) }
}
