import { defineCheck } from '../../src/requirement/define.ts'
import type { Client, ClientApp, ConnectionAttempt } from '../../src/roles/client/types.ts'

const lifetimeSeconds = 60
/** Where the clock cannot be set, the check waits for a short lifetime. */
const shortLifetimeSeconds = 2
const tenMinutesMs = 600_000

export default defineCheck({
  id: 'CLI-09',
  role: 'client',
  level: 'SHOULD',
  kind: 'positive',
  clauses: ['5.5'],
  title: 'reconnects with an unexpired token, even with clock skew',
  why: 'A device with a wrong clock must connect too: the client cannot tell from its own clock whether a cached token is valid.',
  how: 'A user connects and disconnects. After the lifetime of the token, for the client and for signaling alike, the user connects again with a correct clock, with one that is ten minutes slow, and with one that is ten minutes fast. An expired token in the first handshake warns.',
  needs: ['client', 'signalingDouble'],
  async run({ client }, judge) {
    const offsets = [0, -tenMinutesMs, tenMinutesMs]
    const outcomes = await Promise.all(offsets.map((offsetMs) => reconnect(client, offsetMs)))
    for (const [index, outcome] of outcomes.entries()) {
      const clock = clockText(offsets[index] ?? 0)
      if (outcome === null) {
        judge.untested(`the clock of a ${client.kind} cannot be set ${clock}`)
        continue
      }
      judge.should(!outcome.isExpired, {
        saw: `an expired calling JWT in the first handshake after its expiry, with a clock that is ${clock}`,
        expected: 'an unexpired calling JWT (5.5)',
        fix: 'Call getAuthToken for every connection and keep no token.',
        evidence: [outcome.attempt.exchange],
      })
    }
  },
  catches: {
    'keeps tokens by the local clock': { client: { variant: 'tokens kept by the local clock' }, as: 'warn' },
    'keeps tokens for an hour': { client: { variant: 'tokens kept for an hour' }, as: 'warn' },
  },
})

function clockText(offsetMs: number): string {
  if (offsetMs === 0) return 'correct'
  return offsetMs < 0 ? 'ten minutes slow' : 'ten minutes fast'
}

/** The first handshake of the second connection; null where the client's clock cannot be set. */
async function reconnect(
  client: Client,
  offsetMs: number,
): Promise<{ readonly attempt: ConnectionAttempt; readonly isExpired: boolean } | null> {
  const canDrive = client.kind === 'page'
  if (!canDrive && offsetMs !== 0) return null
  await using app = await client.open(canDrive ? { drivenClock: { offsetMs } } : {})
  app.demand('disconnect')
  const lifetime = canDrive ? lifetimeSeconds : shortLifetimeSeconds
  app.backend.lifetime(lifetime)
  await app.join()
  await app.disconnect()
  await app.waitFor(() => app.signaling.attempts().every(({ closedAt }) => closedAt !== null))
  await waitFor(app, lifetime + 1)
  const before = app.signaling.attempts().length
  await app.connect()
  const attempt = await app.waitForAttempt(before)
  await app.waitFor(() => attempt.outcome !== null)
  const token = app.issued().find(({ jwt }) => jwt === attempt.credential)
  return { attempt, isExpired: token !== undefined && attempt.outcome === 'refused' }
}

async function waitFor(app: ClientApp, seconds: number): Promise<void> {
  if (app.can('drivenClock')) await app.passTime(seconds)
  else await app.waitFor(() => false, seconds)
}
