import type { Clock } from '../../../src/base/clock.ts'
import type { CommonContext } from '../../../src/requirement/needs.ts'
import type { MintDouble, ScriptedMint } from '../../../src/roles/mint/double.ts'

/** Seconds: a cached token expires soon, so that no later check is answered from a cache. */
export const shortLifetime = 3
export const longestKeptSeconds = 10 * shortLifetime
/** Seconds that a cache may keep a token while several users ask: longer where they could not in the time before. */
const keptSeconds = [shortLifetime, 3 * shortLifetime, longestKeptSeconds] as const

/** Where a mint double is configured, it issues short-lived tokens while `run` has the backend to itself. */
export function withShortLivedTokens<T>(
  { available }: Pick<CommonContext, 'available'>,
  run: (double: ScriptedMint | null) => Promise<T>,
): Promise<T> {
  const mintDouble = available('mintDouble')
  if (mintDouble === undefined) return run(null)
  return scriptShortLived(mintDouble, run)
}

export function scriptShortLived<T>(
  mintDouble: Pick<MintDouble, 'scripted'>,
  run: (double: ScriptedMint) => Promise<T>,
): Promise<T> {
  return mintDouble.scripted((double) => {
    double.lifetime(shortLifetime)
    return run(double)
  })
}

/**
 * Has several users ask while a cache keeps tokens, which it drops so many seconds before their end. They ask again for longer-lived
 * ones where they could not in time.
 * @param ask returns whether there is nothing more to see
 * @returns whether it was in time
 */
export async function askInTime(
  double: Pick<ScriptedMint, 'lifetime'>,
  clock: Pick<Clock, 'monotonic'>,
  marginSeconds: number,
  ask: () => Promise<boolean>,
): Promise<boolean> {
  for (const seconds of keptSeconds) {
    double.lifetime(marginSeconds + seconds)
    const begun = clock.monotonic()
    const isOver = await ask()
    double.lifetime(shortLifetime)
    // `exp` has whole seconds: a token may end one earlier.
    if (isOver || clock.monotonic() - begun < (seconds - 1) * 1000) return true
  }
  return false
}
