import type { CommonContext } from '../../../src/requirement/needs.ts'
import type { ScriptedMint } from '../../../src/roles/mint/double.ts'

/** Seconds: a cached token expires soon, so that no later check is answered from a cache. */
export const shortLifetime = 3
/** Seconds that a cache may keep a token while several users ask: longer where they could not in the time before. */
export const keptSeconds = [shortLifetime, 3 * shortLifetime, 10 * shortLifetime] as const

/** Where a mint double is configured, it issues short-lived tokens while `run` has the backend to itself. */
export function withShortLivedTokens<T>(
  { available }: Pick<CommonContext, 'available'>,
  run: (double: ScriptedMint | null) => Promise<T>,
): Promise<T> {
  const mintDouble = available('mintDouble')
  if (mintDouble === undefined) return run(null)
  return mintDouble.scripted((double) => {
    double.lifetime(shortLifetime)
    return run(double)
  })
}
