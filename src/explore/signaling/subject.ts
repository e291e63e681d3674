import { outageSeconds } from '../../base/limits.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import type { Session } from '../../requirement/session.ts'
import { isDeclarationUnconfirmed, unconfirmedDeclaration } from '../../roles/signaling/check-profile.ts'
import type { Signaling } from '../../roles/signaling/driver.ts'
import type { Subject } from '../engine/subject.ts'
import { createControl } from './control.ts'
import { type Found, findHabits, longestShortSeconds, unwaited } from './find-habits.ts'
import { signalingInvariants } from './invariants.ts'
import { makeMotifs } from './motifs.ts'
import type { Issue, SignalingParts } from './parts.ts'
import { makePlain, makeSteps, type SignalingStep } from './steps.ts'
import { type Habits, tellSignaling } from './tell-signaling.ts'

export interface SignalingSubjectOptions {
  readonly reset?: (() => Promise<void>) | undefined
}

const longSeconds = 300
/** Stories wait in full for a late rejection only where signaling accepted a client that it should not. */
const shortestSettleMs = 20

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

const usualSettleMs = 300
/** Stories compare with what a token of another user met when it was offered first. */
function whyOthersAreUnjudged({ declaresUser, configuration }: Signaling): string {
  if (isDeclarationUnconfirmed(configuration.access)) return unconfirmedDeclaration
  return declaresUser
    ? "signaling rejects no token with another user's id when asked first: SIG-05 judges that"
    : 'needs a protocol in which the client states its userId (signaling.profile.declaredUser)'
}

/** Signaling with tokens of its real mint, and everything that clients can do with them. */
export function openSignalingSubject(
  session: Session,
  parts: SignalingParts,
  { reset = async () => {} }: SignalingSubjectOptions,
): Subject<SignalingStep> {
  const { mint, signaling, clock } = parts
  const canExpire = mint.minTtlSeconds <= longestShortSeconds
  const known = new Set<string>()
  const issue: Issue = (userId, lives) => {
    known.add(userId)
    return issueBy(mint, userId, lives)
  }
  const patienceMs = outageSeconds(parts.configuration.limits) * 1_000
  const serveOrdinary = createControl(parts, issue, patienceMs)
  let found: Found | null = null

  return {
    role: 'signaling',
    invariants: signalingInvariants,
    stories: { aRound: 12, shortest: 1, longest: 20 },
    makePlain,
    makeMotifs: (random) => makeMotifs({ declaresUser: signaling.declaresUser, canExpire }, random),
    makeSteps: (_, random) => makeSteps(signaling.declaresUser, canExpire, random),
    opening: 'Two users, alice and bob, who were never seen before; a third one was accepted.',
    async tell(story) {
      await reset()
      found ??= await findHabits(parts, canExpire, issue)
      const [alice, bob] = [parts.newUser(), parts.newUser()]
      await serveOrdinary()
      await using modelRun = tellSignaling({
        signaling,
        userIds: { alice, bob },
        mint: issue,
        habits: found.habits,
        isKnown: (userId) => known.has(userId),
        clock,
        settleMs: usualSettleMs,
      })
      return await story(modelRun)
    },
    unjudged: () =>
      listUnjudged(signaling, found ?? { habits: null, whyExpiryIsUnjudged: canExpire ? null : unwaited }),
    drain: () => session.journal.drain(),
  }
}

function listUnjudged(
  signaling: Signaling,
  {
    habits,
    whyExpiryIsUnjudged,
  }: { readonly habits: Habits | null; readonly whyExpiryIsUnjudged: string | null },
): Readonly<Record<string, string>> {
  const reasons: Record<string, string> = {}
  if (whyExpiryIsUnjudged !== null) reasons['EXP-22'] = reasons['EXP-25'] = whyExpiryIsUnjudged
  if (habits?.rejectsOther !== true && (habits?.userPaths.length ?? 0) === 0)
    reasons['EXP-24'] = whyOthersAreUnjudged(signaling)
  return reasons
}

async function issueBy(
  mint: SignalingParts['mint'],
  userId: string,
  lives: 'long' | 'short',
): Promise<string> {
  const ttlSeconds = lives === 'long' ? Math.max(longSeconds, mint.minTtlSeconds) : mint.minTtlSeconds
  return (await mint.token(userId, { ttlSeconds })).jwt
}
