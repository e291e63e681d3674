import { ControlLost, Untested } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { Attempt, AttemptRequest } from '../../src/roles/signaling/attempt.ts'
import { isRejected } from '../../src/roles/signaling/driver.ts'
import { fetchSignedToken, signAsEnded } from './lib/resign.ts'
import { tamperedFrom } from './lib/specimens.ts'

type Parts = CheckContext<'mint' | 'expiry' | 'signaling'>

const longAgoSeconds = 100_000_000
/** A service may grant an expired token that much leeway. */
const leewaySeconds = 35
const expired = 'an expired token'

/** Credentials of a user that are rejected, each derived from a fresh token. */
const damages: Readonly<Record<string, (parts: Parts, userId: string) => Promise<string | undefined>>> = {
  'a tampered token': async ({ mint }, userId) =>
    tamperedFrom((await mint.token(userId)).jwt, userId).at(0)?.token,
  'a token whose signature or payload is damaged': async ({ mint }, userId) =>
    tamperedFrom((await mint.token(userId)).jwt, userId).at(-2)?.token,
  garbage: () => Promise.resolve('garbage'),
  // The last: it gives the lane back, and waits.
  [expired]: makeExpired,
}

export default defineCheck({
  id: 'SIG-07',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['3', '5.6'],
  basis: 'After a failed authentication the client mints a new token and reconnects (3, 5.6).',
  title: 'accepts a newly minted token after a rejection',
  why: 'Minting again and reconnecting is the only recovery that a client has: a service that blocks it ends all calls.',
  how: {
    does: [
      'Separate users join, are rejected once, each with a differently tampered token, with garbage or with an expired token, and mint again.',
      'The new token must be accepted.',
      'A ban of every client is recorded and waited out.',
      'The expired token is signed with token.signWith; without it, a short-lived one is waited for.',
      'An overload on the way is no rejection.',
    ],
    fails: ['A rejection of the new token while other clients are served.'],
  },
  mints: 14,
  needs: ['mint', 'expiry', 'signaling'],
  stage: 'expiry',
  async run(parts, judge) {
    const { mint, signaling, newUser } = parts
    // One rejection per user: a service that locks users out after several is not accused.
    const round = async (what: string) => {
      const userId = newUser()
      await signaling.accepted(await mint.token(userId))
      const token = await damages[what]?.(parts, userId)
      if (token === undefined || (what !== expired && signaling.isGenuine(token))) return false
      const refused = await offerUntilRejected(parts, { token, declaredUser: userId, case: what })
      if (refused === null) return false
      let made = await signaling.join(await mint.token(userId))
      // Silence is not a rejection here: the service may only be slow.
      const isSilent = made.events.some(({ type }) => type === 'timeout')
      if (made.outcome === 'refused' && (made.unreachable === true || isSilent))
        throw new ControlLost(`signaling ${made.summary}`, [made.exchange])
      // A rejection of other users as well is no answer to the rejected one.
      const blockedSeconds = made.outcome === 'refused' ? await signaling.outlastBan() : null
      if (blockedSeconds !== null) {
        if (blockedSeconds > 0) judge.observe('signaling.blockedSeconds', blockedSeconds)
        made = await signaling.join(await mint.token(userId))
        if (made.outcome === 'refused') await signaling.control()
      }
      judge.must(made.outcome === 'accepted', {
        case: what,
        saw: `a newly minted token not accepted after a rejection of the same user: signaling ${made.summary}`,
        expected: 'the new token accepted (3)',
        fix: 'Do not block a user or client for a rejected token.',
        evidence: [refused.exchange, made.exchange],
      })
      return true
    }
    const others = Object.keys(damages).filter((what) => what !== expired)
    const forged = await Promise.all(others.map(round))
    const isExpiredRejected = await round(expired).catch((error: unknown) => {
      if (!(error instanceof Untested)) throw error
      judge.untested(`a new token after an expired one: ${error.message}`)
      return false
    })
    if (![...forged, isExpiredRejected].includes(true))
      throw new Untested('signaling rejected none of the tampered tokens')
  },
})

/** Once; an expired token again, as long as the service grants leeway. Null where it is not rejected. */
async function offerUntilRejected(
  { signaling, expiry, clock }: Parts,
  request: AttemptRequest,
): Promise<Attempt | null> {
  const startedAt = clock.monotonic()
  const trials = request.case === expired ? expiry.trials.filter((seconds) => seconds <= leewaySeconds) : [0]
  for (const [place, seconds] of [0, ...trials].entries()) {
    await clock.until(startedAt + seconds * 1000)
    const made = await signaling.attempt(request)
    // A service may reject by silence or a fault; one that is only late does so once.
    if (made.outcome === 'refused' && (place > 0 || isRejected(made))) return made
    if (made.outcome === 'untestable') return null
  }
  return null
}

/** Undefined where the token has no exp that could be changed. */
async function makeExpired(
  { mint, expiry, available, handBack }: Parts,
  userId: string,
): Promise<string | undefined> {
  const testKey = available('testKey')
  const signed = testKey && (await fetchSignedToken(testKey, () => mint.token(userId), null))
  const ended = testKey && signed && (await signAsEnded(testKey, signed, longAgoSeconds))
  if (ended) return ended
  const short = await expiry.token(userId)
  handBack()
  await expiry.until(short.expiredAt + 1000)
  return short.jwt
}
