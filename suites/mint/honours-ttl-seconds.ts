import { headerOf } from '../../src/base/http/headers.ts'
import { ControlLost } from '../../src/base/inconclusive.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { lifetimeOf, showLifetime } from '../../src/base/tokens/token-lifetime.ts'
import { askBetweenControls } from '../../src/requirement/controls.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import { isOverload, isSuccess } from '../backend/lib/describe-reply.ts'
import { areAlike, explainLifetimes, type Measured, type Reading } from './lib/explain-lifetimes.ts'
import { judgeTimeClaims } from './lib/judge-time-claims.ts'

const ordinary = [60, 137, 300, 600, 900, 1234, 3600]
/** Beyond the recommended range: a mint may limit or reject it. */
const long = 7200
/** A gateway in front of a mint may write the Date header by its own clock. */
const mostSkewSeconds = 600
const readings: readonly Reading[] = ['byClaims', 'byClock']
/** A clock may be read before and after a request. */
const lateSeconds = 60

export default defineCheck({
  id: 'MINT-10',
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
type Dated = Awaited<ReturnType<typeof measure>>

type Parts = CheckContext<'mint'>

async function judgeLifetimes(parts: Parts, judge: Judge): Promise<void> {
  const measureAll = (asked: readonly number[]) =>
    Promise.all(asked.map((seconds) => measure(parts, seconds)))
  // A firewall or an account answers 401 or 403, and no check of a field.
  const first = await askBetweenControls(
    () => measureAll([...ordinary, long]),
    (some) =>
      some.some(({ lifetime }) => lifetime !== null) &&
      some.every(({ status }) => status !== 401 && status !== 403),
    () => parts.mint.token(parts.newUser()),
  )
  const timed = first.flatMap(({ token }) => token ?? [])
  judgeTimeClaims(timed, judge)
  const granted = first.filter(({ lifetime }) => lifetime !== null)
  const usual = granted.filter(({ asked }) => ordinary.includes(asked))
  const isAccepted = judge.must(usual.length > 0, {
    saw: `every request with ttlSeconds rejected (${ordinary.join(', ')})`,
    expected: 'a token with the requested lifetime (2.2)',
    fix: 'Accept the optional field ttlSeconds.',
    evidence: first.map(({ exchange }) => exchange),
  })
  const readable = readings.filter((reading) => granted.every(({ lifetime }) => lifetime?.[reading] != null))
  if (!isAccepted) return
  if (readable.length === 0)
    return judge.onlyObserved('the lifetime of the token cannot be read; FLOW-03 covers expiry')
  const all = areAlike(usual, readable) ? [...first, ...(await measureAll(beyond(usual)))] : first
  // A date in the future lowers exp − iat: what counts is how long signaling will take the token.
  const hasDate = ({ token }: Dated) => token !== null && headerOf(token.answer.headers, 'date') !== undefined
  const isDatedAhead =
    readable.length > 1 && all.some((one) => aheadSeconds(one) > mostSkewSeconds && hasDate(one))
  const counting: readonly Reading[] = isDatedAhead ? ['byClock'] : readable
  const fits = ['exact', 'near', 'none'] as const
  const explained = counting.map((reading) => explainLifetimes(all, reading))
  const [best] = fits.flatMap((fit) => explained.find((one) => one.fit === fit) ?? [])
  if (best === undefined) throw new Error('no reading to explain')
  const evidence = all.map(({ exchange }) => exchange)
  for (const [level, fit, expected] of [
    ['must', 'none', 'the requested lifetimes, limited by one minimum and one maximum at most (2.2)'],
    ['should', 'near', 'the requested lifetimes to the second (2.2)'],
  ] as const)
    judge[level](best.fit !== fit, {
      saw: best.saw,
      expected,
      fix: 'Set exp to the time of issue plus ttlSeconds, in seconds.',
      evidence,
    })
  if (best.fit !== 'none') {
    const byClock = readable.includes('byClock') ? explainLifetimes(all, 'byClock') : best
    judge.should(byClock.fit !== 'none' || all.every((one) => aheadSeconds(one) <= lateSeconds), {
      saw: `${byClock.saw}, measured from the response, with an iat in the future`,
      expected: 'an iat equal to the time of issue',
      fix: 'Set iat and exp from the same clock reading.',
      evidence,
    })
    await judgeSecondLifetime(parts, usual, counting, judge)
  }
  judge.observe('mint.shortestTtlSeconds', best.floor)
  judge.observe('mint.longestTtlSeconds', best.ceiling)
  const refused = all.filter(({ lifetime }) => lifetime === null).map(({ asked }) => asked)
  judge.observe('refusedTtlSeconds', refused)
}

/** A token that is kept for a user lives as long as its first request has asked. */
async function judgeSecondLifetime(
  parts: Parts,
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

/** By how much a token outlives its claimed lifetime, because its `iat` is in the future. */
function aheadSeconds({ lifetime }: Measured): number {
  const { byClaims = null, byClock = null } = lifetime ?? {}
  return byClaims === null || byClock === null ? 0 : byClock - byClaims
}

async function measure({ mint, newUser, clock }: Parts, asked: number, userId = newUser()) {
  const reply = await mint.request({ userId, ttlSeconds: asked, followRedirects: true })
  const evidence = [reply.exchange]
  if (reply.kind === 'no-answer') throw new ControlLost(`the mint ${reply.message}`, evidence)
  const { status, exchange } = reply
  const located = isSuccess(reply) ? mint.locate(reply) : null
  if (located?.kind !== 'found') {
    // A mint may word a rejection of an unusual value as a crash, or as a success with an error in it.
    const isUnusual = asked < 60 || asked > 3600
    const isRejection = (status >= 400 && status < 500) || isUnusual
    if (isRejection && !isOverload(reply)) return { asked, status, lifetime: null, token: null, exchange }
    throw new ControlLost(`the mint answered ${status} without a token for ttlSeconds ${asked}`, evidence)
  }
  const read = readToken(located.token)
  const receivedAt = clock.wall()
  const token = read?.claims == null ? null : { claims: read.claims, answer: reply, receivedAt }
  // A lifetime beside a sealed token is a promise; FLOW-03 sees whether it is kept.
  const lifetime = token === null ? { byClaims: null, byClock: null } : lifetimeOf(read, reply, receivedAt)
  return { asked, status, lifetime, token, exchange }
}

/** Only values on both sides show whether one lifetime for all is the minimum or the maximum. */
function beyond([one]: readonly Measured[]): number[] {
  const same = Math.max(1, one?.lifetime?.byClaims ?? one?.lifetime?.byClock ?? 1)
  const around = [0.5, 0.9, 1.1, 2].map((factor) => Math.max(1, Math.round(factor * same)))
  return [...new Set([...around, 36_000])].filter(
    (seconds) => seconds !== long && !ordinary.includes(seconds),
  )
}
