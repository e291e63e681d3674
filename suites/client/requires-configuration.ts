import { ControlLost } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { PartsOf } from '../../src/requirement/needs.ts'
import type { Client } from '../../src/roles/client/types.ts'
import { detectAutoConnect, signInDisconnected } from './auto-connect.ts'

type Parts = PartsOf<'client' | 'signalingDouble'>

const required = ['userId', 'displayName', 'getAuthToken'] as const

export default defineCheck({
  id: 'CLI-14',
  role: 'client',
  level: 'MUST',
  clauses: ['2.3'],
  title: 'connects only with a userId, a displayName and getAuthToken',
  why: 'Whoever is connected without an id cannot be called, and without getAuthToken there is no token of theirs.',
  how:
    'One client is configured by driver.configure as it is, and connects: the control. Then the userId, the ' +
    'displayName and getAuthToken are left out in turn. None of these clients may dial signaling within several ' +
    'times the time that the control took.',
  needs: ['client', 'signalingDouble'],
  async run(parts, judge) {
    const usual = await control(parts.client, parts.clock)
    await Promise.all(required.map((field) => refusesWithout(field, usual, parts, judge)))
  },
  catches: {
    'connects without a userId': { client: { variant: 'connects without a userId' } },
    'connects without a displayName': { client: { variant: 'connects without a displayName' } },
    'a program without a userId': {
      client: { form: 'program', variant: 'connects without a userId' },
    },
    'asks the backend without getAuthToken': { client: { variant: 'connects without getAuthToken' } },
    'connects without any token': { client: { variant: 'dials without any token' } },
  },
})

interface Usual {
  /** How long the client took from connect to its dial. */
  readonly dialMs: number
  /** It connects as soon as a user is signed in, before anything can be left out. */
  readonly byItself: boolean
}

async function control(client: Client, clock: Parts['clock']): Promise<Usual> {
  await using app = await client.open()
  app.demand('configure')
  const byItself = await detectAutoConnect(app, clock)
  if (byItself) {
    app.demand('disconnect')
    await app.disconnect()
  }
  const before = app.signaling.dials().length
  // As it is: a driver that cannot do that cannot leave anything out either.
  await app.configure({})
  const startedAt = clock.monotonic()
  await app.connect()
  const dial = await app.dialled(before)
  const dialMs = clock.monotonic() - startedAt
  if ((await app.wait(() => dial.outcome === 'accepted')) === null)
    throw new ControlLost('the client was not accepted with its whole configuration', [dial.exchange])
  return { dialMs, byItself }
}

const leastSeconds = 2
/** A dial that does not come within so many times of what it usually takes does not come. */
const manyTimes = 4
/** What a client still does that has said that it failed. */
const afterwardsSeconds = 0.5

async function refusesWithout(
  field: (typeof required)[number],
  { dialMs, byItself }: Usual,
  { client }: Parts,
  judge: Judge,
): Promise<void> {
  await using app = await client.open()
  await signInDisconnected(app, byItself)
  const before = app.signaling.dials().length
  await app.configure({ [field]: undefined })
  await app.connect()
  const dialled = () => app.signaling.dials()[before]
  const hasFailed = async () => (await app.state()) === 'failed'
  await app.wait(
    async () => dialled() !== undefined || (await hasFailed()),
    Math.max(leastSeconds, (manyTimes * dialMs) / 1000),
  )
  const dial = await app.wait(dialled, afterwardsSeconds)
  judge.must(dial === null, {
    saw: `a dial of signaling without ${field}`,
    expected: `no connection without ${field}`,
    ...(dial === null ? {} : { evidence: [dial.exchange] }),
  })
}
