import type { Common } from '../../src/requirement/needs.ts'
import type { ScriptedMint } from '../../src/roles/mint/double.ts'

/** Seconds: what a backend keeps of it is soon of no use, so that no later check is answered from a cache. */
export const shortLifetime = 3

/** Where the mint double is there, it makes short-lived tokens while this runs, and has the backend to itself. */
export function withShortLivedTokens<T>(
  { available }: Pick<Common, 'available'>,
  run: (double: ScriptedMint | null) => Promise<T>,
): Promise<T> {
  const mintDouble = available('mintDouble')
  if (mintDouble === undefined) return run(null)
  return mintDouble.alone((double) => {
    double.lifetime(shortLifetime)
    return run(double)
  })
}
