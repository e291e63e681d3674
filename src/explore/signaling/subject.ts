import { ControlLost } from '../../base/inconclusive.ts'
import { outageSeconds } from '../../base/limits.ts'
import { readToken } from '../../base/tokens/decode.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import type { CommonContext, Needed } from '../../requirement/needs.ts'
import type { Session } from '../../requirement/session.ts'
import type { Attempt } from '../../roles/signaling/attempt.ts'
import { isDeclarationUnconfirmed, unconfirmedDeclaration } from '../../roles/signaling/check-profile.ts'
import type { Signaling } from '../../roles/signaling/driver.ts'
import { NotServed, type Subject } from '../engine/subject.ts'
import { signalingInvariants } from './invariants.ts'
import { makeMotifs } from './motifs.ts'
import { commandOf, listCommands, makePlain, makeSteps, type SignalingStep } from './steps.ts'
import { afterExpiryMs, type Habits, tellSignaling } from './tell-signaling.ts'

/** Parts that stories about signaling need. */
export const signalingNeeds = ['mint', 'signaling'] as const
export type SignalingParts = CommonContext & Pick<Needed, (typeof signalingNeeds)[number]>

export interface SignalingSubjectOptions {
  readonly reset?: (() => Promise<void>) | undefined
  readonly restart?: (() => Promise<void>) | undefined
}

const longSeconds = 300
/** Waiting for longer lifetimes would leave no time for stories. */
const longestShortSeconds = 5
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
const betweenTriesMs = 1_000
/** Earlier attempts may have left one rejection behind. */
const firstTries = 3
/** A mint may end tokens a little later than it was asked to. */
const lateSeconds = 5
const unwaited = `needs a mint that grants lifetimes of at most ${longestShortSeconds} s (mint.minTtlSeconds), to wait for expiry in a story`

const acceptsExpired =
  'signaling accepts a token that has just expired when asked first: SIG-06 judges that, and how long it does so'

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
  { reset = async () => {}, restart }: SignalingSubjectOptions,
): Subject<SignalingStep> {
  const { mint, signaling, clock } = parts
  const canExpire = mint.minTtlSeconds <= longestShortSeconds
  const issue = (userId: string, lives: 'long' | 'short') => issueBy(mint, userId, lives)
  let habits: Habits | null = null
  let whyExpiryIsUnjudged: string | null = canExpire ? null : unwaited

  const findHabits = async (): Promise<Habits> => {
    const [userId, otherUser] = [parts.newUser(), parts.newUser()]
    const token = await issue(userId, 'long')
    const rejectsOther = async () =>
      rejects(
        await signaling.decide({ token, declaredUser: otherUser, case: "a token with another user's id" }),
      )
    // A limit on the rate may reject once.
    const habits = {
      rejectsExpired: false,
      reports401: false,
      rejectsOther: (await rejectsOther()) && (await rejectsOther()),
    }
    if (!canExpire) return habits
    const jwt = await issue(userId, 'short')
    const exp = readToken(jwt)?.claims?.['exp']
    if (typeof exp !== 'number') {
      whyExpiryIsUnjudged = 'needs tokens that state their expiry (exp), to wait for it in a story'
      return habits
    }
    const untilEndMs = exp * 1000 - clock.wall()
    if (untilEndMs > (longestShortSeconds + lateSeconds) * 1000) {
      whyExpiryIsUnjudged = `${unwaited}; a token that was asked for ${mint.minTtlSeconds} s lives for ${Math.round(untilEndMs / 1000)} s`
      return habits
    }
    await clock.until(clock.monotonic() + Math.max(0, untilEndMs + afterExpiryMs))
    const made = await signaling.decide({ token: jwt, declaredUser: userId, case: 'an expired token' })
    if (!rejects(made)) whyExpiryIsUnjudged = acceptsExpired
    return { ...habits, rejectsExpired: rejects(made), reports401: rejects(made) && made.unauthorized }
  }

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
  /** Signaling that pauses after rejections serves again by the end of this time. */
  const serveOrdinary = async (patienceMs: number): Promise<void> => {
    const until = clock.monotonic() + patienceMs
    for (let time = 1; ; time += 1) {
      const control = parts.newUser()
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

  return {
    role: 'signaling',
    invariants: signalingInvariants,
    stories: { aRound: 12, shortest: 1, longest: 20 },
    makePlain,
    commands: listCommands(signaling.declaresUser, canExpire),
    commandOf,
    hasOwnUsers: true,
    makeMotifs: (random) => makeMotifs({ declaresUser: signaling.declaresUser, canExpire }, random),
    makeSteps: (_, random) => makeSteps(signaling.declaresUser, canExpire, random),
    opening: 'Two users, alice and bob, who were never seen before; a third one was accepted.',
    recovery: restart && { by: 'a restart', run: restart },
    async tell(story, { patienceMs = outageSeconds(parts.configuration.limits) * 1_000 } = {}) {
      await reset()
      habits ??= await findHabits()
      const [alice, bob] = [parts.newUser(), parts.newUser()]
      await serveOrdinary(patienceMs)
      await using modelRun = tellSignaling({
        signaling,
        userIds: { alice, bob },
        mint: issue,
        habits,
        clock,
        settleMs: usualSettleMs,
      })
      return await story(modelRun)
    },
    unjudged: () => ({
      ...(whyExpiryIsUnjudged && { 'EXP-22': whyExpiryIsUnjudged, 'EXP-25': whyExpiryIsUnjudged }),
      ...(habits?.rejectsOther === true ? {} : { 'EXP-24': whyOthersAreUnjudged(signaling) }),
    }),
    drain: () => session.journal.drain(),
  }
}

async function issueBy(
  mint: SignalingParts['mint'],
  userId: string,
  lives: 'long' | 'short',
): Promise<string> {
  const ttlSeconds = lives === 'long' ? Math.max(longSeconds, mint.minTtlSeconds) : mint.minTtlSeconds
  return (await mint.token(userId, { ttlSeconds })).jwt
}

function rejects(made: Attempt): boolean {
  return made.outcome === 'refused' && made.unreachable !== true && made.undecided !== true
}

/** By which services refuse for a limit or a ban. */
const limitCodes: readonly (number | undefined)[] = [402, 403, 429, 4429]

/** Limits, bans, outages and the network may end service as well: only a 401 is a decision about the token. */
function notServed(made: Exclude<Attempt, { readonly outcome: 'accepted' }>): NotServed {
  const isSoft =
    made.outcome !== 'refused' || !made.unauthorized || made.unreachable === true || made.undecided === true
  return new NotServed(
    `signaling ${made.summary} for a new token of a new user, however long it was asked`,
    {
      invariant: 'EXP-21',
      level: isSoft ? 'SHOULD' : undefined,
      saw: `new tokens of new users rejected since the last story: signaling ${made.summary}`,
      expected: 'an accepted token (5.6)',
      fix: 'Judge each token by itself, and free what a connection has taken once it ends.',
      evidence: [made.exchange],
    },
    limitCodes.includes(made.events.at(-1)?.code),
  )
}
