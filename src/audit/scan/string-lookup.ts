import type { StringTable } from './scan.ts'
import type { Extent } from './window.ts'

/** The strings of a table that contain a stretch of bytes; `null` once looking for them has cost too much. */
export type Lookup = (start: number, end: number) => { extents: Extent[]; isCovered: boolean } | null

const maxSteps = 20_000_000

/** Strings may overlap, and a hostile table may have all of them overlap: what a whole file costs is bounded. */
export function lookup({ extents, regions }: StringTable): Lookup {
  const sorted = [...extents].sort((a, b) => a.start - b.start)
  const reach = new Float64Array(sorted.length)
  for (const [at, { end }] of sorted.entries()) reach[at] = Math.max(end, reach[at - 1] ?? 0)
  let steps = 0
  return (start, end) => {
    const found: Extent[] = []
    for (let at = countUntil(sorted, start) - 1; at >= 0 && (reach[at] ?? 0) >= end; at--) {
      const extent = sorted[at]
      if (extent !== undefined && extent.end >= end) found.push(extent)
      steps += 1
      if (steps > maxSteps) return null
    }
    steps += regions.length
    const isCovered = regions.some((region) => region.start <= start && end <= region.end)
    return { extents: found.reverse(), isCovered }
  }
}

/** How many strings begin at or before an offset. */
function countUntil(sorted: readonly Extent[], offset: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle]?.start ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return low
}
