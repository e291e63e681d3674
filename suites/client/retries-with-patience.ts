import { defineCheck } from '../../src/check/check.ts'
import type { Judge } from '../../src/check/judge.ts'
import type { Client, ClientApp } from '../../src/parts/client.ts'

const windowSeconds = 10
const mostDials = 10
/** Long enough for delays to show that they grow. */
const refusedSeconds = 60
const undrivenSeconds = 12
const clients = 20
const leastSpreadMs = 100
/** How long, by its own clock, a client that was dropped may take until it dials again. */
const returnSeconds = 20
const opensAtOnce = 4
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
    'grow, and mint once for each refusal. Twenty clients are dropped at once: the delays until they dial again ' +
    "should be spread over more than 100 ms. Times are those of the client's own clock, which is run ahead.",
  needs: ['client', 'signalingDouble'],
  async run({ client }, judge) {
    await refusedForEver(client, judge)
    await droppedAtOnce(client, judge)
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
  await app.signIn()
  app.signaling.answer(() => 'refuse')
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

async function droppedAtOnce(client: Client, judge: Judge): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const apps: ClientApp[] = []
  const unopened = Array.from({ length: clients }, (_, index) => index)
  const openSome = async () => {
    while (unopened.pop() !== undefined) {
      const app = stack.use(await openDriven(client))
      await app.join()
      apps.push(app)
    }
  }
  await Promise.all(Array.from({ length: opensAtOnce }, openSome))
  // Held before they are dropped, so that how busy this machine is does not count as scattering.
  await Promise.all(apps.map((app) => app.pump(() => true, 0)))
  const delays = (await Promise.all(apps.map(delayAfterDrop))).filter((delay) => delay !== null)
  const spread = Math.max(...delays) - Math.min(...delays)
  judge.observe(
    'client.delaysAfterDrop',
    delays.map(Math.round).sort((a, b) => a - b),
  )
  if (delays.length < clients / 2) {
    judge.observe('client.returnedAfterDrop', delays.length)
    return
  }
  judge.advisory(spread > leastSpreadMs, {
    saw: `${delays.length} clients that dialled again within ${Math.round(spread)} ms of each other`,
    expected: `delays that are spread over more than ${leastSpreadMs} ms`,
  })
}

async function delayAfterDrop(app: ClientApp): Promise<number | null> {
  const before = app.signaling.dials().length
  const droppedAt = app.clientNow()
  app.signaling.dropOpen()
  await app.quiet()
  const dial = await app.pump(() => app.signaling.dials()[before], returnSeconds)
  return dial === null ? null : dial.clientAt - droppedAt
}

async function openDriven(client: Client): Promise<ClientApp> {
  return await client.open(client.kind === 'page' ? { drivenClock: { offsetMs: 0 } } : {})
}
