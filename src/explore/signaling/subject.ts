import type { Configuration } from '../../configuration/configuration.ts'
import { isDeclarationUnconfirmed, unconfirmedDeclaration } from '../../roles/signaling/check-profile.ts'
import type { Signaling } from '../../roles/signaling/driver.ts'
import type { OwnSubject } from '../engine/subject.ts'
import {
  findHabits,
  type Habits,
  type Issue,
  longestShortSeconds,
  type SignalingParts,
} from './find-habits.ts'
import { drawRound, type SignalingStep } from './steps.ts'
import { tellSignaling } from './story.ts'

const longSeconds = 300
/** A service that pauses after rejections accepts again within this time. */
const pauseSeconds = 35
/** Stories wait in full for a late rejection only where signaling accepted a client that it should not. */
const shortestSettleMs = 20
const usualSettleMs = 300

/** Signaling with little patience after an acceptance: most are as they should be. */
export function hurrySignaling(configuration: Configuration): Configuration {
  const { signaling } = configuration
  if (signaling?.access === undefined || !('profile' in signaling.access)) return configuration
  const { profile } = signaling.access
  // A service whose rejections are known to come late is given its time in every attempt.
  if (profile.settleMs > usualSettleMs) return configuration
  const settleMs = Math.min(profile.settleMs, shortestSettleMs)
  return { ...configuration, signaling: { ...signaling, access: { profile: { ...profile, settleMs } } } }
}

export function openSignalingSubject(parts: SignalingParts): OwnSubject<SignalingStep> {
  const { mint, signaling, clock, newUser } = parts
  const known = new Set<string>()
  const issue: Issue = async (userId, lives) => {
    known.add(userId)
    const ttlSeconds = lives === 'long' ? Math.max(longSeconds, mint.minTtlSeconds) : mint.minTtlSeconds
    return (await mint.token(userId, { ttlSeconds })).jwt
  }
  let habits: Habits | null = null
  return {
    opening: 'Two users, alice and bob, who were never seen before; a third one was accepted.',
    pauseSeconds,
    drawRound: (dice) =>
      drawRound(
        { declaresUser: signaling.declaresUser, canExpire: mint.minTtlSeconds <= longestShortSeconds },
        dice,
      ),
    async tell(story) {
      habits ??= await findHabits(parts, issue)
      await using telling = tellSignaling({
        signaling,
        clock,
        newUser,
        userIds: { alice: newUser(), bob: newUser() },
        issue,
        habits,
        isKnown: (userId) => known.has(userId),
        tokens: [],
        open: [],
        hasWaitedForExpiry: false,
      })
      return await story(telling)
    },
    unjudged: () => ({
      'EXP-22': habits?.whyExpiryIsUnjudged ?? undefined,
      'EXP-24':
        habits?.rejectsOther === true || (habits?.userPaths.length ?? 0) > 0
          ? undefined
          : whyOthersAreUnjudged(signaling),
    }),
  }
}

/** Stories compare with what a token of another user met when it was offered first. */
function whyOthersAreUnjudged({ declaresUser, configuration }: Signaling): string {
  if (isDeclarationUnconfirmed(configuration.access)) return unconfirmedDeclaration
  return declaresUser
    ? "signaling rejects no token with another user's id when asked first: SIG-05 judges that"
    : 'needs a protocol in which the client states its userId (signaling.profile.declaredUser)'
}
