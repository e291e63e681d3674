import type { Clock } from '../../src/base/clock.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Client } from '../../src/roles/client/types.ts'
import { detectAutoConnect, signInDisconnected } from './auto-connect.ts'

export default defineCheck({
  id: 'CLI-15',
  role: 'client',
  level: 'MUST',
  clauses: ['2.3'],
  title: 'dials hosted signaling where no address is configured',
  why: 'signalingUrl is optional: an app that leaves it out must come up all the same.',
  how:
    "As a control a user connects with the app's own configuration. Then signalingUrl is left out, and the user " +
    'connects again: some socket must be dialled. Every socket that leaves the page is caught, wherever it goes, so ' +
    'that nothing reaches the hosted service; which address it was is recorded.',
  needs: ['client'],
  async run({ client, clock }, judge) {
    if (!client.seesEverything) return judge.untested(`where else a ${client.kind} dials cannot be seen`)
    const byItself = await connects(client, clock)
    await using app = await client.open({ everySocketIsSignaling: true })
    app.demand('configure')
    // An app that connects by itself does so with its own configuration.
    await signInDisconnected(app, byItself)
    await app.configure({ signalingUrl: undefined })
    const before = app.signaling.dials().length
    await app.connect()
    const dial = await app.wait(() => app.signaling.dials()[before])
    if (dial === null && app.signaling.dials().some(({ closedAt }) => closedAt === null))
      return judge.untested('the app was still connected with its own configuration, so it dialled nothing')
    judge.must(dial !== null, {
      saw: 'no socket dialled once signalingUrl was left out',
      expected: 'a connection to hosted signaling',
      evidence: app.backend.calls().map(({ exchange }) => exchange),
    })
    if (dial !== null) judge.observe('client.hostedSignaling', dial.url.replace(/[?#].*$/s, ''))
  },
  catches: {
    'hangs without an address': { client: { variant: 'hangs without signalingUrl' } },
    'refuses to connect without an address': {
      client: { variant: 'refuses to connect without signalingUrl' },
    },
  },
})

/** The control: with its own configuration the app dials. Returns whether it does so without being asked. */
async function connects(client: Client, clock: Clock): Promise<boolean> {
  await using app = await client.open()
  if (await detectAutoConnect(app, clock)) return true
  await app.connect()
  await app.dialled()
  return false
}
