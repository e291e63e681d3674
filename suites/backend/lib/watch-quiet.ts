import type { Clock } from '../../../src/base/clock.ts'
import type { DoubleCall, ScriptedMint } from '../../../src/roles/mint/double.ts'

/** Long enough for health probes and refreshes that come several times a second, and for a call behind its response. */
const quietMs = 400

/**
 * The ids of the mint calls that a backend makes by itself, seen while nothing is asked of it: health probes, and
 * caches that refresh their tokens ahead. It is watched for `leastMs` at least: on a busy machine everything takes longer.
 */
export async function watchQuiet(
  double: Pick<ScriptedMint, 'calls'>,
  clock: Pick<Clock, 'monotonic' | 'until'>,
  leastMs = 0,
): Promise<ReadonlySet<DoubleCall['userId']>> {
  const before = double.calls().length
  await clock.until(clock.monotonic() + Math.max(quietMs, leastMs))
  const calls = double.calls().slice(before)
  return new Set(calls.map(({ userId }) => userId))
}
