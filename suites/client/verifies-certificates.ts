import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { Client, DoubledPart } from '../../src/roles/client/types.ts'
import { joinOnce } from './lib/open-asked.ts'

export default defineCheck({
  id: 'CLI-21',
  level: 'ADVISORY',
  kind: 'rejects',
  clauses: [],
  title: 'sends nothing to a server with an untrusted certificate',
  why: 'A client that does not verify certificates gives both tokens to anyone on the network between it and its servers.',
  how: {
    does: [
      'With client.tls, a program connects as a control.',
      'Then the token route, and after that signaling, shows a certificate of an authority that the program does not know.',
    ],
    warns: ['A request or an upgrade there.'],
    untested: ['No connection to that address.', 'A page: its browser verifies certificates.'],
  },
  needs: ['client', 'signalingDouble'],
  async run({ client, configuration }, judge) {
    if (client.kind === 'page')
      return judge.notApplicable('the browser verifies certificates, and a page cannot turn that off')
    if (client.kind === 'observed')
      return judge.untested('the doubles of a device have one certificate, which it was told to trust')
    if (configuration.client?.tls !== true)
      return judge.untested('needs client.tls: true, so that the doubles show certificates')
    await joinOnce(client)
    await judgeUntrusted(client, 'backend', judge)
    await judgeUntrusted(client, 'signaling', judge)
    await joinOnce(client)
  },
})

const names: Readonly<Record<DoubledPart, string>> = { backend: 'the token route', signaling: 'signaling' }

async function judgeUntrusted(client: Client, part: DoubledPart, judge: Judge): Promise<void> {
  await using app = await client.open({ untrusted: part })
  const sent = () => (part === 'backend' ? app.backend.calls() : app.signaling.attempts())
  await app.signIn()
  await app.connect()
  await app.waitFor(() => app.untrustedConnections().made > 0)
  // A client that tries again may have opened the next by now.
  const hasEnded = () => {
    const { made, open } = app.untrustedConnections()
    return made > open
  }
  await app.waitFor(() => sent().length > 0 || hasEnded())
  await app.waitForQuiet()
  if (app.untrustedConnections().made === 0)
    return judge.untested(
      `the client made no connection to ${names[part]} while its certificate was untrusted`,
    )
  const [first] = sent()
  // Its request may still come.
  if (first === undefined && !hasEnded())
    return judge.untested(`the client kept its connection to ${names[part]} open and sent nothing there`)
  judge.advisory(first === undefined, {
    saw: `${part === 'backend' ? 'a request to' : 'an upgrade at'} ${names[part]} although its certificate is of an unknown authority`,
    expected: 'the connection ended before anything is sent',
    fix: 'Verify certificates and host names; do not switch verification off.',
    evidence: first === undefined ? [] : [first.exchange],
  })
}
