import { expect, test } from 'vitest'
import type { ClientApp, ConnectionAttempt } from '../../../src/roles/client/types.ts'
import { adviseFreshToken, everyReconnect, judgeRenewal } from './judge-renewal.ts'

interface Machine {
  /** Real milliseconds that a second of the client's clock costs. */
  readonly msPerSecond: number
  /** Seconds of the client's clock until it calls its token route and connects with the new token. */
  readonly renewsAfter: number
}

/** A page whose handshakes are dropped before its first message, which would hold the token. */
function createApp({ renewsAfter }: Machine) {
  let seconds = 0
  const attempt = (clientAt: number, credential: string | null) =>
    ({ at: clientAt, clientAt, credential, exchange: 'x1' }) as ConnectionAttempt
  const attempts = () => [
    attempt(0, 'first'),
    attempt(1000, null),
    ...(seconds > renewsAfter ? [attempt(renewsAfter * 1000, 'second')] : []),
  ]
  const app = {
    backend: { calls: () => (seconds > renewsAfter ? [{ at: 0 }, { at: 1 }] : [{ at: 0 }]) },
    signaling: { attempts },
    issued: () => [{ jwt: 'first' }, { jwt: 'second' }],
    isClockDriven: () => true,
    clientNow: () => seconds * 1000,
    waitFor: async (probe: () => unknown) => probe() ?? null,
    async waitOnClientClock(probe: () => unknown, longest: number) {
      seconds += longest
      return probe() ?? null
    },
  }
  return app as unknown as ClientApp
}

async function judge(machine: Machine): Promise<boolean[]> {
  const judged: boolean[] = []
  let realMs = 0
  const app = createApp(machine)
  const { waitOnClientClock } = app
  const timed: ClientApp['waitOnClientClock'] = (probe, seconds) => {
    realMs += seconds * machine.msPerSecond
    return waitOnClientClock(probe, seconds)
  }
  const parts = {
    clock: { monotonic: () => realMs },
    client: { kind: 'page' },
    signalingDouble: { atConnect: 'frame' },
    configuration: { limits: { reconnectSeconds: 60 } },
  } as unknown as Parameters<typeof judgeRenewal>[3]
  await judgeRenewal({ ...app, waitOnClientClock: timed }, { calls: 1, attempts: 1 }, 'dropped', parts, {
    must(holds: boolean) {
      judged.push(holds)
      return holds
    },
    untested: () => undefined,
  } as unknown as Parameters<typeof judgeRenewal>[4])
  return judged
}

test.each([
  ['a fast machine', 10],
  ['a busy machine, on which the clock of the page is no faster than a real one', 1100],
])('a page whose next attempt comes after reconnectSeconds is waited for on %s', async (_, msPerSecond) => {
  const [holds] = await judge({ msPerSecond, renewsAfter: 90 })
  expect(holds).toBe(true)
})

test.each([
  ['a cache of the page', 'cache', 'Leave the token route out of the cache'],
  ['its storage', 'localStorage', 'Call getAuthToken before every reconnect.'],
  ['a page that crashed', null, 'Call getAuthToken before every reconnect.'],
])('a client without a new token whose old one is kept in %s', async (_, place, advice) => {
  const app = {
    ...createApp({ msPerSecond: 0, renewsAfter: Infinity }),
    async capture() {
      if (place === null) throw new Error('the page crashed')
      return [{ place, text: 'first' }]
    },
  }
  expect(await adviseFreshToken(app as never, everyReconnect)).toContain(advice)
})
