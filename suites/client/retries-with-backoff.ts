import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { Client, ClientApp } from '../../src/roles/client/types.ts'

const windowSeconds = 10
const mostDials = 10
/** Long enough for delays to show that they grow. */
const refusedSeconds = 60
const undrivenSeconds = 12
const clients = 4
const drops = 5
const leastSpreadMs = 100
const leastRounds = 3
/** How long, by its own clock, a client that was dropped may take until it dials again. */
const returnSeconds = 20
const growth = 1.2

export default defineCheck({
  id: 'CLI-12',
  role: 'client',
  level: 'ADVISORY',
  clauses: [],
  title: 'retries with growing and scattered delays',
  why: 'Clients that insist without a pause, or all at the same moment, keep a service down that is about to come back.',
  how:
    'Signaling refuses one client for ever: it should dial at most 10 times in the first 10 seconds, with delays that ' +
    'grow, and mint once for each refusal. Four clients are dropped five times each: if the delays until they dial ' +
    'again lie within 100 ms of each other every time, they are not scattered; if most of the times, it is only ' +
    "recorded. Times are those of the client's own clock, which is run ahead.",
  needs: ['client', 'signalingDouble'],
  async run({ client }, judge) {
    await refusedForEver(client, judge)
    // Of a device there is one, and its delays cannot be compared with those of others.
    if (client.kind === 'observed')
      judge.onlyObserved('scattering shows only where several clients can be opened')
    else await droppedAtOnce(client, judge)
  },
  catches: {
    'retries without a pause': { client: { variant: 'retries without a pause' }, as: 'warn' },
    'retries with delays that do not grow': { client: { variant: 'delays that do not grow' }, as: 'warn' },
    'retries without jitter': { client: { variant: 'delays without jitter' }, as: 'warn' },
    'mints twice for each failure': { client: { variant: 'two mints for each failure' }, as: 'warn' },
  },
})

async function refusedForEver(client: Client, judge: Judge): Promise<void> {
  await using app = await openDriven(client)
  // Told before anybody signs in: some apps connect by themselves.
  app.signaling.answer(() => 'refuse')
  await app.signIn()
  await app.connect()
  const first = await app.dialled()
  const storm = () => app.signaling.dials().length > 5 * mostDials
  await app.pump(storm, app.isClockDriven() ? refusedSeconds : undrivenSeconds)

  const instants = app.signaling.dials().map(({ clientAt }) => clientAt - first.clientAt)
  const early = instants.filter((at) => at <= windowSeconds * 1000).length
  const gaps = instants.slice(1).map((at, index) => at - (instants[index] ?? 0))
  const calls = app.backend.calls().length
  judge.observe('client.dialsInTenSecondsOfRefusals', early)
  judge.observe('client.delaysWhenRefused', gaps.slice(0, 20).map(Math.round))
  judge.observe('client.mintsWhenRefused', `${calls} for ${instants.length} refusals`)
  const evidence = app.signaling
    .dials()
    .slice(0, 20)
    .map(({ exchange }) => exchange)
  judge.advisory(early <= mostDials, {
    saw: `${early}${storm() ? ' or more' : ''} dials within ${windowSeconds} s of refusals`,
    expected: `at most ${mostDials}`,
    evidence,
  })
  const late = gaps.slice(Math.floor(gaps.length / 2))
  const grows = Math.max(...late) > growth * Math.min(...gaps.slice(0, 2))
  judge.advisory(gaps.length < 4 || grows, {
    saw: `delays that do not grow: ${gaps.slice(0, 10).map(Math.round).join(', ')} ms`,
    expected: 'longer ones from failure to failure',
    evidence,
  })
  // One more may have been fetched ahead of time.
  judge.advisory(calls <= instants.length + 2, {
    saw: `${calls} calls of the token route for ${instants.length} refusals`,
    expected: 'one for each',
    evidence: app.backend
      .calls()
      .slice(0, 20)
      .map(({ exchange }) => exchange),
  })
}

/**
 * That the clients are dropped at the same moment matters to none of them: each has a clock of its own, and is dropped
 * as often as shows whether its delays differ from those of the others.
 */
async function droppedAtOnce(client: Client, judge: Judge): Promise<void> {
  const delays = await Promise.all(Array.from({ length: clients }, () => delaysOfOne(client)))
  const rounds = Array.from({ length: drops }, (_, round) => delays.map((own) => own[round] ?? null))
  judge.observe(
    'client.delaysAfterDrop',
    rounds.map((round) => round.map((delay) => delay && Math.round(delay))),
  )
  const spreads = rounds
    .map((round) => round.filter((delay) => delay !== null))
    .filter((round) => round.length === clients)
    .map((round) => Math.max(...round) - Math.min(...round))
  const together = spreads.filter((spread) => spread <= leastSpreadMs).length
  const rarely = spreads.length < leastRounds
  // Delays at random may lie close together in some rounds, and a busy machine parts equal ones: neither in all of them.
  if (rarely || (together > spreads.length / 2 && together < spreads.length))
    return judge.onlyObserved(
      rarely
        ? `all ${clients} clients came back from ${spreads.length} of ${drops} drops: too few to tell whether their delays are scattered`
        : `the delays after a drop lay within ${leastSpreadMs} ms of each other ${together} of ${spreads.length} times: too often for scattered ones, too seldom for equal ones`,
    )
  judge.advisory(together < spreads.length, {
    saw: `${clients} clients that dialled again within ${leastSpreadMs} ms of each other each of ${spreads.length} times they were dropped`,
    expected: `delays that are spread over more than ${leastSpreadMs} ms`,
  })
}

async function delaysOfOne(client: Client): Promise<number[]> {
  await using app = await openDriven(client)
  await app.join()
  const delays: number[] = []
  while (delays.length < drops) {
    // Held before it is dropped, so that how busy this machine is does not count as scattering.
    await app.pump(() => true, 0)
    const before = app.signaling.dials().length
    const droppedAt = app.clientNow()
    app.signaling.dropOpen()
    const dial = await app.pump(() => app.signaling.dials()[before], returnSeconds)
    if (dial === null) return delays
    delays.push(dial.clientAt - droppedAt)
    if ((await app.wait(() => dial.outcome === 'accepted')) === null) return delays
  }
  return delays
}

async function openDriven(client: Client): Promise<ClientApp> {
  return await client.open(client.kind === 'page' ? { drivenClock: { offsetMs: 0 } } : {})
}
