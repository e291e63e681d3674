/**
 * Times by buckets that grow with the time, as in an HDR histogram: 64 to each doubling, so that a percentile is off by less than 2 %.
 * Machines add their buckets: a percentile of all is exact within a bucket, where an average of percentiles would be none.
 */
export type Histogram = Record<string, number>

const bucketsPerDoubling = 64
const leastMs = 0.1

export function recordMs(histogram: Histogram, milliseconds: number): void {
  const bucket = Math.max(0, Math.ceil(Math.log2(milliseconds / leastMs) * bucketsPerDoubling))
  histogram[bucket] = (histogram[bucket] ?? 0) + 1
}

export function addHistogram(to: Histogram, from: Histogram): void {
  for (const [bucket, count] of Object.entries(from)) to[bucket] = (to[bucket] ?? 0) + count
}

export function countOf(histogram: Histogram): number {
  return Object.values(histogram).reduce((sum, count) => sum + count, 0)
}

/** The time in milliseconds that this share of all did not exceed; null where there is none. */
export function percentile(histogram: Histogram, share: number): number | null {
  const wanted = Math.max(1, Math.ceil(countOf(histogram) * share))
  let seen = 0
  for (const bucket of Object.keys(histogram)
    .map(Number)
    .toSorted((a, b) => a - b)) {
    seen += histogram[bucket] ?? 0
    if (seen >= wanted) return Number((leastMs * 2 ** (bucket / bucketsPerDoubling)).toPrecision(3))
  }
  return null
}
