import { defineCheck } from '../../src/requirement/define.ts'
import { connects, patientSeconds, signInDisconnected } from './lib/auto-connect.ts'

export default defineCheck({
  id: 'CLI-15',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.3'],
  basis: 'Without signalingUrl the hosted default is used (2.3).',
  title: 'connects to hosted signaling when signalingUrl is omitted',
  why: 'signalingUrl is optional: an app that omits it must still connect.',
  how: {
    does: [
      "As a control, a user connects with the app's own configuration.",
      'Then signalingUrl is omitted and the user connects again.',
      'Expects a socket.',
      'Every socket of the page is intercepted, so that nothing reaches the hosted service, and its URL is recorded.',
    ],
    fails: ['No socket.'],
  },
  needs: ['client'],
  async run({ client, clock }, judge) {
    if (client.kind === 'observed') return judge.untested('a device cannot be told to omit signalingUrl')
    if (!client.seesEverything)
      return judge.untested(`the other sockets of a ${client.kind} cannot be observed`)
    const byItself = await connects(client, clock)
    await using app = await client.open({ everySocketIsSignaling: true })
    app.demand('configure')
    // An app that connects on its own does so with its own configuration.
    await signInDisconnected(app, byItself)
    await app.configure({ signalingUrl: undefined })
    const before = app.signaling.attempts().length
    await app.connect()
    const attempt = await app.waitFor(() => app.signaling.attempts()[before], patientSeconds)
    if (attempt === null && app.signaling.attempts().some(({ closedAt }) => closedAt === null))
      return judge.untested('the app was still connected with its own configuration, so it opened no socket')
    judge.must(attempt !== null, {
      saw: 'no socket after signalingUrl was omitted',
      expected: 'a connection to hosted signaling (2.3)',
      isAbsence: true,
      fix: 'Fall back to the hosted signaling URL.',
      evidence: app.backend.calls().map(({ exchange }) => exchange),
    })
    if (attempt !== null) judge.observe('client.hostedSignaling', attempt.url.replace(/[?#].*$/s, ''))
  },
})
