import { headerOf } from '../../src/base/http/headers.ts'
import { ControlLost } from '../../src/base/inconclusive.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { showLifetime } from '../../src/base/tokens/show-lifetime.ts'
import { lifetimeOf } from '../../src/base/tokens/token-lifetime.ts'
import { askBetweenControls } from '../../src/requirement/controls.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import {
  areAlike,
  type Explanation,
  explainLifetimes,
  type Measured,
  type Reading,
} from './lib/explain-lifetimes.ts'
import { judgeTimeClaims, type TimedToken } from './lib/judge-time-claims.ts'

const ordinary = [60, 137, 300, 600, 900, 1234, 3600]
/** Beyond the recommended range: a mint may limit or reject it. */
const long = 7200
/** Overload and gateways answer so, whatever is asked. */
const passing = [429, 502, 503, 504]
/** A gateway in front of a mint may write the Date header by its own clock. */
const mostSkewSeconds = 600
const readings: readonly Reading[] = ['byClaims', 'byClock']
/** A clock may be read before and after a request. */
const lateSeconds = 60
const unreadable = { byClaims: null, byClock: null }

export default defineCheck({
  id: 'MINT-10',
  role: 'mint',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.2'],
  basis: 'ttlSeconds is the lifetime of the calling token (2.2).',
  title: 'honours the requested ttlSeconds',
  why: 'A backend that requests minutes and gets a day returns tokens that outlive sessions and devices.',
  how: {
    does: [
      'Requests tokens with ttlSeconds 60, 137, 300, 600, 900, 1234, 3600 and 7200 and reads each lifetime from exp − iat, or from exp and the Date header.',
      'Each lifetime must equal the requested one within seconds, or be explained by one minimum and one maximum, which are recorded.',
      'Values outside that range may be rejected.',
      'Then one user gets the longest of these lifetimes and after it the shortest, which must not be longer than that of another user.',
      'Where iat is over ten minutes ahead of the Date header, only the time until exp counts.',
    ],
    fails: [
      'The same lifetime for every request.',
      'A lifetime that was asked for by the request before.',
      'Tokens that have all ended when they arrive.',
    ],
    warns: [
      'A lifetime that is up to a minute off.',
      'An iat or nbf in the future, and a time that is no number.',
      'Claims that can be read and have no exp.',
    ],
    untested: ['A lifetime that cannot be read: FLOW-03 covers expiry.'],
  },
  mints: 17,
  needs: ['mint'],
  async run(parts, judge) {
    await judge.sandwich(
      () => parts.mint.token(parts.newUser()),
      () => judgeLifetimes(parts, judge),
    )
  },
})

/** A lifetime that was measured, and the token where its claims can be read. */
interface Dated extends Measured {
  readonly status: number
  readonly token: TimedToken | null
}

async function judgeLifetimes(parts: CheckContext<'mint'>, judge: Judge): Promise<void> {
  const first = await askBetweenControls(
    () => measureAll(parts, [...ordinary, long]),
    (measured) => measured.some(({ lifetime }) => lifetime !== null) && !measured.some(isForbidden),
    () => parts.mint.token(parts.newUser()),
  )
  judgeTimeClaims(
    first.flatMap(({ token }) => token ?? []),
    judge,
  )
  const granted = first.filter(({ lifetime }) => lifetime !== null)
  const isAccepted = judge.must(granted.some(isOrdinary), {
    saw: `every request with ttlSeconds rejected (${ordinary.join(', ')})`,
    expected: 'a token with the requested lifetime (2.2)',
    fix: 'Accept the optional field ttlSeconds.',
    evidence: first.map(({ exchange }) => exchange),
  })
  const readable = readings.filter((reading) => granted.every(({ lifetime }) => lifetime?.[reading] != null))
  if (!isAccepted) return
  if (readable.length === 0) {
    judge.onlyObserved('the lifetime of the token cannot be read; FLOW-03 covers expiry')
    return
  }
  const all = areAlike(granted.filter(isOrdinary), readable)
    ? [...first, ...(await measureAll(parts, beyond(granted.filter(isOrdinary))))]
    : first
  // A date in the future lowers exp − iat: what counts is how long signaling will take the token.
  const isDatedAhead = readable.includes('byClock') && all.some(isFarAhead)
  const counting = isDatedAhead ? readable.filter((reading) => reading === 'byClock') : readable
  const best = bestOf(counting.map((reading) => explainLifetimes(all, reading)))
  const seen = { saw: best.saw, evidence: all.map(({ exchange }) => exchange) }
  judge.must(best.fit !== 'none', {
    ...seen,
    expected: 'the requested lifetimes, limited by one minimum and one maximum at most (2.2)',
    fix: 'Set exp to the time of issue plus ttlSeconds, in seconds.',
  })
  judge.should(best.fit !== 'near', {
    ...seen,
    expected: 'the requested lifetimes to the second (2.2)',
    fix: 'Set exp to the time of issue plus ttlSeconds, in seconds.',
  })
  if (readable.includes('byClock') && best.fit !== 'none') {
    const byClock = explainLifetimes(all, 'byClock')
    judge.should(byClock.fit !== 'none' || !outlives(all), {
      saw: `${byClock.saw}, measured from the response, with an iat in the future`,
      expected: 'an iat equal to the time of issue',
      fix: 'Set iat and exp from the same clock reading.',
      evidence: seen.evidence,
    })
  }
  if (best.fit !== 'none') await judgeSecondLifetime(parts, granted.filter(isOrdinary), counting, judge)
  judge.observe('mint.shortestTtlSeconds', best.floor)
  judge.observe('mint.longestTtlSeconds', best.ceiling)
  judge.observe(
    'refusedTtlSeconds',
    all.filter(({ lifetime }) => lifetime === null).map(({ asked }) => asked),
  )
}

/** A token that is kept for a user lives as long as its first request has asked. */
async function judgeSecondLifetime(
  parts: CheckContext<'mint'>,
  granted: readonly Dated[],
  [reading]: readonly Reading[],
  judge: Judge,
): Promise<void> {
  const [shortest, longest] = [granted[0], granted.at(-1)]
  if (shortest === undefined || longest === undefined || reading === undefined) return
  const userId = parts.newUser()
  const before = await measure(parts, longest.asked, userId)
  const after = await measure(parts, shortest.asked, userId)
  const [usual, seen] = [shortest.lifetime?.[reading], after.lifetime?.[reading]]
  if (usual == null || seen == null) return
  judge.must(seen <= usual + lateSeconds, {
    case: 'a second lifetime for one user',
    saw: `a lifetime of ${showLifetime(seen)} for ttlSeconds ${shortest.asked}, asked after ${longest.asked} for the same user`,
    expected: `a lifetime of ${showLifetime(usual)}, as for another user (2.2)`,
    fix: 'Issue a token for each request, with its own ttlSeconds, and keep none.',
    evidence: [before.exchange, after.exchange],
  })
}

/** A firewall or an account answers so, and no check of a field. */
function isForbidden({ status }: Dated): boolean {
  return status === 401 || status === 403
}

function isRecommended(seconds: number): boolean {
  return seconds >= 60 && seconds <= 3600
}

function isOrdinary({ asked }: Measured): boolean {
  return ordinary.includes(asked)
}

/**
 * Says whether an `iat` is further ahead of the mint's own Date header than clocks of two of its machines may
 * be.
 */
function isFarAhead({ lifetime, token }: Dated): boolean {
  const { byClaims, byClock } = lifetime ?? { byClaims: null, byClock: null }
  const hasDate = token !== null && headerOf(token.answer.headers, 'date') !== undefined
  return hasDate && byClaims !== null && byClock !== null && byClock - byClaims > mostSkewSeconds
}

/**
 * Says whether a token outlives its claimed lifetime by over a minute, because its `iat` is in the future.
 */
function outlives(measured: readonly Measured[]): boolean {
  return measured.some(({ lifetime }) => {
    const { byClaims, byClock } = lifetime ?? { byClaims: null, byClock: null }
    return byClaims !== null && byClock !== null && byClock > byClaims + 60
  })
}

function bestOf(explanations: readonly Explanation[]): Explanation {
  const order = ['exact', 'near', 'none']
  const [best] = [...explanations].sort((a, b) => order.indexOf(a.fit) - order.indexOf(b.fit))
  if (best === undefined) throw new Error('no reading to explain')
  return best
}

async function measureAll(parts: CheckContext<'mint'>, asked: readonly number[]): Promise<Dated[]> {
  const measured: Dated[] = []
  await Promise.all(asked.map(async (seconds) => measured.push(await measure(parts, seconds))))
  return measured.sort((a, b) => a.asked - b.asked)
}

async function measure(
  { mint, newUser, clock }: CheckContext<'mint'>,
  asked: number,
  userId = newUser(),
): Promise<Dated> {
  const reply = await mint.request({ userId, ttlSeconds: asked, followRedirects: true })
  const evidence = [reply.exchange]
  if (reply.kind === 'no-answer') throw new ControlLost(`the mint ${reply.message}`, evidence)
  const { status, exchange } = reply
  const refused = { asked, status, lifetime: null, token: null, exchange }
  if (status >= 400 && status < 500 && status !== 429) return refused
  const located = status >= 200 && status <= 299 ? mint.locate(reply) : null
  // A mint may word a rejection of such a value as a crash, or as a success with an error in it.
  if (located?.kind !== 'found' && !isRecommended(asked) && !passing.includes(status)) return refused
  if (located?.kind !== 'found')
    throw new ControlLost(`the mint answered ${status} without a token for ttlSeconds ${asked}`, evidence)
  const read = readToken(located.token)
  const receivedAt = clock.wall()
  const token = read?.claims == null ? null : { claims: read.claims, answer: reply, receivedAt }
  // A lifetime beside a sealed token is a promise; FLOW-03 sees whether it is kept.
  const lifetime = token === null ? unreadable : lifetimeOf(read, reply, receivedAt)
  return { asked, status, lifetime, token, exchange }
}

/**
 * The same lifetime for 60 to 3600 seconds is the minimum, the maximum, or a sign that ttlSeconds is ignored: only
 * values on both sides of it show which.
 */
function beyond(granted: readonly Measured[]): number[] {
  const [one] = granted
  const same = Math.max(1, one?.lifetime?.byClaims ?? one?.lifetime?.byClock ?? 1)
  const around = [0.5, 0.9, 1.1, 2].map((factor) => Math.max(1, Math.round(factor * same)))
  return [...new Set([...around, 36_000])].filter(
    (seconds) => seconds !== long && !ordinary.includes(seconds),
  )
}
