import type { Clock } from '../../../src/base/clock.ts'
import type { DoubleCall, ScriptedMint } from '../../../src/roles/mint/double.ts'

/** Long enough for health probes and refreshes that come several times a second, and for a call behind its response. */
const quietMs = 400
/** Calls that a backend makes by itself come again within this time. */
const recurringMs = 3000
/** So many windows may pass until the last call for a request has arrived; what goes on for longer comes by itself. */
const mostStragglers = 5

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
  return new Set(
    double
      .calls()
      .slice(before)
      .map(({ userId }) => userId),
  )
}

/** Calls by the id that they name. */
export function countIds(calls: readonly DoubleCall[]): ReadonlyMap<DoubleCall['userId'], number> {
  const counts = new Map<DoubleCall['userId'], number>()
  for (const { userId } of calls) counts.set(userId, (counts.get(userId) ?? 0) + 1)
  return counts
}

/** Waits for the calls of earlier requests; resolves with the ids that they name, and whether calls go on all the same. */
export async function waitUntilQuiet(
  double: Pick<ScriptedMint, 'calls'>,
  clock: Pick<Clock, 'monotonic' | 'until'>,
): Promise<{ readonly named: ReadonlySet<DoubleCall['userId']>; readonly isQuiet: boolean }> {
  const named = new Set<DoubleCall['userId']>()
  for (let window = 0; window < mostStragglers; window += 1) {
    const ids = await watchQuiet(double, clock)
    if (ids.size === 0) return { named, isQuiet: true }
    for (const id of ids) named.add(id)
  }
  return { named, isQuiet: false }
}

/** How often each id comes in a millisecond while nothing is asked. */
export async function measureSilence(
  double: Pick<ScriptedMint, 'calls'>,
  clock: Pick<Clock, 'monotonic' | 'until'>,
): Promise<ReadonlyMap<DoubleCall['userId'], number>> {
  const before = double.calls().length
  const start = clock.monotonic()
  await watchQuiet(double, clock, recurringMs)
  const elapsedMs = clock.monotonic() - start
  const counts = countIds(double.calls().slice(before))
  return new Map([...counts].map(([id, count]) => [id, count / elapsedMs]))
}
