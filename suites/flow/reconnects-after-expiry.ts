import { ControlLost, Untested } from '../../src/base/inconclusive.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { lifetimeOf } from '../../src/base/tokens/token-lifetime.ts'
import { sendCases } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { FetchedToken } from '../../src/roles/backend/driver.ts'
import type { End } from '../../src/roles/mint/expiry.ts'
import type { Attempt } from '../../src/roles/signaling/attempt.ts'
import { millisecondsLeft } from '../lib/token-end.ts'
import { joinInTime } from '../signaling/lib/leeway.ts'
import { offering } from '../signaling/lib/reject-credentials.ts'
import { assertRealTokens, fetchLastingToken } from './lib/joining-tokens.ts'

export default defineCheck({
  id: 'FLOW-03',
  level: 'MUST',
  kind: 'positive',
  clauses: ['3'],
  basis: 'A token expires, and a new one that is minted lets the client reconnect (3).',
  title: 'lets a user reconnect with a new token after expiry',
  why: 'Every call longer than the lifetime of a token depends on it.',
  how: {
    does: [
      'Fetches a short-lived token through the backend and joins signaling with it.',
      'After expiry, expects signaling to reject it (SIG-06 measures the leeway) and to accept a token fetched anew through the backend.',
      'A ban of every client is waited out.',
    ],
    fails: ['A backend that still returns the old token, or signaling that never rejects it.'],
  },
  mints: 2,
  needs: ['backend', 'signaling', 'expiry'],
  stage: 'expiry',
  async run(parts, judge) {
    assertRealTokens(parts)
    const used = await joinWithShortLived(parts, judge)
    if (used === 'judged') return
    const { old, isKnown } = used
    parts.handBack()
    const isRejected = await isRejectedInTime(parts, used)
    if (!isRejected && !isKnown)
      return judge.untested(
        'the expiry of the token cannot be read, and the mint may have raised the lifetime that was asked for',
      )
    judge.must(isRejected, {
      saw: `a token still accepted ${parts.expiry.trials.at(-1)} s after its expiry`,
      expected: 'a rejection, on which the client mints a new token (3)',
      fix: 'Validate exp on every connection.',
    })
    await parts.inTurn(() => rejoin(parts, old, judge))
  },
})

type Parts = CheckContext<'backend' | 'signaling' | 'expiry'>

/** Offers the token after its expiry until it is rejected. */
async function isRejectedInTime(
  { backend, signaling, expiry }: Parts,
  { old, end }: UsedToken,
): Promise<boolean> {
  const offered = { name: 'a token after its expiry', token: old.jwt, userId: backend.alice.userId }
  for (const seconds of expiry.trials) {
    await expiry.until(end.expiredAt + seconds * 1000)
    // Silence, as of a service that is busy, is a rejection only where it comes again.
    const tried = await sendCases(offering(signaling, [{ ...offered, isGenuine: true as const }]))
    for (const { made } of tried.map(({ seen }) => seen)) {
      if (made.outcome === 'refused' && made.unreachable === true)
        throw new ControlLost(`signaling could not be reached: it ${made.summary}`, [made.exchange])
      if (made.outcome !== 'accepted') return true
    }
  }
  return false
}

/** No difference of clocks explains a token that ended so long ago. */
export const certainMs = 2_000

interface UsedToken {
  readonly old: FetchedToken
  readonly end: End
  /** The token, or the response that brought it, says when it ends. */
  readonly isKnown: boolean
}

function judgeNew(
  what: string,
  { fresh, again }: { readonly fresh: FetchedToken; readonly again: Attempt },
  judge: Judge,
): void {
  judge.must(again.outcome === 'accepted', {
    saw: `${what} from the backend not accepted: signaling ${again.summary}`,
    expected: 'a new token that signaling accepts (3)',
    fix: 'Mint a new token once the old one has expired.',
    evidence: [fresh.exchange, again.exchange],
  })
}

/**
 * Joins with a short-lived token; with a longer-lived one where it may have expired before signaling decided. That one is judged
 * where it is rejected as well: it is the new token after an expired one.
 */
async function joinWithShortLived(parts: Parts, judge: Judge): Promise<UsedToken | 'judged'> {
  const { backend, signaling, expiry, clock } = parts
  let isAfterLate = false
  let last: string | null = null
  return await joinInTime<UsedToken | 'judged'>(expiry, async (ttlSeconds) => {
    const used = await fetchShortLived(parts, ttlSeconds)
    const { old, end } = used
    // Kept from before this check, and returned again after its end.
    const isOver = old.jwt === last && millisecondsLeft(old.jwt, clock) < -certainMs
    last = old.jwt
    const early = await signaling.join({ jwt: old.jwt, userId: backend.alice.userId })
    if (early.outcome === 'accepted') return used
    const isLate = early.decidedAt >= end.mayExpireAt
    const isReached = early.outcome === 'refused' && early.unreachable !== true
    if (isOver && isReached) judgeNew('the expired token returned again', { fresh: old, again: early }, judge)
    else if (isLate) {
      isAfterLate = true
      return null
    } else if (!isAfterLate || !isReached)
      throw new ControlLost(`signaling ${early.summary} when offered a freshly fetched token`, [
        early.exchange,
      ])
    else if ((await signaling.outlastBan()) === 0)
      judgeNew('the new token', { fresh: old, again: early }, judge)
    else judge.lost(`signaling rejected every client for a while: it ${early.summary}`, [early.exchange])
    return 'judged'
  })
}

/** Fetches alice's token; where there is a double, while it issues tokens of this lifetime. */
async function fetchWith<Token>(
  { available }: Parts,
  lifetime: number | null,
  fetch: () => Promise<Token>,
): Promise<Token & { readonly isNew: boolean }> {
  const double = available('mintDouble')
  if (double === undefined) return { ...(await fetch()), isNew: false }
  return await double.scripted(async (scripted) => {
    scripted.lifetime(lifetime)
    return { ...(await fetch()), isNew: scripted.calls().length > 0 }
  })
}

async function fetchShortLived(parts: Parts, askedSeconds: number): Promise<UsedToken> {
  const { backend, expiry, clock } = parts
  const old = await fetchWith(parts, askedSeconds, () => backend.token(backend.alice))
  const { sentAt, receivedAt } = old.answer
  const lifetime = lifetimeOf(readToken(old.jwt), old.answer, clock.wall())
  if (lifetime.byClock === null && !old.isNew)
    throw new Untested('the expiry of the token cannot be read, and the token may have come from a cache')
  // For a token that the backend may have cached, only the remaining lifetime counts.
  const left = old.isNew ? lifetime : { byClaims: lifetime.byClock, byClock: lifetime.byClock }
  const isKnown = lifetime.byClock !== null
  return { old, end: expiry.endOf({ lifetime: left, askedSeconds, sentAt, receivedAt }), isKnown }
}

/** A token that is fetched after the rejection of the old one joins. */
async function rejoin(parts: Parts, old: { readonly jwt: string }, judge: Judge): Promise<void> {
  const { backend, signaling, expiry } = parts
  const { alice } = backend
  const joinAnew = async () => {
    // A backend may keep it: for no longer than a client needs.
    const lifetime = expiry.lifetimes.at(-1) ?? null
    const fresh = await fetchWith(parts, lifetime, () => fetchLastingToken(parts, alice))
    return { fresh, again: await signaling.join({ jwt: fresh.jwt, userId: alice.userId }) }
  }
  let joined = await joinAnew()
  const { again } = joined
  if (again.outcome === 'refused' && again.unreachable === true)
    throw new ControlLost(`signaling could not be reached: it ${again.summary}`, [again.exchange])
  // A rejection of other users as well is no answer to the expired token.
  if (again.outcome === 'refused' && (await signaling.outlastBan()) !== null) {
    joined = await joinAnew()
    if (joined.again.outcome === 'refused') await signaling.control()
  }
  const isOld = joined.fresh.jwt === old.jwt
  judgeNew(isOld ? 'the expired token returned again' : 'the new token', joined, judge)
}
