import { readToken } from '../../base/tokens/decode.ts'
import type { Attempt } from '../../roles/signaling/attempt.ts'
import type { Issue, SignalingParts } from './parts.ts'
import { afterExpiryMs, type Habits } from './tell-signaling.ts'

/** Waiting for longer lifetimes would leave no time for stories. */
export const longestShortSeconds = 5
/** A mint may end tokens a little later than it was asked to. */
const lateSeconds = 5
export const unwaited = `needs a mint that grants lifetimes of at most ${longestShortSeconds} s (mint.minTtlSeconds), to wait for expiry in a story`

const acceptsExpired =
  'signaling accepts a token that has just expired when asked first: SIG-06 judges that, and how long it does so'

export interface Found {
  readonly habits: Habits
  /** Null where stories can wait for expiry, and signaling rejects what has expired. */
  readonly whyExpiryIsUnjudged: string | null
}

/** Asks signaling first how it answers an expired token, and one of another user. */
export async function findHabits(parts: SignalingParts, canExpire: boolean, issue: Issue): Promise<Found> {
  const rejectsOther = await rejectsOtherUsers(parts, issue)
  const ordinary: Habits = { rejectsExpired: false, reports401: false, rejectsOther }
  const without = (reason: string): Found => ({ habits: ordinary, whyExpiryIsUnjudged: reason })
  if (!canExpire) return without(unwaited)
  const { mint, signaling, clock } = parts
  const userId = parts.newUser()
  const token = await issue(userId, 'short')
  const exp = readToken(token)?.claims?.['exp']
  if (typeof exp !== 'number')
    return without('needs tokens that state their expiry (exp), to wait for it in a story')
  const untilEndMs = exp * 1000 - clock.wall()
  if (untilEndMs > (longestShortSeconds + lateSeconds) * 1000)
    return without(
      `${unwaited}; a token that was asked for ${mint.minTtlSeconds} s lives for ${Math.round(untilEndMs / 1000)} s`,
    )
  await clock.until(clock.monotonic() + Math.max(0, untilEndMs + afterExpiryMs))
  const made = await signaling.decide({ token, declaredUser: userId, case: 'an expired token' })
  if (!rejects(made)) return without(acceptsExpired)
  return {
    habits: { ...ordinary, rejectsExpired: true, reports401: made.unauthorized },
    whyExpiryIsUnjudged: null,
  }
}

async function rejectsOtherUsers(parts: SignalingParts, issue: Issue): Promise<boolean> {
  const [userId, declaredUser] = [parts.newUser(), parts.newUser()]
  const token = await issue(userId, 'long')
  // A limit on the rate may reject once.
  for (let time = 1; time <= 2; time += 1) {
    const made = await parts.signaling.decide({ token, declaredUser, case: "a token with another user's id" })
    if (!rejects(made)) return false
  }
  return true
}

function rejects(made: Attempt): boolean {
  return made.outcome === 'refused' && made.unreachable !== true && made.undecided !== true
}
