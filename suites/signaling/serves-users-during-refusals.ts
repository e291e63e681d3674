import { awaitedLater } from '../../src/base/awaited-later.ts'
import type { Clock } from '../../src/base/clock.ts'
import { Untested } from '../../src/base/inconclusive.ts'
import { takenApart } from '../../src/base/tokens/forge.ts'
import { tampered, tamperedParts } from '../../src/base/tokens/forge-tampered.ts'
import { type Catch, defineCheck } from '../../src/requirement/define.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { Accepted, Attempt } from '../../src/roles/signaling/attempt.ts'

type Parts = CheckContext<'callingTokens' | 'signaling'>

const attempts = 200
/** So many wait for their answer at a time; where those are slow, one more begins every `nextMs`. */
const attemptsAtOnce = 4
const nextMs = 250
const longestMs = 6_000
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
  level: 'ADVISORY',
  kind: 'positive',
  clauses: [],
  title: 'serves other users while one is being rejected',
  why: 'Rejections that delay or lock out other users let one client with a bad token end all calls.',
  how: {
    does: [
      'Measures how long three users take to join, then again while 200 connections of another user with a tampered token are rejected, four at a time.',
      'Runs alone, after the other requirements.',
    ],
    warns: [
      'A median over three times the usual one and over two seconds, three times in a row.',
      'A fresh token that is rejected.',
    ],
    untested: ['A service that limits the rate of this address, which looks the same.'],
  },
  mints: 13,
  phase: 'last',
  needs: ['callingTokens', 'signaling'],
  atOnce: { signaling: attemptsAtOnce },
  async run(parts, judge) {
    const { callingTokens, signaling } = parts
    const usual = median(await inTurn(joins, () => joinFresh(parts)))
    if (usual.made.outcome !== 'accepted')
      return judge.lost(`control failed: signaling ${usual.made.summary}`)
    const { jwt, userId } = await callingTokens.fresh()
    const token = damage(jwt, userId)
    const bad = () =>
      signaling.attempt({
        token,
        declaredUser: userId,
        deadlineMs: connectMs,
        case: 'a tampered token, again',
      })
    const longest = Math.max(unnoticedMs, timesUsual * usual.ms)
    const measure = async () => median(await joinDuringRefusals(parts, bad))
    let slowest = await measure()
    for (let time = 1; time < tries && isBreach(slowest, longest); time += 1) slowest = await measure()
    judge.observe('signaling.joinMilliseconds', {
      usual: Math.round(usual.ms),
      whileOthersAreRejected: Math.round(slowest.ms),
    })
    if (slowest.made.outcome === 'refused' && (slowest.made.unreachable || slowest.made.undecided))
      throw new Untested(`signaling ${slowest.made.summary}: a limit or an overload hides how others fare`)
    judge.advisory(slowest.made.outcome === 'accepted', {
      saw: `a fresh token of another user rejected during ${attempts} rejections: signaling ${slowest.made.summary}`,
      expected: 'an accepted token',
      fix: 'Do not block other users or the whole address for rejected tokens.',
      evidence: [slowest.made.exchange],
    })
    if (slowest.made.outcome === 'accepted')
      judge.advisory(slowest.ms <= longest, {
        saw: `a join in ${seconds(slowest.ms)} while another user was rejected ${attempts} times, ${seconds(usual.ms)} otherwise`,
        expected: `at most ${timesUsual} times the usual time, or ${seconds(unnoticedMs)}`,
        fix: 'Reject without holding a lock, a worker or a delay that others wait for.',
        evidence: [slowest.made.exchange],
      })
  },
  catches: {
    'makes all wait for each rejection': stallingAll(1000),
    'locks all out after twenty rejections': {
      signaling: { banKey: () => 'all', refusalsUntilBan: 20 },
      as: 'warn',
    },
  },
})

function isBreach({ ms, made }: Join, longest: number): boolean {
  return made.outcome !== 'accepted' || ms > longest
}

interface Join {
  readonly ms: number
  readonly made: Attempt
}

async function joinFresh({ callingTokens, signaling }: Parts): Promise<Join> {
  const made = await signaling.join(await callingTokens.fresh())
  return { ms: made.decidedAt - made.startedAt, made }
}

/** Joins at equal distances while the refusals go on. */
async function joinDuringRefusals(parts: Parts, connect: () => Promise<Attempt>): Promise<Join[]> {
  const made: Promise<Join>[] = []
  const accepted: Accepted[] = []
  const every = Math.floor(attempts / joins)
  await connectAll(parts.clock, async (count) => {
    if (count % every === every - 1) made.push(awaitedLater(joinFresh(parts)))
    const attempt = await connect()
    if (attempt.outcome === 'accepted') accepted.push(attempt)
  })
  if (accepted.length > 0) throw new Untested('a tampered token was accepted, so nothing was rejected')
  if (made.length === 0) made.push(joinFresh(parts))
  return await Promise.all(made)
}

async function connectAll(clock: Clock, connect: (count: number) => Promise<void>): Promise<void> {
  const underWay = new Set<Promise<void>>()
  const end = clock.monotonic() + longestMs
  for (let count = 0; count < attempts && clock.monotonic() < end; count += 1) {
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
  return forgeries[0]?.token ?? `${jwt}x`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}

const longestStallMs = 5_000

/** Signaling in which each rejection keeps everyone waiting. */
function stallingAll(ms: number): Catch {
  let freeAt = 0
  return {
    signaling: {
      pause: () =>
        new Promise((resolve) =>
          setTimeout(resolve, Math.max(0, Math.min(freeAt - Date.now(), longestStallMs))),
        ),
      refuse(_, announced) {
        freeAt = Math.max(freeAt, Date.now()) + ms
        return announced
      },
    },
    as: 'warn',
  }
}
