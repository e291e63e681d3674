import { cpuSeconds } from '../../src/testing/cpu-seconds.ts'

/** For a doubling of the size: twice the time is linear, four times is quadratic. */
export const largestGrowth = 2.6

/** Below so many seconds, what is done once for each file and noise of the machine decide. */
const leastSeconds = 0.4
const samples = 3

/**
 * Compares the processor time that sizes take, and gives the largest growth for a doubling. Of several samples the
 * quickest counts, since a busy machine only adds to them.
 * @param prepare makes an input of a size, and what reads it
 */
export async function slowestGrowth(
  sizes: readonly number[],
  prepare: (size: number) => () => Promise<void>,
  measure: (run: () => Promise<void>) => Promise<number> = cpuSeconds,
): Promise<number> {
  let growth = 0
  let before: { readonly size: number; readonly seconds: number } | null = null
  for (const size of sizes) {
    const run = prepare(size)
    let seconds = await measure(run)
    const growthTo = () =>
      before === null || seconds < leastSeconds
        ? 0
        : (seconds / Math.max(before.seconds, leastSeconds / 16)) ** (1 / Math.log2(size / before.size))
    for (let sample = 1; sample < samples && growthTo() > largestGrowth; sample++)
      seconds = Math.min(seconds, await measure(run))
    growth = Math.max(growth, growthTo())
    before = { size, seconds }
  }
  return growth
}
