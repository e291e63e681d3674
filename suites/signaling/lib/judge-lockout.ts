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

/** Waits until a fresh token is accepted. True where all users are rejected for good, which is judged here. */
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

/** Joins also from an address that offered no bad token; null where one is accepted, or nothing is clear. */
async function rejectedUntil(
  seconds: number,
  { callingTokens, signaling, clock }: Parts,
): Promise<Refused | null> {
  if (!signaling.hasServed() || !isLoopbackName(new URL(signaling.url).hostname)) return null
  const end = clock.monotonic() + seconds * 1000
  for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
    const { jwt: token, userId: declaredUser } = await callingTokens.fresh()
    const what = 'a genuine calling token, from another address'
    const made = await signaling.attempt({ token, declaredUser, localAddress: otherAddress, case: what })
    if (!isUnauthorized(made) || !isUnauthorized(await signaling.join(await callingTokens.fresh())))
      return null
    if (clock.monotonic() >= end) return made
    await clock.until(Math.min(end, clock.monotonic() + pauseMs))
  }
}

function isUnauthorized(made: Attempt): made is Refused {
  return isRejected(made) && made.unauthorized
}
