import type { Clock } from '../../../src/base/clock.ts'
import type { DoubleCall, ScriptedMint } from '../../../src/roles/mint/double.ts'

/** Long enough for health probes and refreshes that come several times a second, and for a call behind its response. */
const quietMs = 400

/** How many calls for each id come in a millisecond. */
export type Rates = ReadonlyMap<DoubleCall['userId'], number>

/**
 * The mint calls that a backend makes by itself, seen while nothing is asked of it: health probes, and caches that refresh their
 * tokens ahead. It is watched for `leastMs` at least: on a busy machine everything takes longer.
 */
export async function watchQuiet(
  double: Pick<ScriptedMint, 'calls'>,
  clock: Pick<Clock, 'monotonic' | 'until'>,
  leastMs = 0,
): Promise<Rates> {
  const before = double.calls().length
  const start = clock.monotonic()
  await clock.until(start + Math.max(quietMs, leastMs))
  const elapsedMs = clock.monotonic() - start
  const byId = Map.groupBy(double.calls().slice(before), ({ userId }) => userId)
  return new Map([...byId].map(([id, calls]) => [id, calls.length / elapsedMs]))
}
