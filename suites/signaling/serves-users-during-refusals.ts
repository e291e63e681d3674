import { ControlLost, Untested } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { Attempt } from '../../src/roles/signaling/attempt.ts'
import { findOwnUserPaths } from '../../src/roles/signaling/named-user.ts'
import { callDuringRejections } from '../lib/during-rejections.ts'
import { judgeBystanders } from './lib/judge-bystanders.ts'
import { isLockedOut } from './lib/judge-lockout.ts'
import { judgeOpenSockets, type Rejecting } from './lib/judge-open-sockets.ts'
import { tamperedFrom } from './lib/specimens.ts'

type Parts = CheckContext<'callingTokens' | 'signaling'>

/** At least 40, however slow the machine is: damage shows after some rejections. */
const course = { times: 200, least: 40, longestMs: 6_000, atOnce: 4, calls: 3 }
/** A rejection is waited for so long, or for some usual ones where those are slow: a service may reject by silence. */
const connectMs = 2_000
const usualWaited = 4
/** Where rejections are slow, one more begins after an eighth of that wait. */
const begunPerWait = 8
/** How much longer than usual a user may wait. */
const timesUsual = 3
/** A machine that is busy with the attempts delays its own clients by less than this. */
const unnoticedMs = 2_000
const tries = 3

export default defineCheck({
  id: 'SIG-32',
  level: 'MUST',
  kind: 'positive',
  clauses: ['3', '5.4', '5.6'],
  basis:
    'A client whose authentication fails mints a new token and reconnects (3, 5.6), with a token that proves its userId (5.4).',
  title: 'serves other users while one is being rejected',
  why: 'Rejections that delay or lock out other users let one client with a bad token end all calls.',
  how: {
    does: [
      'Measures how long three users take to join, then again while 200 connections of another user with a tampered token are rejected, four at a time; where that takes long, also while another user is accepted as often.',
      'Where signaling serves no fresh token any more, it is started again where start.command has started it, and all of this is done once more.',
      'Opens sockets of two users, has a tampered token of a third one rejected, then one that names the first, and pings both sockets each time.',
    ],
    fails: [
      'No fresh token served behind the rejections, nor behind those after the new start: connections of rejected clients that are never freed.',
      'The tampered token accepted after it was rejected.',
      'On this machine: fresh tokens of all users reported as 401 for limits.neverSeconds, or 120 s, from another address as well.',
      'The rejected user named as the one who joined with the token of another.',
      'A user who was never rejected not accepted any more, or not directly after a rejection of another, while others are accepted.',
    ],
    warns: [
      'A median over three times the usual one and over two seconds, three times in a row; no answer, where a fresh token is accepted afterwards, is as long.',
      'A fresh token that is rejected only while others are.',
      'A socket that ends, twice, as a tampered token of its user is rejected, beside one that stays open.',
    ],
    untested: [
      'A service that limits the rate of this address, which looks the same.',
      'A machine or a network that is too slow to show rejections, a delay, or the end of an open socket.',
    ],
  },
  mints: 19,
  needs: ['callingTokens', 'signaling'],
  stage: 'banning',
  atOnce: { signaling: course.atOnce },
  async run(parts, judge) {
    const { callingTokens, signaling } = parts
    const { jwt, userId: rejected } = await callingTokens.fresh()
    const token = damage(jwt, rejected)
    if (await isLockedOut(parts, judge)) return
    const before: Join[] = []
    while (before.length < course.calls) before.push(await joinFresh(parts))
    const usual = median(before)
    if (usual.made.outcome !== 'accepted')
      return judge.lost(`control failed: signaling ${usual.made.summary}`, [usual.made.exchange])
    const offer = (tamperedToken: string, userId: string, deadlineMs?: number) => {
      const what = 'a tampered token, again'
      return signaling.attempt({ token: tamperedToken, declaredUser: userId, deadlineMs, case: what })
    }
    const alone = await offer(token, rejected)
    const aloneMs = isAnswered(alone) ? alone.decidedAt - alone.startedAt : 0
    const longestMs = Math.max(connectMs, usualWaited * Math.max(usual.ms, aloneMs))
    const reject = () => offer(token, rejected, longestMs)
    const offered: Attempt[] = []
    const meanwhile: Join[] = []
    let slowest = usual
    for (let time = 0; time === 0 || (time < tries && isBreach(slowest, usual)); time += 1) {
      const joined = await joinDuring(parts, longestMs, async () => offered.push(await reject()))
      meanwhile.push(...joined)
      slowest = median(joined)
    }
    judgeOffered(offered, judge)
    judge.observe('signaling.joinMilliseconds', {
      usual: Math.round(usual.ms),
      whileOthersAreRejected: Math.round(slowest.ms),
    })
    if (slowest.made.outcome === 'refused' && (await isLockedOut(parts, judge))) return
    // The first may have joined directly after a rejection of another requirement.
    const known = before
      .slice(1)
      .flatMap(({ made, userId }) => (made.outcome === 'accepted' ? [{ made, userId }] : []))
    const bystanders = [...meanwhile, ...before.slice(-1)]
    const paths = findOwnUserPaths(known)
    if (!(await judgeBystanders(bystanders, { paths, rejected, reject }, parts, judge))) return
    const isSlow = slowest.made.outcome === 'accepted' && isBreach(slowest, usual)
    judgeDelay(slowest, isSlow ? await joinBesideAccepted(parts, longestMs) : usual, judge)
    const rejectLike: Rejecting['rejectLike'] = (own, deadlineMs = longestMs) =>
      offer(damage(own.jwt, own.userId), own.userId, deadlineMs)
    await judgeOpenSockets(parts, { rejectOther: reject, rejectLike }, judge)
    const late = judge.holdsSoFar() ? whyTooFewRejected(offered, await offer(token, rejected)) : null
    if (late !== null) judge.missed(late)
  },
})

/** Judges offers of one tampered token, all of which must be rejected. */
function judgeOffered(offered: readonly Attempt[], judge: Judge): void {
  const accepted = offered.filter(({ outcome }) => outcome === 'accepted')
  const rejections = offered.filter((made) => made.outcome === 'refused' && made.undecided !== true).length
  if (accepted.length > 0 && rejections === 0)
    throw new Untested('a tampered token was accepted, so nothing was rejected')
  if (accepted.length > 0)
    judge.must(false, {
      saw: `one tampered token accepted ${accepted.length} times, and rejected ${rejections} times`,
      expected: 'a rejection every time (5.4)',
      fix: 'Verify every token that is offered, however often it was rejected before.',
      evidence: accepted.slice(0, 3).map(({ exchange }) => exchange),
    })
}

/** A service may reject by silence. Where it answers one that is waited for, silence was a late answer, and no rejection was seen. */
export function whyTooFewRejected(offered: readonly Attempt[], waitedFor: Attempt): string | null {
  const answered = offered.filter(isAnswered).length
  if (answered >= course.least || !isAnswered(waitedFor)) return null
  return `only ${answered} of ${offered.length} offers of a tampered token were answered in time`
}

function isAnswered({ events }: Attempt): boolean {
  return events.at(-1)?.type !== 'timeout'
}

/** A fresh token was accepted after the last rejection. */
function judgeDelay({ made, ms }: Join, usual: Join, judge: Judge): void {
  const longest = longestOf(usual)
  // Who waits for others gets no answer at all; a limit, an overload or a crash gives one.
  const isKeptWaiting = !isAnswered(made)
  if (made.outcome === 'refused' && made.unreachable === true)
    throw new ControlLost(`signaling ${made.summary} while another user was rejected`, [made.exchange])
  if (made.outcome === 'refused' && made.undecided === true && !isKeptWaiting)
    throw new Untested(
      `signaling ${made.summary} while another user was rejected: a limit, an overload or a crash hides how others fare (see its log)`,
    )
  const isLetIn = judge.advisory(made.outcome === 'accepted' || isKeptWaiting, {
    saw: `a fresh token of another user rejected during ${course.times} rejections: signaling ${made.summary}`,
    expected: 'an accepted token',
    fix: 'Do not block other users or the whole address for rejected tokens.',
    evidence: [made.exchange],
  })
  if (isLetIn && ms > unnoticedMs && ms <= longest)
    judge.untested(
      `a join took ${seconds(ms)} while another user was rejected and ${seconds(usual.ms)} otherwise: too slow to show a delay`,
    )
  else if (isLetIn)
    judge.advisory(ms <= longest, {
      saw: `${isKeptWaiting ? 'no answer' : 'a join'} in ${seconds(ms)} while another user was rejected, time after time, ${seconds(usual.ms)} otherwise`,
      expected: `at most ${timesUsual} times the usual time, or ${seconds(unnoticedMs)}`,
      fix: 'Reject without holding a lock, a worker or a delay that others wait for.',
      evidence: [made.exchange],
    })
}

async function joinFresh({ callingTokens, signaling }: Parts) {
  const token = await callingTokens.fresh()
  const made = await signaling.join(token)
  return { ms: made.decidedAt - made.startedAt, made, userId: token.userId }
}

/** Joins while others connect so. */
function joinDuring(parts: Parts, longestMs: number, connect: () => Promise<unknown>): Promise<Join[]> {
  const paced = { ...course, nextMs: longestMs / begunPerWait }
  return callDuringRejections(parts.clock, paced, connect, () => joinFresh(parts))
}

/** Joins beside as many connections of another user who is let in: a machine that is busy with those delays its own clients. */
async function joinBesideAccepted(parts: Parts, deadlineMs: number): Promise<Join> {
  const { jwt: token, userId: declaredUser } = await parts.callingTokens.fresh()
  const request = { token, declaredUser, deadlineMs, case: 'a genuine calling token, again' }
  return median(await joinDuring(parts, deadlineMs, () => parts.signaling.attempt(request)))
}

function longestOf(usual: Join): number {
  return Math.max(unnoticedMs, timesUsual * usual.ms)
}

type Join = Awaited<ReturnType<typeof joinFresh>>

function isBreach({ ms, made }: Join, usual: Join): boolean {
  return made.outcome !== 'accepted' || ms > longestOf(usual)
}

/** Rejected joins are longer than any other. */
function median(all: readonly Join[]): Join {
  const length = ({ ms, made }: Join) => (made.outcome === 'accepted' ? ms : Number.POSITIVE_INFINITY)
  const middle = all.toSorted((one, two) => length(one) - length(two))[Math.floor(all.length / 2)]
  if (middle === undefined) throw new Untested('no join was measured')
  return middle
}

function damage(jwt: string, userId: string): string {
  const forgeries = tamperedFrom(jwt, userId)
  // Its claims stay as they were, so that a service which keeps them of a rejected token is found.
  const inSignature = forgeries.find(({ name }) => name.includes('byte of its signature'))
  return (inSignature ?? forgeries[0])?.token ?? `${jwt}x`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}
