import { defineCheck } from '../../src/requirement/define.ts'
import { countActions, judgeRenewal, openWithDrivenClock, reactUntilAsked } from './lib/judge-renewal.ts'

export default defineCheck({
  id: 'CLI-08',
  role: 'client',
  level: 'MUST',
  kind: 'handles-failure',
  clauses: ['5.6'],
  basis: 'When reconnect attempts are exhausted the client mints a new token and reconnects (5.6).',
  title: 'mints again and reconnects when reconnect attempts are exhausted',
  why: 'A user whose network returns after a while must be reachable again without taking action.',
  how: {
    does: [
      'Drops the open socket of a connected client, then drops its handshakes or answers them with 503 in turn, and rejects them as 401 once limits.reconnectSeconds have passed, until it calls its token route again.',
      'Expects that call and a handshake with the new JWT within limits.reconnectSeconds, or within ten times as long where its clock can be advanced.',
    ],
    fails: ['A client without them.'],
  },
  needs: ['client', 'signalingDouble'],
  async run(parts, judge) {
    await using app = await openWithDrivenClock(parts.client)
    await app.join()
    const since = countActions(app)
    let attempts = 0
    const droppedAt = app.clientNow()
    const dropsMs = parts.configuration.limits.reconnectSeconds * (app.isClockDriven() ? 1000 : 500)
    // A client may have as many attempts as it likes: it has to mint when it is told that its token is not accepted.
    reactUntilAsked(app, since, () => {
      attempts += 1
      if (app.clientNow() - droppedAt > dropsMs) return 'refuse'
      return attempts % 2 === 0 ? 'drop' : { http: 503 }
    })
    app.signaling.dropOpen()
    await judgeRenewal(app, since, 'dropped', parts, judge)
    judge.observe('client.dialsWithOneToken', attempts + 1)
  },
  catches: {
    'gives up when its attempts are exhausted': {
      client: { variant: 'gives up when its attempts are exhausted' },
    },
    'gives up at once': { client: { variant: 'gives up when it is dropped' } },
    'stays silent': { client: { variant: 'stays silent when it is dropped' } },
    'connects with the refused token for ever': {
      client: { variant: 'connects with the refused token again' },
    },
    'gives up when it is refused': { client: { variant: 'gives up when it is refused after drops' } },
    'a program that gives up': {
      client: { form: 'program', variant: 'gives up when it is dropped' },
      configuration: { limits: { reconnectSeconds: 6 } },
    },
    'token captured once': { client: { variant: 'token captured once' } },
  },
})
