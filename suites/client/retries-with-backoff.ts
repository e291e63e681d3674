import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { Client, ClientApp, ConnectionAttempt } from '../../src/roles/client/types.ts'

const windowSeconds = 10
const mostAttempts = 10
/** Long enough to show whether delays increase. */
const refusedSeconds = 60
const undrivenSeconds = 12
/** More than of handshakes, since a call that fails costs no mint. */
const mostCalls = 20
const clients = 4
const drops = 5
const leastSpreadMs = 100
const leastRounds = 3
/** How long, by its own clock, a dropped client may take until its next handshake. */
const returnSeconds = 20
const growth = 1.2
/** Drops besides, for delays that could not be measured. */
const spareRounds = 3
const lateSeconds = 30

export default defineCheck({
  id: 'CLI-12',
  role: 'client',
  level: 'ADVISORY',
  kind: 'positive',
  clauses: [],
  title: 'retries with increasing, jittered delays',
  why: 'Clients that retry without a pause, or all at the same moment, keep a recovering service down.',
  how: {
    does: [
      'Rejects every handshake of one client: expects at most 10 handshakes in the first 10 seconds, increasing delays, and one mint per rejection.',
      'Several sockets that a client opens with one JWT at once are one handshake.',
      'Lets the token route of another answer 502: expects at most 20 calls of it in the first 10 seconds.',
      'Drops four clients five times each: if their delays are within 100 ms of each other every time, they have no jitter. Where that is so most times only, drops them five times more: eight of ten decide.',
      "Times are those of the client's own clock, which is advanced.",
    ],
    warns: ['Any other behaviour.'],
    untested: ['Delays that lack jitter most times only: the figures are recorded.'],
  },
  needs: ['client', 'signalingDouble'],
  async run({ client }, judge) {
    await judgeBackoff(client, judge)
    await judgeCallsOfFailingBackend(client, judge)
    // A device is a single client, whose delays cannot be compared with others.
    if (client.kind === 'observed')
      judge.onlyObserved('jitter can be measured only where several clients can be opened')
    else await judgeJitter(client, judge)
  },
})

async function judgeBackoff(client: Client, judge: Judge): Promise<void> {
  await using app = await openDriven(client)
  // Scripted before sign-in, since some apps connect on their own.
  app.signaling.answer(() => 'refuse')
  await app.signIn()
  await app.connect()
  const first = await app.waitForAttempt()
  const storm = () => app.signaling.attempts().length > 5 * mostAttempts
  await app.waitOnClientClock(storm, app.isClockDriven() ? refusedSeconds : undrivenSeconds)

  const instants = withoutTwins(app.signaling.attempts()).map(({ clientAt }) => clientAt - first.clientAt)
  const early = instants.filter((at) => at <= windowSeconds * 1000).length
  const gaps = instants.slice(1).map((at, index) => at - (instants[index] ?? 0))
  const calls = app.backend.calls().length
  judge.observe('client.dialsInTenSecondsOfRefusals', early)
  judge.observe('client.delaysWhenRefused', gaps.slice(0, 20).map(Math.round))
  judge.observe('client.mintsWhenRefused', `${calls} for ${instants.length} refusals`)
  const evidence = app.signaling
    .attempts()
    .slice(0, 20)
    .map(({ exchange }) => exchange)
  judge.advisory(early <= mostAttempts, {
    saw: `${early}${storm() ? ' or more' : ''} handshakes within ${windowSeconds} s of rejections`,
    expected: `at most ${mostAttempts}`,
    fix: 'Back off exponentially between attempts.',
    evidence,
  })
  const late = gaps.slice(Math.floor(gaps.length / 2))
  const grows = Math.max(...late) > growth * Math.min(...gaps.slice(0, 2))
  judge.advisory(gaps.length < 4 || grows, {
    saw: `delays that do not increase: ${gaps.slice(0, 7).map(Math.round).join(', ')} ms`,
    expected: 'a longer delay after each failure',
    fix: 'Back off exponentially between attempts.',
    evidence,
  })
  // One more may have been prefetched.
  judge.advisory(calls <= instants.length + 2, {
    saw: `${calls} calls of the token route for ${instants.length} rejections`,
    expected: 'one call per rejection',
    fix: 'Request one new token after a rejection, and wait before the next attempt.',
    evidence: app.backend
      .calls()
      .slice(0, 20)
      .map(({ exchange }) => exchange),
  })
}

/** Within so long, sockets with one JWT are of one handshake. */
const twinsMs = 100

function withoutTwins(attempts: readonly ConnectionAttempt[]): readonly ConnectionAttempt[] {
  const kept: ConnectionAttempt[] = []
  for (const attempt of attempts) {
    const { credential, clientAt } = attempt
    if (!kept.some((one) => one.credential === credential && clientAt - one.clientAt < twinsMs))
      kept.push(attempt)
  }
  return kept
}

async function judgeCallsOfFailingBackend(client: Client, judge: Judge): Promise<void> {
  await using app = await openDriven(client)
  const { backend } = app
  backend.answer(() => ({ status: 502, body: '{"error":"calling is not available"}' }))
  await app.signIn()
  await app.connect()
  await app.waitForTokenCall()
  const earlyCalls = () => {
    const [first] = backend.calls()
    return backend
      .calls()
      .filter(({ clientAt }) => first !== undefined && clientAt - first.clientAt <= windowSeconds * 1000)
  }
  await app.waitOnClientClock(() => earlyCalls().length > 2 * mostCalls, windowSeconds)
  const early = earlyCalls()
  judge.observe('client.callsInTenSecondsOfFailures', early.length)
  judge.advisory(early.length <= mostCalls, {
    saw: `${early.length} calls of the token route within ${windowSeconds} s while it answers 502`,
    expected: `at most ${mostCalls}`,
    fix: 'Back off exponentially between attempts, also where getAuthToken rejects.',
    evidence: early.slice(0, 20).map(({ exchange }) => exchange),
  })
}

/**
 * The clients need not be dropped at the same moment: each has its own clock and is dropped often enough to show whether
 * its delays differ from those of the others.
 */
async function judgeJitter(client: Client, judge: Judge): Promise<void> {
  let rounds = await measureRounds(client)
  // Random delays may be close together in some rounds, and a busy machine separates equal ones, but neither does so often.
  if (isUnclear(countTogether(rounds))) rounds = [...rounds, ...(await measureRounds(client))]
  judge.observe(
    'client.delaysAfterDrop',
    rounds.map((round) => round.map((delay) => delay && Math.round(delay))),
  )
  const { together, measured } = countTogether(rounds)
  if (measured < leastRounds)
    return judge.onlyObserved(
      `all ${clients} clients reconnected after ${measured} of ${rounds.length} drops: too few to measure jitter`,
    )
  if (isUnclear({ together, measured }))
    return judge.onlyObserved(
      `the delays after a drop were within ${leastSpreadMs} ms of each other ${together} of ${measured} times: too often for jitter, too seldom for equal delays`,
    )
  judge.advisory(together < leastEqual(measured), {
    saw: `${clients} clients that reconnected within ${leastSpreadMs} ms of each other after ${together} of ${measured} drops`,
    expected: `delays spread over more than ${leastSpreadMs} ms`,
    fix: 'Add random jitter of some hundred milliseconds to every delay, also the first.',
  })
}

/** A delay of each client for each drop; null where it was not measured. */
type Rounds = readonly (readonly (number | null)[])[]

async function measureRounds(client: Client): Promise<Rounds> {
  const delays = await Promise.all(Array.from({ length: clients }, () => measureDelays(client)))
  return Array.from({ length: drops }, (_, round) => delays.map((own) => own[round] ?? null))
}

interface Together {
  /** Rounds in which all delays were close together. */
  readonly together: number
  readonly measured: number
}

function countTogether(rounds: Rounds): Together {
  const spreads = rounds
    .map((round) => round.filter((delay) => delay !== null))
    .filter((round) => round.length === clients)
    .map((round) => Math.max(...round) - Math.min(...round))
  return { together: spreads.filter((spread) => spread <= leastSpreadMs).length, measured: spreads.length }
}

function isUnclear({ together, measured }: Together): boolean {
  return together > measured / 2 && together < leastEqual(measured)
}

/** Every one of five rounds, and eight of ten: delays that differ by up to 200 ms are so often together once in 500 runs. */
function leastEqual(measured: number): number {
  return measured < 2 * drops ? measured : measured - 2
}

async function measureDelays(client: Client): Promise<number[]> {
  await using app = await openDriven(client)
  await app.join()
  const delays: number[] = []
  for (let round = 0; delays.length < drops && round < drops + spareRounds; round += 1) {
    // The clock is held before the drop, so that the load of this machine does not count as jitter.
    await app.waitOnClientClock(() => true, 0)
    const before = app.signaling.attempts().length
    const droppedAt = app.clientNow()
    app.signaling.dropOpen()
    const attempt = await app.waitOnClientClock(() => app.signaling.attempts()[before], returnSeconds)
    // An advanced clock can outrun a busy machine: what comes late after all is no measurement, and the next drop is.
    const late = attempt ?? (await app.waitFor(() => app.signaling.attempts()[before], lateSeconds))
    if (late === null) return delays
    if (attempt !== null) delays.push(attempt.clientAt - droppedAt)
    const isBack = () =>
      app.signaling.attempts().some((one) => one.outcome === 'accepted' && one.at >= late.at)
    if ((await app.waitFor(isBack, lateSeconds)) === null) return delays
  }
  return delays
}

async function openDriven(client: Client): Promise<ClientApp> {
  return await client.open(client.kind === 'page' ? { drivenClock: { offsetMs: 0 } } : {})
}
