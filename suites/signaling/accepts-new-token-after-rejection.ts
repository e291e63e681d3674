import { ControlLost, Untested } from '../../src/base/inconclusive.ts'
import { takenApart } from '../../src/base/tokens/forge.ts'
import { tampered, tamperedParts } from '../../src/base/tokens/forge-tampered.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { Attempt, AttemptRequest } from '../../src/roles/signaling/attempt.ts'
import { fetchSignedToken, signAsEnded } from './lib/resign.ts'

type Parts = CheckContext<'mint' | 'expiry' | 'signaling'>

const longAgoSeconds = 100_000_000
const expiredToken = 'an expired token'

/** A credential of a user that has been made invalid. */
interface Damage {
  readonly what: string
  readonly make: (parts: Parts, userId: string) => Promise<string | undefined>
}

/** Rejected credentials, each derived from a fresh token of its user. */
const damages: readonly Damage[] = [
  {
    what: 'a tampered token',
    make: async ({ mint }, userId) => damaged((await mint.token(userId)).jwt, userId).at(0),
  },
  {
    what: 'a token whose signature or payload is damaged',
    make: async ({ mint }, userId) => damaged((await mint.token(userId)).jwt, userId).at(-2),
  },
  { what: 'garbage', make: () => Promise.resolve('garbage') },
  { what: expiredToken, make: makeExpired },
]

export default defineCheck({
  id: 'SIG-07',
  role: 'signaling',
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
    const round = async ({ what, make }: (typeof damages)[number]) => {
      const userId = newUser()
      await signaling.accepted(await mint.token(userId))
      const attack = await makeOrExplain(() => make(parts, userId), judge)
      const isForged = what !== expiredToken
      if (attack === undefined || (isForged && signaling.isGenuine(attack))) return null
      const refused = await offerUntilRejected(parts, { token: attack, declaredUser: userId, case: what })
      if (refused === null) return null
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
      return { what, refused, made }
    }
    const atOnce = await Promise.all(damages.filter(({ what }) => what !== expiredToken).map(round))
    // It gives the lane back, and waits.
    const late = await Promise.all(damages.filter(({ what }) => what === expiredToken).map(round))
    const rounds = [...atOnce, ...late]
    const judged = rounds.filter((round) => round !== null)
    if (judged.length === 0) throw new Untested('signaling rejected none of the tampered tokens')
    for (const { what, refused, made } of judged)
      judge.must(made.outcome === 'accepted', {
        case: what,
        saw: `a newly minted token not accepted after a rejection of the same user: signaling ${made.summary}`,
        expected: 'the new token accepted (3)',
        fix: 'Do not block a user or client for a rejected token.',
        evidence: [refused.exchange, made.exchange],
      })
  },
})

/** Once; an expired token again, as long as the service grants leeway. Null where it is not rejected. */
async function offerUntilRejected(
  { signaling, expiry, clock }: Parts,
  request: AttemptRequest,
): Promise<Attempt | null> {
  const startedAt = clock.monotonic()
  const trials = request.case === expiredToken ? expiry.trials.filter((seconds) => seconds <= 35) : [0]
  for (const [place, seconds] of [0, ...trials].entries()) {
    await clock.until(startedAt + seconds * 1000)
    const made = await signaling.attempt(request)
    const isDecided = made.outcome === 'refused' && made.undecided !== true && made.unreachable !== true
    // A service may reject by silence or a fault; one that is only late does so once.
    if (isDecided || (made.outcome === 'refused' && place > 0)) return made
    if (made.outcome === 'untestable') return null
  }
  return null
}

async function makeOrExplain(
  make: () => Promise<string | undefined>,
  judge: Judge,
): Promise<string | undefined> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof Untested)) throw error
    judge.untested(`a new token after an expired one: ${error.message}`)
    return undefined
  }
}

/** Undefined where the token has no exp that could be changed. */
async function makeExpired(
  { mint, expiry, available, handBack }: Parts,
  userId: string,
): Promise<string | undefined> {
  const testKey = available('testKey')
  const signed = testKey && (await fetchSignedToken(testKey, () => mint.token(userId)))
  const ended = testKey && signed && (await signAsEnded(testKey, signed, longAgoSeconds))
  if (ended) return ended
  const short = await expiry.token(userId)
  handBack()
  await expiry.until(short.expiredAt + 1000)
  return short.jwt
}

function damaged(jwt: string, userId: string): string[] {
  const original = takenApart(jwt, userId)
  const forgeries = original === null ? tamperedParts(jwt, userId) : tampered(original, { otherUser: userId })
  return forgeries.map(({ token }) => token)
}
