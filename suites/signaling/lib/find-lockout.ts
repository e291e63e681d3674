import { outageSeconds } from '../../../src/base/http/limits.ts'
import { isLoopbackName } from '../../../src/base/http/requested-address.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { Attempt, Refused } from '../../../src/roles/signaling/attempt.ts'

/** Everyone is rejected as one with a bad token is, for good. */
export interface Lockout {
  readonly seconds: number
  readonly made: Refused
}

/** Another address of every machine, from which nothing was rejected. */
const otherAddress = '127.0.0.2'
const firstPauseMs = 1_000

/**
 * Joins with fresh tokens until one is accepted, also from an address that has offered no bad token: a ban of this machine is none of
 * everyone. Null where that cannot be told apart, or where a ban says by its status that the token is not its reason.
 */
export async function findLockout({
  callingTokens,
  signaling,
  clock,
  configuration,
}: CheckContext<'callingTokens' | 'signaling'>): Promise<Lockout | null> {
  if (!signaling.hasServed() || !isLoopbackName(new URL(signaling.url).hostname)) return null
  const seconds = outageSeconds(configuration.limits)
  const tryBoth = async (): Promise<Refused | null> => {
    const elsewhere = await callingTokens.fresh()
    const made = await signaling.attempt({
      token: elsewhere.jwt,
      declaredUser: elsewhere.userId,
      localAddress: otherAddress,
      case: 'a genuine calling token, from another address',
    })
    if (!isUnauthorized(made)) return null
    const here = await signaling.join(await callingTokens.fresh())
    return isUnauthorized(here) ? made : null
  }
  const tryUntilEnd = async (): Promise<Refused | null> => {
    const end = clock.monotonic() + seconds * 1000
    for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
      const made = await tryBoth()
      if (made === null || clock.monotonic() >= end) return made
      await clock.until(Math.min(end, clock.monotonic() + pauseMs))
    }
  }
  const made = await tryUntilEnd()
  return made === null ? null : { seconds, made }
}

function isUnauthorized(made: Attempt): made is Refused {
  return (
    made.outcome === 'refused' && made.unauthorized && made.undecided !== true && made.unreachable !== true
  )
}
