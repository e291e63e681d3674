import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { Client } from '../../src/roles/client/types.ts'
import { detectAutoConnect, signInDisconnected, undoAutoConnect } from './lib/auto-connect.ts'

type Parts = CheckContext<'client' | 'signalingDouble'>

const required = ['userId', 'displayName', 'getAuthToken'] as const

export default defineCheck({
  id: 'CLI-14',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['2.3'],
  basis: 'userId, displayName and getAuthToken are required (2.3).',
  title: 'requires userId, displayName and getAuthToken to connect',
  why: 'A user connected without an id cannot be called, and without getAuthToken the client has no token for them.',
  how: {
    does: [
      'The control configures a client unchanged through driver.configure and connects.',
      'Then userId, displayName and getAuthToken are omitted, each in a client of its own, beside another control.',
    ],
    fails: ['A handshake at signaling within several times the duration of the control beside it.'],
  },
  needs: ['client', 'signalingDouble'],
  async run(parts, judge) {
    const { byItself } = await control(parts.client, parts.clock)
    const beside = control(parts.client, parts.clock)
    await Promise.all([
      beside,
      ...required.map((field) => judgeWithout(field, { beside, byItself }, parts, judge)),
    ])
  },
})

/** How long the client takes from connect to its handshake, and whether it connects at sign-in, before a setting can be omitted. */
async function control(client: Client, clock: Parts['clock']) {
  await using app = await client.open()
  app.demand('configure')
  const byItself = await detectAutoConnect(app, clock)
  if (byItself) await undoAutoConnect(app)
  const before = app.signaling.attempts().length
  // Unchanged: a driver that cannot do that cannot omit a setting either.
  await app.configure({})
  const startedAt = clock.monotonic()
  await app.connect()
  const attempt = await app.waitForAttempt(before)
  const connectMs = clock.monotonic() - startedAt
  if ((await app.waitFor(() => attempt.outcome === 'accepted')) === null) throw await app.explainNotJoined()
  return { connectMs, byItself }
}

const leastSeconds = 2
/** A handshake that has not come within so many times the usual duration does not come. */
const manyTimes = 4
/** A client that reports a failure may still open a socket within this time. */
const afterwardsSeconds = 0.5

async function judgeWithout(
  field: (typeof required)[number],
  { beside, byItself }: { readonly beside: ReturnType<typeof control>; readonly byItself: boolean },
  { client }: Parts,
  judge: Judge,
): Promise<void> {
  await using app = await client.open()
  await signInDisconnected(app, byItself)
  const before = app.signaling.attempts().length
  await app.configure({ [field]: undefined })
  await app.connect()
  const attempted = () => app.signaling.attempts()[before]
  const hasFailed = async () => (await app.state()) === 'failed'
  // Behind the control, which has the same machine.
  const { connectMs } = await beside
  const seconds = Math.max(leastSeconds, (manyTimes * connectMs) / 1000)
  await app.waitFor(async () => attempted() !== undefined || (await hasFailed()), seconds)
  const attempt = await app.waitFor(attempted, afterwardsSeconds)
  judge.must(attempt === null, {
    saw: `a handshake at signaling without ${field}`,
    expected: `no connection without ${field} (2.3)`,
    fix: 'Validate the required settings before connecting.',
    evidence: attempt === null ? undefined : [attempt.exchange],
  })
}
