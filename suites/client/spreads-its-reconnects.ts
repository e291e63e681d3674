import { defineCheck } from '../../src/requirement/define.ts'
import type { Client } from '../../src/roles/client/types.ts'
import { openWithDrivenClock } from './lib/judge-renewal.ts'

const clients = 4
const drops = 5
const leastSpreadMs = 100
const leastRounds = 3
/** How long, by its own clock, a dropped client may take until its next handshake. */
const returnSeconds = 20
/** Drops besides, for delays that could not be measured. */
const spareRounds = 3
const lateSeconds = 30

export default defineCheck({
  id: 'CLI-24',
  level: 'ADVISORY',
  kind: 'positive',
  clauses: [],
  title: 'spreads its reconnects by jitter',
  why: 'Clients that all reconnect at the same moment keep a recovering service down.',
  how: {
    does: [
      'Drops four clients five times each, and compares their delays by their own clocks, which are advanced.',
      'Where the delays are within 100 ms of each other most times, drops the clients five times more: eight of ten decide.',
    ],
    warns: ['Delays that are within 100 ms of each other every time.'],
    untested: ['Delays that lack jitter most times only: the figures are recorded.'],
  },
  needs: ['client', 'signalingDouble'],
  // The clients need not be dropped at the same moment: each is dropped often enough to show whether its delays differ.
  async run({ client }, judge) {
    // A device is a single client, whose delays cannot be compared with others.
    if (client.kind === 'observed')
      return judge.onlyObserved('jitter can be measured only where several clients can be opened')
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
  },
})

/** A delay of each client for each drop; null where it was not measured. */
type Rounds = readonly (readonly (number | null)[])[]

async function measureRounds(client: Client): Promise<Rounds> {
  const delays = await Promise.all(Array.from({ length: clients }, () => measureDelays(client)))
  return Array.from({ length: drops }, (_, round) => delays.map((own) => own[round] ?? null))
}

/** Counts the rounds in which all delays were measured, and those of them in which they were close together. */
function countTogether(rounds: Rounds) {
  const delays = rounds.map((round) => round.filter((delay) => delay !== null))
  const whole = delays.filter((round) => round.length === clients)
  const spreads = whole.map((round) => Math.max(...round) - Math.min(...round))
  return { together: spreads.filter((spread) => spread <= leastSpreadMs).length, measured: spreads.length }
}

function isUnclear({ together, measured }: ReturnType<typeof countTogether>): boolean {
  return together > measured / 2 && together < leastEqual(measured)
}

/** Every one of five rounds, and eight of ten: delays that differ by up to 200 ms are so often together once in 500 runs. */
function leastEqual(measured: number): number {
  return measured < 2 * drops ? measured : measured - 2
}

async function measureDelays(client: Client): Promise<number[]> {
  await using app = await openWithDrivenClock(client)
  await app.join()
  const delays: number[] = []
  for (let round = 0; delays.length < drops && round < drops + spareRounds; round += 1) {
    // The clock is held before the drop, so that the load of this machine does not count as jitter.
    await app.waitOnClientClock(() => true, 0)
    const before = app.signaling.attempts().length
    const droppedAt = app.clientNow()
    app.signaling.dropOpen()
    const next = () => app.signaling.attempts()[before]
    const attempt = await app.waitOnClientClock(next, returnSeconds)
    // An advanced clock can outrun a busy machine: what comes late after all is no measurement, and the next drop is.
    const late = attempt ?? (await app.waitFor(next, lateSeconds))
    if (late === null) return delays
    if (attempt !== null) delays.push(attempt.clientAt - droppedAt)
    const isBack = () =>
      app.signaling.attempts().some((one) => one.outcome === 'accepted' && one.at >= late.at)
    if ((await app.waitFor(isBack, lateSeconds)) === null) return delays
  }
  return delays
}
