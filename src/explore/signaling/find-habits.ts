import { readToken } from '../../base/tokens/decode.ts'
import type { CheckContext } from '../../requirement/needs.ts'
import { isRejected } from '../../roles/signaling/driver.ts'
import { findOwnUserPaths, type Joined } from '../../roles/signaling/named-user.ts'

/** Signaling's behaviour when it is asked first. Fixed requirements judge it; stories judge only whether it changes. */
export interface Habits {
  /** Why no story can judge expired tokens; null where signaling rejects them. */
  readonly whyExpiryIsUnjudged: string | null
  /** Where the frames of an accepted client name its user; empty where they do not. */
  readonly userPaths: readonly string[]
  /** A token with another user's id is rejected: a service may also ignore what the client states. */
  readonly rejectsOther: boolean
}

/** Waiting for longer lifetimes would leave no time for stories. */
export const longestShortSeconds = 5
/** A mint may end tokens a little later than it was asked to. */
const lateSeconds = 5
/** So that clocks that differ a little, and a leeway of some seconds, agree that it has expired. */
export const afterExpiryMs = 3_700
/** Clients whose frames show where signaling names the user. */
const fewestJoins = 2

/** Asks signaling first how it answers an expired token, and one of another user, and how it names the user who joins. */
export async function findHabits(parts: SignalingParts, issue: Issue): Promise<Habits> {
  return {
    userPaths: await findUserPaths(parts, issue),
    rejectsOther: await rejectsOtherUsers(parts, issue),
    whyExpiryIsUnjudged: await whyExpiryIsUnjudged(parts, issue),
  }
}

async function whyExpiryIsUnjudged(
  { mint, signaling, newUser, clock }: SignalingParts,
  issue: Issue,
): Promise<string | null> {
  const wanted = `needs a mint that grants lifetimes of at most ${longestShortSeconds} s (mint.minTtlSeconds), to wait for expiry in a story`
  if (mint.minTtlSeconds > longestShortSeconds) return wanted
  const declaredUser = newUser()
  const token = await issue(declaredUser, 'short')
  const exp = readToken(token)?.claims?.['exp']
  if (typeof exp !== 'number') return 'needs tokens that state their expiry (exp), to wait for it in a story'
  const leftMs = exp * 1_000 - clock.wall()
  if (leftMs > (longestShortSeconds + lateSeconds) * 1_000)
    return `${wanted}; a token that was asked for ${mint.minTtlSeconds} s lives for ${Math.round(leftMs / 1_000)} s`
  await clock.until(clock.monotonic() + leftMs + afterExpiryMs)
  const made = await signaling.decide({ token, declaredUser, case: 'an expired token' })
  return isRejected(made)
    ? null
    : `signaling accepts a token ${afterExpiryMs / 1_000} s after its expiry when asked first: SIG-06 judges that`
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
    if (!isRejected(made)) return false
  }
  return true
}

export const signalingNeeds = ['mint', 'signaling'] as const
export type SignalingParts = CheckContext<(typeof signalingNeeds)[number]>

export type Issue = (userId: string, lives: 'long' | 'short') => Promise<string>
