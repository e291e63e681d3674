import { ControlLost, Untested } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { ClientApp } from '../../src/roles/client/types.ts'
import { detectAutoConnect, patientSeconds, undoAutoConnect } from './lib/auto-connect.ts'
import { joinOnce } from './lib/open-asked.ts'

/** A client that reports a failure may still connect within this time. */
const afterwardsSeconds = 0.5
/** A client that gives up by a deadline of its own, as it may on a busy machine, is told to connect again. */
const times = 3

export default defineCheck({
  id: 'CLI-19',
  level: 'MUST',
  kind: 'positive',
  clauses: ['1.5', '2.3'],
  basis: 'entitlementProvider is not required: the SDK falls back to a trial provider (1.5, 2.3).',
  title: 'connects when entitlementProvider is omitted',
  why: 'entitlementProvider is optional: the SDK falls back to a trial, so that an app without a plan of its own can be developed.',
  how: {
    does: [
      'A user signs in, driver.configure omits entitlementProvider, and the user connects.',
      'Expects an accepted handshake at signaling.',
      'Without one, a second client connects with its own configuration as a control.',
    ],
    fails: ['No accepted handshake of the first client, where the control has one.'],
    untested: ['A client that asked a service of another host instead, which the suite cannot answer for.'],
  },
  needs: ['client', 'signalingDouble'],
  async run({ client, clock }, judge) {
    await using app = await client.open()
    app.demand('configure')
    if (await detectAutoConnect(app, clock)) await undoAutoConnect(app)
    const before = app.signaling.attempts().length
    const requestsBefore = app.requests().length
    await app.configure({ entitlementProvider: undefined }).catch((error: unknown) => {
      if (!(error instanceof ControlLost)) throw error
      throw new Untested(`entitlementProvider cannot be omitted: ${error.message}`)
    })
    const connects = await connectPatiently(app, before)
    const asked = connects ? undefined : findServiceAsked(app, requestsBefore)
    if (asked !== undefined)
      return judge.untested(
        `without entitlementProvider the client asked ${asked}, which the suite does not answer as the service would, and did not connect`,
      )
    if (!connects) await joinOnce(client)
    judge.must(connects, {
      saw: `no accepted handshake after entitlementProvider was omitted (state: ${(await app.state()) ?? 'unknown'})`,
      expected: 'a connection without entitlementProvider (2.3)',
      isAbsence: true,
      fix: 'Fall back to the trial provider.',
      evidence: [...app.backend.calls(), ...app.signaling.attempts()].map(({ exchange }) => exchange),
    })
  },
})

/** Says whether one of the handshakes behind the first `before` is accepted. */
async function connectPatiently(app: ClientApp, before: number): Promise<boolean> {
  const later = () => app.signaling.attempts().slice(before)
  const accepted = () => later().some(({ outcome }) => outcome === 'accepted')
  const hasFailed = async () => (await app.state()) === 'failed'
  for (let time = 0; time < times && !accepted(); time += 1) {
    await app.connect()
    await app.waitFor(async () => accepted() || (await hasFailed()), patientSeconds)
    await app.waitFor(accepted, afterwardsSeconds)
    if (!(await hasFailed())) break
  }
  return accepted()
}

/** The first request since then to a host that is neither the customer's nor signaling. */
function findServiceAsked(app: ClientApp, before: number): string | undefined {
  const later = app.requests().slice(before)
  const request = later.find(({ host }) => host !== 'own')
  if (request === undefined) return undefined
  const { origin, pathname } = new URL(request.url)
  return origin + pathname
}
