import { readToken } from '../../base/tokens/decode.ts'
import type { Attempt } from '../../roles/signaling/attempt.ts'
import { findOwnUserPaths, type Joined } from '../../roles/signaling/named-user.ts'
import type { Issue, SignalingParts } from './parts.ts'
import { afterExpiryMs, type Habits } from './tell-signaling.ts'

/** Waiting for longer lifetimes would leave no time for stories. */
export const longestShortSeconds = 5
/** A mint may end tokens a little later than it was asked to. */
const lateSeconds = 5
export const unwaited = `needs a mint that grants lifetimes of at most ${longestShortSeconds} s (mint.minTtlSeconds), to wait for expiry in a story`

/** Tokens may be accepted for a while behind their expiry; seconds at which one is offered. */
const leeways = [0, 1.5, 3, 6, 11]
const acceptsExpired = `signaling accepts a token ${leeways.at(-1)} s after its expiry when asked first: SIG-06 judges that, and how long it does so`
/** Clients whose frames show where signaling names the user. */
const fewestJoins = 2

export interface Found {
  readonly habits: Habits
  /** Null where stories can wait for expiry, and signaling rejects what has expired. */
  readonly whyExpiryIsUnjudged: string | null
}

/** Asks signaling first how it answers an expired token, and one of another user, and how it names the user who joins. */
export async function findHabits(parts: SignalingParts, canExpire: boolean, issue: Issue): Promise<Found> {
  const ordinary: Habits = {
    rejectsExpired: false,
    reports401: false,
    leewayMs: 0,
    userPaths: await findUserPaths(parts, issue),
    rejectsOther: await rejectsOtherUsers(parts, issue),
  }
  const without = (reason: string): Found => ({ habits: ordinary, whyExpiryIsUnjudged: reason })
  if (!canExpire) return without(unwaited)
  const { mint, signaling, clock } = parts
  const [first = null, ...others] = await Promise.all(leeways.map(() => issueShort(parts, issue)))
  const exp = first === null ? undefined : readToken(first.token)?.claims?.['exp']
  if (typeof exp !== 'number')
    return without('needs tokens that state their expiry (exp), to wait for it in a story')
  const untilEndMs = exp * 1000 - clock.wall()
  if (untilEndMs > (longestShortSeconds + lateSeconds) * 1000)
    return without(
      `${unwaited}; a token that was asked for ${mint.minTtlSeconds} s lives for ${Math.round(untilEndMs / 1000)} s`,
    )
  const expiresAt = clock.monotonic() + untilEndMs
  for (const [place, one] of [first, ...others].entries()) {
    const leewayMs = (leeways[place] ?? 0) * 1000
    await clock.until(expiresAt + afterExpiryMs + leewayMs)
    // Each token is offered once: a verdict may be kept.
    const made = one && (await signaling.decide({ ...one, case: 'an expired token' }))
    if (made && rejects(made))
      return {
        habits: { ...ordinary, rejectsExpired: true, reports401: made.unauthorized, leewayMs },
        whyExpiryIsUnjudged: null,
      }
  }
  return without(acceptsExpired)
}

async function issueShort({ newUser }: SignalingParts, issue: Issue) {
  const declaredUser = newUser()
  return { token: await issue(declaredUser, 'short'), declaredUser }
}

/** Where the frames of signaling name the user who joins; empty where they do not. */
async function findUserPaths(
  { newUser, signaling }: SignalingParts,
  issue: Issue,
): Promise<readonly string[]> {
  const joined: Joined[] = []
  for (let time = 0; time < fewestJoins; time += 1) {
    const userId = newUser()
    const made = await signaling.decide({ token: await issue(userId, 'long'), declaredUser: userId })
    if (made.outcome === 'accepted') joined.push({ made, userId })
  }
  return joined.length < fewestJoins ? [] : findOwnUserPaths(joined)
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
