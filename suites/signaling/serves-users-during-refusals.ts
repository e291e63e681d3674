import { awaitedLater } from '../../src/base/awaited-later.ts'
import type { Clock } from '../../src/base/clock.ts'
import { ControlLost, Untested } from '../../src/base/inconclusive.ts'
import { takenApart } from '../../src/base/tokens/forge.ts'
import { tampered, tamperedParts } from '../../src/base/tokens/forge-tampered.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { Accepted, Attempt } from '../../src/roles/signaling/attempt.ts'
import { findOwnUserPaths } from '../../src/roles/signaling/named-user.ts'
import { findLockout, type Lockout } from './lib/find-lockout.ts'
import { judgeBystanders } from './lib/judge-bystanders.ts'
import { judgeOpenSockets, type Rejecting } from './lib/judge-open-sockets.ts'

type Parts = CheckContext<'callingTokens' | 'signaling'>

const attempts = 200
/** So many wait for their answer at a time; where those are slow, one more begins every `nextMs`. */
const attemptsAtOnce = 4
const nextMs = 250
const longestMs = 6_000
/** However slow the machine is: damage shows after some rejections. */
const leastAttempts = 40
const connectMs = 2_000
const joins = 3
/** How much longer than usual a user may wait. */
const timesUsual = 3
/** A machine that is busy with the attempts delays its own clients by less than this. */
const unnoticedMs = 2_000
const tries = 3

export default defineCheck({
  id: 'SIG-32',
  role: 'signaling',
  level: 'MUST',
  kind: 'positive',
  clauses: ['3', '5.4', '5.6'],
  basis:
    'A client whose authentication fails mints a new token and reconnects (3, 5.6), with a token that proves its userId (5.4).',
  title: 'serves other users while one is being rejected',
  why: 'Rejections that delay or lock out other users let one client with a bad token end all calls.',
  how: {
    does: [
      'Measures how long three users take to join, then again while 200 connections of another user with a tampered token are rejected, four at a time.',
      'Where signaling serves no fresh token any more, it is started again where start.command has started it, and all of this is done once more.',
      'Opens sockets of two users, has a tampered token of a third one rejected, then one that names the first, and pings both sockets each time.',
      'Runs alone, after the other requirements.',
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
      'A machine or a network that is too slow to show a delay, or the end of an open socket.',
    ],
  },
  mints: 19,
  needs: ['callingTokens', 'signaling'],
  stage: 'banning',
  atOnce: { signaling: attemptsAtOnce },
  async run(parts, judge) {
    const { callingTokens, signaling } = parts
    const { jwt, userId: rejected } = await callingTokens.fresh()
    const token = damage(jwt, rejected)
    const offer = (tampered: string, userId: string, deadlineMs = connectMs) =>
      signaling.attempt({
        token: tampered,
        declaredUser: userId,
        deadlineMs,
        case: 'a tampered token, again',
      })
    const reject = () => offer(token, rejected)
    if (await isLockedOut(parts, judge)) return
    const before = await inTurn(joins, () => joinFresh(parts))
    const usual = median(before)
    if (usual.made.outcome !== 'accepted')
      return judge.lost(`control failed: signaling ${usual.made.summary}`, [usual.made.exchange])
    const meanwhile: Join[] = []
    const measure = async () => {
      const { joined, accepted, rejections } = await joinDuringRefusals(parts, reject)
      judgeAccepted(judge, { accepted, rejections })
      // A service may reject by silence; a late one looks the same.
      const mayBeLate = usual.ms * 4 > connectMs
      if (mayBeLate && rejections + accepted.length < leastAttempts / 2)
        judge.untested(
          `only ${rejections} offers of a tampered token were rejected within ${seconds(connectMs)}`,
        )
      meanwhile.push(...joined)
      return median(joined)
    }
    const longest = Math.max(unnoticedMs, timesUsual * usual.ms)
    let slowest = await measure()
    for (let time = 1; time < tries && isBreach(slowest, longest); time += 1) slowest = await measure()
    judge.observe('signaling.joinMilliseconds', {
      usual: Math.round(usual.ms),
      whileOthersAreRejected: Math.round(slowest.ms),
    })
    if (slowest.made.outcome === 'refused' && (await isLockedOut(parts, judge))) return
    // The first may have joined directly after a rejection of another requirement.
    const paths = findOwnUserPaths(before.slice(1).filter(isAccepted))
    const bystanders = [...meanwhile, ...before.slice(-1)]
    const isServed = await judgeBystanders(bystanders, { paths, rejected, reject }, parts, judge)
    if (!isServed) return
    judgeDelay(slowest, { usual, longest }, judge)
    const rejectLike: Rejecting['rejectLike'] = ({ jwt: own, userId }, deadlineMs) =>
      offer(damage(own, userId), userId, deadlineMs)
    await judgeOpenSockets(parts, { rejectOther: reject, rejectLike }, judge)
  },
})

/**
 * Waits until signaling accepts a fresh token. Returns true where it rejects all users for good instead, which is judged here.
 * @throws ControlLost where it accepts none for another reason
 */
async function isLockedOut(parts: Parts, judge: Judge): Promise<boolean> {
  try {
    await parts.signaling.outlastBan()
    return false
  } catch (error) {
    const lockout = error instanceof ControlLost ? await findLockout(parts) : null
    if (lockout === null) throw error
    accuseOfLockout(judge, lockout)
    return true
  }
}

function accuseOfLockout(judge: Judge, { seconds, made }: Lockout): void {
  judge.must(false, {
    saw: `fresh tokens of all users rejected for ${seconds} s after others were accepted, also from an address that offered no bad token: signaling ${made.summary}`,
    expected: 'a fresh token accepted (3, 5.6)',
    fix: 'Count and ban only the user, or the client, whose token was rejected.',
    evidence: [made.exchange],
  })
}

function judgeAccepted(
  judge: Judge,
  { accepted, rejections }: { readonly accepted: readonly Accepted[]; readonly rejections: number },
): void {
  if (accepted.length === 0) return
  if (rejections === 0) throw new Untested('a tampered token was accepted, so nothing was rejected')
  judge.must(false, {
    saw: `one tampered token accepted ${accepted.length} times, and rejected ${rejections} times`,
    expected: 'a rejection every time (5.4)',
    fix: 'Verify every token that is offered, however often it was rejected before.',
    evidence: accepted.slice(0, 3).map(({ exchange }) => exchange),
  })
}

/** A fresh token was accepted after the last rejection. */
function judgeDelay(
  { made, ms }: Join,
  { usual, longest }: { usual: Join; longest: number },
  judge: Judge,
): void {
  if (made.outcome === 'refused' && made.unreachable === true)
    throw new ControlLost(`signaling ${made.summary} while another user was rejected`, [made.exchange])
  // Who waits for others gets no answer at all; a limit, an overload or a crash gives one.
  const isKeptWaiting = made.events.at(-1)?.type === 'timeout'
  if (made.outcome === 'refused' && made.undecided === true && !isKeptWaiting)
    throw new Untested(
      `signaling ${made.summary} while another user was rejected: a limit, an overload or a crash hides how others fare (see its log)`,
    )
  const isAnswered = judge.advisory(made.outcome === 'accepted' || isKeptWaiting, {
    saw: `a fresh token of another user rejected during ${attempts} rejections: signaling ${made.outcome === 'untestable' ? made.reason : made.summary}`,
    expected: 'an accepted token',
    fix: 'Do not block other users or the whole address for rejected tokens.',
    evidence: [made.exchange],
  })
  if (isAnswered && ms > unnoticedMs && ms <= longest)
    judge.untested(
      `a join took ${seconds(ms)} while another user was rejected and ${seconds(usual.ms)} otherwise: too slow to show a delay`,
    )
  else if (isAnswered)
    judge.advisory(ms <= longest, {
      saw: `${isKeptWaiting ? 'no answer' : 'a join'} in ${seconds(ms)} while another user was rejected, time after time, ${seconds(usual.ms)} otherwise`,
      expected: `at most ${timesUsual} times the usual time, or ${seconds(unnoticedMs)}`,
      fix: 'Reject without holding a lock, a worker or a delay that others wait for.',
      evidence: [made.exchange],
    })
}

function isBreach({ ms, made }: Join, longest: number): boolean {
  return made.outcome !== 'accepted' || ms > longest
}

interface Join {
  readonly ms: number
  readonly made: Attempt
  readonly userId: string
}

function isAccepted(join: Join): join is Join & { readonly made: Accepted } {
  return join.made.outcome === 'accepted'
}

async function joinFresh({ callingTokens, signaling }: Parts): Promise<Join> {
  const token = await callingTokens.fresh()
  const made = await signaling.join(token)
  return { ms: made.decidedAt - made.startedAt, made, userId: token.userId }
}

interface JoinedMeanwhile {
  readonly joined: readonly Join[]
  readonly accepted: readonly Accepted[]
  readonly rejections: number
}

/** Joins at equal distances while the refusals go on. */
async function joinDuringRefusals(parts: Parts, connect: () => Promise<Attempt>): Promise<JoinedMeanwhile> {
  const made: Promise<Join>[] = []
  const accepted: Accepted[] = []
  let rejections = 0
  const { clock } = parts
  const begun = clock.monotonic()
  /** At equal distances of the attempts, or of the time where those are slow. */
  const isDue = (count: number) =>
    made.length < joins &&
    (count + 1 >= (attempts * (made.length + 1)) / joins ||
      clock.monotonic() - begun >= (longestMs * (made.length + 1)) / (joins + 1))
  const isEnough = (count: number) =>
    made.length === joins && count >= leastAttempts && clock.monotonic() - begun >= longestMs
  await connectAll(clock, isEnough, async (count) => {
    if (isDue(count)) made.push(awaitedLater(joinFresh(parts)))
    const attempt = await connect()
    if (attempt.outcome === 'accepted') accepted.push(attempt)
    else if (attempt.outcome === 'refused' && attempt.undecided !== true) rejections += 1
  })
  return { joined: await Promise.all(made), accepted, rejections }
}

async function connectAll(
  clock: Clock,
  isEnough: (count: number) => boolean,
  connect: (count: number) => Promise<void>,
): Promise<void> {
  const underWay = new Set<Promise<void>>()
  for (let count = 0; count < attempts && !isEnough(count); count += 1) {
    const one = awaitedLater(connect(count).finally(() => underWay.delete(one)))
    underWay.add(one)
    if (underWay.size >= attemptsAtOnce)
      await Promise.race([...underWay, clock.until(clock.monotonic() + nextMs)])
  }
  await Promise.all(underWay)
}

async function inTurn<T>(times: number, act: () => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (let time = 0; time < times; time += 1) results.push(await act())
  return results
}

/** Rejected joins are longer than any other. */
function median(all: readonly Join[]): Join {
  const length = ({ ms, made }: Join) => (made.outcome === 'accepted' ? ms : Number.POSITIVE_INFINITY)
  const sorted = all.toSorted((one, two) => length(one) - length(two))
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (middle === undefined) throw new Untested('no join was measured')
  return middle
}

function damage(jwt: string, userId: string): string {
  const original = takenApart(jwt, userId)
  const forgeries = original === null ? tamperedParts(jwt, userId) : tampered(original, { otherUser: userId })
  // Its claims stay as they were, so that a service which keeps them of a rejected token is found.
  const inSignature = forgeries.find(({ name }) => name.includes('byte of its signature'))
  return (inSignature ?? forgeries[0])?.token ?? `${jwt}x`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}
