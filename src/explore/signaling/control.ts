import { ControlLost } from '../../base/inconclusive.ts'
import type { Attempt } from '../../roles/signaling/attempt.ts'
import { NotServed } from '../engine/subject.ts'
import type { Issue, SignalingParts } from './parts.ts'

const betweenTriesMs = 1_000
/** Earlier attempts may have left one rejection behind. */
const firstTries = 3

/** A new user with a new token, before each story. Signaling that pauses after rejections accepts by the end of the patience. */
export function createControl(
  { signaling, newUser, clock }: SignalingParts,
  issue: Issue,
  patienceMs: number,
): () => Promise<void> {
  let hasServed = false
  /** A mint that restarts serves again after a while. */
  const issueWithin = async (until: number, userId: string): Promise<string> => {
    for (;;) {
      try {
        return await issue(userId, 'long')
      } catch (error) {
        if (!hasServed || !(error instanceof ControlLost) || clock.monotonic() >= until) throw error
      }
      await clock.until(clock.monotonic() + betweenTriesMs)
    }
  }
  return async () => {
    const until = clock.monotonic() + patienceMs
    for (let time = 1; ; time += 1) {
      const control = newUser()
      const token = await issueWithin(until, control)
      const made = await signaling.decide({ token, declaredUser: control })
      if (made.outcome === 'accepted') {
        hasServed = true
        return
      }
      if (!hasServed && time >= firstTries)
        throw new ControlLost('signaling rejected a new token of a new user before the first story', [
          made.exchange,
        ])
      if (clock.monotonic() >= until) throw notServed(made)
      await clock.until(clock.monotonic() + betweenTriesMs)
    }
  }
}

/** Limits, bans, outages and the network may end service as well: only a 401 is a decision about the token. */
function notServed(made: Exclude<Attempt, { readonly outcome: 'accepted' }>): NotServed {
  const isSoft =
    made.outcome !== 'refused' || !made.unauthorized || made.unreachable === true || made.undecided === true
  return new NotServed(`signaling ${made.summary} for a new token of a new user, however long it was asked`, {
    invariant: 'EXP-21',
    level: isSoft ? 'SHOULD' : undefined,
    saw: `new tokens of new users rejected since the last story: signaling ${made.summary}`,
    expected: 'an accepted token (5.6)',
    fix: 'Judge each token by itself, and free what a connection has taken once it ends.',
    evidence: [made.exchange],
  })
}
