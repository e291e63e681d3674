import { ControlLost, Untested } from '../../../src/base/inconclusive.ts'
import { takenApart } from '../../../src/base/tokens/forge.ts'
import type { TestKey } from '../../../src/base/tokens/signing-key.ts'
import { sendCases } from '../../../src/requirement/attack.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { End, Expiry } from '../../../src/roles/mint/expiry.ts'
import type { Signaling } from '../../../src/roles/signaling/driver.ts'
import { judgeWelcomes, offering } from './reject-credentials.ts'
import { fetchSignedToken, isAcceptedAgain, signAsEnded } from './resign.ts'

type Parts = CheckContext<'expiry' | 'signaling'>

interface UserToken {
  readonly jwt: string
  readonly userId: string
  readonly lifetime?: { readonly byClock: number | null }
}

/** A trial at which all tokens were rejected: when it was due, and when it was over, in seconds after expiry. */
export interface Rejection {
  readonly due: number
  readonly over: number
}

/** How long ended tokens are accepted. */
export interface Leeway {
  /** The last trial after expiry at which one was; 0 where there was none. */
  readonly seconds: number
  /** Null where some token was accepted at each trial. */
  readonly rejection: Rejection | null
  readonly evidence: readonly string[]
}

/** Tries ended tokens that this key has signed, all at once. Null where that shows nothing, for a reason that the judge is told. */
export async function findLongExpiredLeeway(
  { expiry, signaling }: Parts,
  key: TestKey,
  fetch: () => Promise<UserToken>,
  judge: Judge | null,
): Promise<Leeway | null> {
  const first = await fetchSignedToken(key, fetch, judge)
  const original = first && takenApart(first.jwt, first.userId)
  if (!original || !(await isAcceptedAgain(signaling, key, original, judge))) return null
  const offer = async (seconds: number) => {
    const own = await fetchSignedToken(key, fetch, judge)
    const token = own && (await signAsEnded(key, own, seconds, own.lifetime?.byClock))
    if (!token) return []
    const name = `a token that ended ${seconds} s ago`
    return [{ seconds, made: await signaling.decide({ token, declaredUser: own.userId, case: name }) }]
  }
  const tried = (await Promise.all(expiry.trials.map(offer))).flat()
  if (tried.length < expiry.trials.length) return null
  const last = tried.findLastIndex(({ made }) => made.outcome === 'accepted')
  const rejected = tried[last + 1]?.seconds
  const exchange = tried[last]?.made.exchange
  return {
    seconds: tried[last]?.seconds ?? 0,
    rejection: rejected === undefined ? null : { due: rejected, over: rejected },
    evidence: exchange === undefined ? [] : [exchange],
  }
}

/** Waits for the end of tokens and tries until all are rejected. */
export async function findLeeway(
  { expiry, signaling }: Parts,
  tokensOf: (trial: number) => readonly (UserToken & Pick<End, 'expiredAt'>)[],
  judge: Judge,
): Promise<Leeway> {
  let last: Leeway = { seconds: 0, rejection: null, evidence: [] }
  for (const [trial, seconds] of expiry.trials.entries()) {
    const tokens = tokensOf(trial)
    const expiredAt = Math.max(...tokens.map((token) => token.expiredAt))
    await expiry.until(expiredAt + seconds * 1000)
    const name = `a token that expired ${seconds} s ago`
    // Silence may be one of a busy machine: it is a rejection only where it is met again, with more time.
    const cases = tokens.map(({ jwt, userId }) => ({ name, token: jwt, userId, isGenuine: true as const }))
    const tried = await sendCases(offering(signaling, cases))
    await judgeWelcomes(tried, signaling, judge)
    const made = tried.map((one) => one.seen.made)
    const lost = made.find((one) => one.outcome === 'refused' && one.unreachable === true)
    if (lost !== undefined) throw new ControlLost(`signaling ${lost.summary}`, [lost.exchange])
    const accepted = made.filter(({ outcome }) => outcome === 'accepted')
    const over = Math.max(...made.map(({ decidedAt }) => decidedAt))
    if (accepted.length === 0)
      return { ...last, rejection: { due: seconds, over: (over - expiredAt) / 1000 } }
    const begun = Math.min(...accepted.map(({ startedAt }) => startedAt))
    last = {
      seconds: Math.max(seconds, Math.floor((begun - expiredAt) / 1000)),
      rejection: null,
      evidence: accepted.map(({ exchange }) => exchange),
    }
  }
  return last
}

/** Tries longer lifetimes until `join` has joined with short-lived tokens before their ends; null is: not in time. */
export async function joinInTime<Joined>(
  { lifetimes }: Expiry,
  join: (lifetime: number) => Promise<Joined | null>,
): Promise<Joined> {
  for (const lifetime of lifetimes) {
    const joined = await join(lifetime)
    if (joined !== null) return joined
  }
  throw new Untested(
    'no short-lived token could be sent before its expiry: this machine or the network is slow',
  )
}

/** False where it may have ended before signaling decided; throws `ControlLost` where it was rejected. */
export async function isAcceptedInTime(
  signaling: Signaling,
  { jwt, userId, mayExpireAt }: Pick<End, 'mayExpireAt'> & { readonly jwt: string; readonly userId: string },
  name = 'a calling token before its expiry',
): Promise<boolean> {
  const made = await signaling.decide({ token: jwt, declaredUser: userId, case: name })
  if (made.outcome === 'accepted' || made.decidedAt >= mayExpireAt) return made.outcome === 'accepted'
  // Everyone may be rejected for a while.
  await signaling.control()
  throw new ControlLost(`signaling ${made.summary} when offered ${name}`, [made.exchange])
}
