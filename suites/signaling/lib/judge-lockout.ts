import { outageSeconds } from '../../../src/base/http/limits.ts'
import { isLoopbackName } from '../../../src/base/http/requested-address.ts'
import { ControlLost } from '../../../src/base/inconclusive.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { Attempt, Refused } from '../../../src/roles/signaling/attempt.ts'
import { isRejected } from '../../../src/roles/signaling/driver.ts'

type Parts = CheckContext<'callingTokens' | 'signaling'>

/** Another address of every machine, from which nothing was rejected. */
const otherAddress = '127.0.0.2'
const firstPauseMs = 1_000

/**
 * Waits until signaling accepts a fresh token. Returns true where it rejects all users for good instead, which is judged here.
 * @throws ControlLost where it accepts none for another reason
 */
export async function isLockedOut(parts: Parts, judge: Judge): Promise<boolean> {
  try {
    await parts.signaling.outlastBan()
    return false
  } catch (error) {
    const seconds = outageSeconds(parts.configuration.limits)
    const made = error instanceof ControlLost ? await rejectedUntil(seconds, parts) : null
    if (made === null) throw error
    judge.must(false, {
      saw: `fresh tokens of all users rejected for ${seconds} s after others were accepted, also from an address that offered no bad token: signaling ${made.summary}`,
      expected: 'a fresh token accepted (3, 5.6)',
      fix: 'Count and ban only the user, or the client, whose token was rejected.',
      evidence: [made.exchange],
    })
    return true
  }
}

/**
 * Joins with fresh tokens until one is accepted, also from an address that has offered no bad token: a ban of this machine is none of
 * everyone. Null where that cannot be told apart, or where a ban says by its status that the token is not its reason.
 */
async function rejectedUntil(
  seconds: number,
  { callingTokens, signaling, clock }: Parts,
): Promise<Refused | null> {
  if (!signaling.hasServed() || !isLoopbackName(new URL(signaling.url).hostname)) return null
  const end = clock.monotonic() + seconds * 1000
  for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
    const { jwt, userId } = await callingTokens.fresh()
    const made = await signaling.attempt({
      token: jwt,
      declaredUser: userId,
      localAddress: otherAddress,
      case: 'a genuine calling token, from another address',
    })
    if (!isUnauthorized(made) || !isUnauthorized(await signaling.join(await callingTokens.fresh())))
      return null
    if (clock.monotonic() >= end) return made
    await clock.until(Math.min(end, clock.monotonic() + pauseMs))
  }
}

function isUnauthorized(made: Attempt): made is Refused {
  return isRejected(made) && made.unauthorized
}
