import { defineCheck } from '../../src/requirement/define.ts'
import type { Dial } from '../../src/roles/client/double-types.ts'
import type { Client, ClientApp } from '../../src/roles/client/types.ts'

const lifetimeSeconds = 60
/** Where no clock can be moved, a short lifetime is waited for. */
const shortLifetimeSeconds = 2
const tenMinutesMs = 600_000

export default defineCheck({
  id: 'CLI-09',
  role: 'client',
  level: 'SHOULD',
  clauses: ['5.5'],
  title: 'connects anew with a token that has not expired',
  why: 'A device whose clock is wrong must get in as well: the client cannot tell by it whether a kept token is still good.',
  how:
    'A user connects and disconnects. Once the lifetime of the token has passed, for the client and for signaling ' +
    'alike, the user connects again: the first handshake should carry a token that has not expired. So with a clock ' +
    'that is right, with one that is ten minutes slow, and with one that is ten minutes fast.',
  needs: ['client', 'signalingDouble'],
  async run({ client }, judge) {
    const offsets = [0, -tenMinutesMs, tenMinutesMs]
    const outcomes = await Promise.all(offsets.map((offsetMs) => reconnected(client, offsetMs)))
    for (const [index, outcome] of outcomes.entries()) {
      const clock = clockText(offsets[index] ?? 0)
      if (outcome === null) {
        judge.untested(`the clock of a ${client.kind} cannot be ${clock}`)
        continue
      }
      judge.should(!outcome.isExpired, {
        saw: `an expired calling JWT in the first handshake after its lifetime, with a clock that is ${clock}`,
        expected: 'a calling JWT that has not expired',
        evidence: [outcome.dial.exchange],
      })
    }
  },
  catches: {
    'keeps tokens by the local clock': { client: { variant: 'tokens kept by the local clock' }, as: 'warn' },
    'keeps tokens for an hour': { client: { variant: 'tokens kept for an hour' }, as: 'warn' },
  },
})

function clockText(offsetMs: number): string {
  if (offsetMs === 0) return 'right'
  return offsetMs < 0 ? 'ten minutes slow' : 'ten minutes fast'
}

/** The first handshake of the second connection; null where the client's clock cannot be wrong by so much. */
async function reconnected(
  client: Client,
  offsetMs: number,
): Promise<{ readonly dial: Dial; readonly isExpired: boolean } | null> {
  const canDrive = client.kind === 'page'
  if (!canDrive && offsetMs !== 0) return null
  await using app = await client.open(canDrive ? { drivenClock: { offsetMs } } : {})
  app.demand('disconnect')
  const lifetime = canDrive ? lifetimeSeconds : shortLifetimeSeconds
  app.backend.lifetime(lifetime)
  await app.join()
  await app.disconnect()
  await app.wait(() => app.signaling.dials().every(({ closedAt }) => closedAt !== null))
  await agedBy(app, lifetime + 1)
  const before = app.signaling.dials().length
  await app.connect()
  const dial = await app.dialled(before)
  await app.wait(() => dial.outcome !== null)
  const token = app.issued().find(({ jwt }) => jwt === dial.credential)
  return { dial, isExpired: token !== undefined && dial.outcome === 'refused' }
}

async function agedBy(app: ClientApp, seconds: number): Promise<void> {
  if (app.can('drivenClock')) await app.passTime(seconds)
  else await app.wait(() => false, seconds)
}
