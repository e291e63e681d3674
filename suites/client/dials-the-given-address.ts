import { randomBytes } from 'node:crypto'
import { ClientHalted } from '../../src/base/inconclusive.ts'
import { isRecord } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { BackendScript, Client } from '../../src/roles/client/types.ts'
import { connects, patientSeconds, signInDisconnected } from './lib/auto-connect.ts'

const addressNames = ['signalingUrl', 'signaling_url', 'signaling', 'wsUrl', 'url', 'endpoint', 'server']

export default defineCheck({
  id: 'CLI-22',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.3'],
  standards: ['RFC 9700, 4.9.1', 'OWASP ASVS 5.0, 13.2.4'],
  basis: 'signalingUrl says where signaling is; only without it a default counts (2.3).',
  title: 'connects to the signalingUrl that it was given',
  why: 'A client that takes the address from elsewhere may bring its calling token to a host of an attacker, and cannot be pointed at another region.',
  how: {
    does: [
      "As a control, a user connects with the app's own configuration.",
      'Then signalingUrl names a host that is new for each run, the token route returns addresses of another host besides the token, and the user connects again.',
      'Every socket of a page is intercepted, so that nothing leaves the machine, and its Content-Security-Policy is not enforced.',
      'A program is started with the address of the double, and must connect to it once it has its calling JWT.',
    ],
    fails: ['A socket to any other host than the given one.', 'No socket of a program at the given address.'],
    untested: [
      'No socket of a page after signalingUrl named the new host.',
      'A program that answers that it takes secure addresses only, without client.tls.',
    ],
  },
  needs: ['client'],
  async run({ client, clock }, judge) {
    if (client.kind === 'observed') return judge.untested('a device cannot be told another signalingUrl')
    if (!client.seesEverything) return await judgeProgram(client, judge)
    const byItself = await connects(client, clock, { everySocketIsSignaling: true })
    await using app = await client.open({ everySocketIsSignaling: true, withoutContentPolicy: true })
    app.demand('configure')
    const [given, other] = [newHost(), newHost()]
    app.backend.answer(withAddresses(`wss://${other}/calls`))
    await signInDisconnected(app, byItself)
    await app.configure({ signalingUrl: `wss://${given}/calls` })
    const before = app.signaling.attempts().length
    await app.connect()
    const attempt = await app.waitFor(() => app.signaling.attempts()[before], patientSeconds)
    if (attempt === null)
      return judge.untested('the app opened no socket after signalingUrl named another host')
    const { host } = new URL(attempt.url)
    judge.must(host === given, {
      saw:
        host === other
          ? "a socket to the address in the token route's response, after signalingUrl was set to another host"
          : `a socket to ${host}, after signalingUrl was set to another host`,
      expected: 'a socket to the host of signalingUrl (2.3)',
      fix: 'Connect to signalingUrl as it was given; use a default only where it is omitted.',
      evidence: [attempt.exchange],
    })
  },
})

/** A program knows no other address than that of the double, and got its token from the double of the backend. */
async function judgeProgram(client: Client, judge: Judge): Promise<void> {
  await using app = await client.open()
  await app.signIn()
  await app.connect()
  const attempt = await app.waitForAttempt().catch((error: unknown) => {
    if (error instanceof ClientHalted) return error
    throw error
  })
  if (!(attempt instanceof ClientHalted)) return judge.passed()
  const [call] = app.backend.calls().filter(({ status, issued }) => status === 200 && issued !== null)
  if (call === undefined) throw attempt
  const [, said = ''] = attempt.message.split('answer to connect: ')
  if (asksForTls.test(said))
    return judge.untested(
      `${attempt.message}; set client.tls: true for a client that takes wss addresses only`,
    )
  judge.must(false, {
    saw: `no connection to the given address by a program that has a calling JWT (${attempt.message})`,
    expected: 'a socket to the host of signalingUrl (2.3)',
    isAbsence: true,
    fix: 'Connect to signalingUrl as it was given, which a program reads from TWOTOKEN_SIGNALING_URL; use a default only where it is omitted.',
    evidence: [call.exchange],
  })
}

/** Signaling is a wss address (4.3): a client may refuse another. */
const asksForTls = /\b(?:wss(?!:)|tls|ssl|secure|insecure)\b/i

function newHost(): string {
  return `${randomBytes(6).toString('hex')}.signaling.example`
}

/** The ordinary answer, with addresses of another host under usual names beside the token. */
function withAddresses(address: string): BackendScript {
  return async (_, ordinary) => {
    const answer = await ordinary()
    const body: unknown = JSON.parse(answer.body)
    if (!isRecord(body)) return answer
    const addresses = Object.fromEntries(addressNames.map((name) => [name, address]))
    return { ...answer, body: JSON.stringify({ ...addresses, ...body }) }
  }
}
