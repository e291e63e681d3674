import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import {
  findLeeway,
  findLongExpiredLeeway,
  isAcceptedInTime,
  joinInTime,
  type Leeway,
  type Rejection,
} from './lib/leeway.ts'

type Parts = CheckContext<'mint' | 'expiry' | 'signaling'>

/** `exp` and a limit have whole seconds. */
const wholeSecond = 1

/** A trial that came too late shows nothing about a limit before it. */
export function isTooLateFor(limitSeconds: number, { due, over }: Rejection): boolean {
  return over > Math.max(limitSeconds, due) + wholeSecond
}

export default defineCheck({
  id: 'SIG-06',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['3', '5.5'],
  basis: 'A calling token expires after its lifetime (3).',
  title: 'rejects an expired calling token',
  why: 'A calling token is valid for a short time so that a stolen one soon loses its value.',
  how: {
    does: [
      'Mints short-lived tokens at the start; one joins at once, one shortly before its expiry.',
      'After expiry, tries a used and an unused token at +2, +5, +15, +35 s and so on until both are rejected; then a fresh token must be accepted.',
      'A token that cannot be read ends when the expiresIn beside it says.',
      'With token.signWith, tokens that expired long ago are tried at once.',
    ],
    fails: ['A leeway (the last accepted time) over leewayFailSeconds.'],
    warns: ['A leeway over leewayWarnSeconds.'],
    untested: [
      'An unreadable token without expiresIn that is accepted for longer than asked.',
      'A trial that came later than the limit that it was to be made within.',
    ],
  },
  mints: 24,
  needs: ['mint', 'expiry', 'signaling'],
  stage: 'expiry',
  async run(parts, judge) {
    const { signaling, configuration, inTurn, mint, newUser, available } = parts
    const { leewayWarnSeconds, leewayFailSeconds } = configuration.limits
    const short = await mintShortLived(parts)
    const testKey = available('testKey')
    const fetch = () => mint.token(newUser())
    const longExpired = (testKey && (await findLongExpiredLeeway(parts, testKey, fetch, judge))) ?? none
    const isSettled = longExpired.seconds > leewayFailSeconds
    const last = isSettled ? none : await waitForLeeway(short, parts, judge)
    const { rejection } = last
    await inTurn(signaling.control)
    const { seconds, evidence } = longExpired.seconds > last.seconds ? longExpired : last
    judge.observe('signaling.leewaySeconds', seconds)
    const { byClaims, byClock } = short.seen.lifetime
    // A mint may raise what was asked, and nothing but the token says to what.
    if (byClaims === null && byClock === null && seconds > 0)
      return judge.untested(
        `the expiry of the calling token cannot be read, and the mint states no expiresIn: signaling accepted it ${seconds} s after the lifetime that was asked for`,
      )
    const saw = `a calling token accepted ${seconds} s after its expiry`
    const isLate = (limit: number) => seconds <= limit && rejection !== null && isTooLateFor(limit, rejection)
    const late = (limit: number) =>
      `a leeway of at most ${limit} s cannot be judged: the first rejection came ${Math.round(rejection?.over ?? 0)} s after expiry, since this machine or the network is slow`
    if (isLate(leewayFailSeconds)) return judge.untested(late(leewayFailSeconds))
    const isRejected = judge.must(seconds <= leewayFailSeconds, {
      saw,
      expected: `a rejection at most ${leewayFailSeconds} s after expiry (3)`,
      fix: 'Validate exp on every connection, with a small leeway.',
      evidence,
    })
    if (isRejected && isLate(leewayWarnSeconds)) judge.untested(late(leewayWarnSeconds))
    else if (isRejected)
      judge.should(seconds <= leewayWarnSeconds, {
        saw,
        expected: `a leeway of at most ${leewayWarnSeconds} s (3)`,
        fix: 'Validate exp on every connection, with a leeway of seconds.',
        evidence,
      })
  },
})

const none: Leeway = { seconds: 0, rejection: null, evidence: [] }

/** Mints the tokens for the wait, with lifetimes long enough for a slow service, and joins with one of them. */
async function mintShortLived({ mint, expiry, signaling, newUser }: Parts) {
  const { startedAt, decidedAt } = await signaling.accepted(await mint.token(newUser()))
  const latencyMs = decidedAt - startedAt
  const enough = Math.ceil((4 * latencyMs) / 1000) + 1
  return await joinInTime(expiry, async (lifetime) => {
    const short = () => expiry.token(newUser(), lifetime + Math.max(0, enough - expiry.ttlSeconds))
    const seen = await short()
    if (!(await isAcceptedInTime(signaling, seen))) return null
    // One for each trial: a token is unused only once.
    const [late, ...unused] = await Promise.all([short(), ...expiry.trials.map(short)])
    return { seen, late, unused, latencyMs }
  })
}

/** Waits for the expiry of the tokens; at each trial a used and an unused one are offered. */
async function waitForLeeway(
  { seen, late, unused, latencyMs }: Awaited<ReturnType<typeof mintShortLived>>,
  parts: Parts,
  judge: Judge,
): Promise<Leeway> {
  const { expiry, signaling, handBack } = parts
  handBack()
  await expiry.until(late.mayExpireAt - 500 - 2 * latencyMs)
  // Where this machine was too late for it, the token that has joined is the control.
  await isAcceptedInTime(signaling, late)
  return await findLeeway(parts, (trial) => [seen, unused[trial] ?? seen], judge)
}
