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
import { offering } from '../signaling/lib/reject-credentials.ts'
import { assertRealTokens } from './lib/assert-real-tokens.ts'
import { fetchLastingToken } from './lib/fetch-lasting-token.ts'

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
    const { backend, signaling, expiry } = parts
    assertRealTokens(parts)
    const { alice } = backend
    const used = await joinInTime(parts, judge)
    if (used === null) return
    const { old, end, isKnown } = used
    parts.handBack()

    let rejectedBy: string | null = null
    for (const seconds of expiry.trials) {
      await expiry.until(end.expiredAt + seconds * 1000)
      const late = await offerExpired(signaling, { jwt: old.jwt, userId: alice.userId })
      if (late.outcome === 'refused' && late.unreachable === true)
        throw new ControlLost(`signaling could not be reached: it ${late.summary}`, [late.exchange])
      if (late.outcome === 'accepted') continue
      rejectedBy = late.exchange
      break
    }
    if (rejectedBy === null && !isKnown)
      return judge.untested(
        'the expiry of the token cannot be read, and the mint may have raised the lifetime that was asked for',
      )
    judge.must(rejectedBy !== null, {
      saw: `a token still accepted ${expiry.trials.at(-1)} s after its expiry`,
      expected: 'a rejection, on which the client mints a new token (3)',
      fix: 'Validate exp on every connection.',
    })
    await parts.inTurn(() => rejoin(parts, old, judge))
  },
})

type Parts = CheckContext<'backend' | 'signaling' | 'expiry'>

/** Silence, as of a service that is busy, is a rejection only where it comes again. */
async function offerExpired(
  signaling: Parts['signaling'],
  { jwt, userId }: { readonly jwt: string; readonly userId: string },
): Promise<Attempt> {
  const first = await signaling.join({ jwt, userId })
  if (first.outcome !== 'refused' || first.undecided !== true || first.unreachable === true) return first
  const cases = [{ name: 'a token after its expiry', token: jwt, userId, isGenuine: true as const }]
  const [again] = await sendCases(offering(signaling, cases))
  return again?.seen.made ?? first
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
 * Joins with a short-lived token; with a longer-lived one where it may have expired before signaling decided. Null where
 * that one is judged: rejected as well, it is the new token after an expired one.
 */
async function joinInTime(parts: Parts, judge: Judge): Promise<UsedToken | null> {
  const { backend, signaling, expiry, clock } = parts
  const { alice } = backend
  let isAfterLate = false
  let last: string | null = null
  for (const ttlSeconds of expiry.lifetimes) {
    const { old, end, isKnown } = await fetchShortLived(parts, ttlSeconds)
    // Kept from before this check, and returned again after its end.
    const isOver = old.jwt === last && millisecondsLeft(old.jwt, clock) < -certainMs
    last = old.jwt
    const early = await signaling.join({ jwt: old.jwt, userId: alice.userId })
    if (early.outcome === 'accepted') return { old, end, isKnown }
    const isLate = early.decidedAt >= end.mayExpireAt
    if (isOver && early.outcome === 'refused' && early.unreachable !== true) {
      judgeNew('the expired token returned again', { fresh: old, again: early }, judge)
      return null
    }
    if (!isLate && isAfterLate && early.outcome === 'refused' && early.unreachable !== true) {
      if ((await signaling.outlastBan()) === 0) judgeNew('the new token', { fresh: old, again: early }, judge)
      else judge.lost(`signaling rejected every client for a while: it ${early.summary}`, [early.exchange])
      return null
    }
    isAfterLate ||= isLate
    if (!isLate)
      throw new ControlLost(`signaling ${early.summary} when offered a freshly fetched token`, [
        early.exchange,
      ])
  }
  throw new Untested('no token could be used before its expiry: this machine or the network is slow')
}

async function fetchShortLived(
  { backend, expiry, clock, available }: Parts,
  askedSeconds: number,
): Promise<UsedToken> {
  const double = available('mintDouble')
  const old =
    double === undefined
      ? { ...(await backend.token(backend.alice)), isNew: false }
      : await double.scripted(async (scripted) => {
          scripted.lifetime(askedSeconds)
          return { ...(await backend.token(backend.alice)), isNew: scripted.calls().length > 0 }
        })
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
  const { backend, signaling, available, expiry } = parts
  const { alice } = backend
  const double = available('mintDouble')
  const joinAnew = async () => {
    const fetch = () => fetchLastingToken(parts, alice)
    // A backend may keep it: for no longer than a client needs.
    const fresh = await (double === undefined
      ? fetch()
      : double.scripted((scripted) => {
          scripted.lifetime(expiry.lifetimes.at(-1) ?? null)
          return fetch()
        }))
    return { fresh, again: await signaling.join({ jwt: fresh.jwt, userId: alice.userId }) }
  }
  let { fresh, again } = await joinAnew()
  if (again.outcome === 'refused' && again.unreachable === true)
    throw new ControlLost(`signaling could not be reached: it ${again.summary}`, [again.exchange])
  // A rejection of other users as well is no answer to the expired token.
  const blockedSeconds = again.outcome === 'refused' ? await signaling.outlastBan() : null
  if (blockedSeconds !== null) ({ fresh, again } = await joinAnew())
  if (blockedSeconds !== null && again.outcome === 'refused') await signaling.control()
  judgeNew(
    fresh.jwt === old.jwt ? 'the expired token returned again' : 'the new token',
    { fresh, again },
    judge,
  )
}
