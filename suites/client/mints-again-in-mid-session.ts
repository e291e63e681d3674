import { ControlLost } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { ClientApp } from '../../src/roles/client/types.ts'
import { judgeRenewal, openAhead, refusedAtConnect, standOf, untilAsked } from './renewal.ts'

export default defineCheck({
  id: 'CLI-07',
  role: 'client',
  level: 'MUST',
  kind: 'handles-failure',
  clauses: ['5.6'],
  title: 'mints again wherever it is refused, at connect and in mid-session',
  why: 'Tokens end while a call is on; a client that expects refusals at one moment only drops out at the other.',
  how:
    'The first handshake is refused as 401; once the client is in, its open socket is refused as well. Each time it ' +
    'must call its token route again and dial with the new JWT.',
  needs: ['client', 'signalingDouble'],
  async run(parts, judge) {
    await using app = await openAhead(parts.client)
    const atConnect = await refusedAtConnect(app)
    if (!(await judgeRenewal(app, atConnect, 'refused at connect', parts, judge))) return
    await isIn(app)
    const inSession = standOf(app)
    untilAsked(app, inSession, () => 'refuse')
    app.signaling.refuseOpen()
    await judgeRenewal(app, inSession, 'refused in mid-session', parts, judge)
  },
  catches: {
    'at connect only': { client: { variant: 'mints after a refusal at connect only' } },
    'in mid-session only': { client: { variant: 'mints after a refusal in mid-session only' } },
    'gives up in mid-session': { client: { variant: 'gives up when it is refused in mid-session' } },
    'a program that gives up in mid-session': {
      client: { form: 'program', variant: 'gives up when it is refused in mid-session' },
      configuration: { limits: { reconnectSeconds: 6 } },
    },
    'token captured once': { client: { variant: 'token captured once' } },
  },
})

async function isIn({ signaling, waitFor: wait }: ClientApp): Promise<void> {
  const isAccepted = () =>
    signaling.attempts().some(({ outcome, closedAt }) => outcome === 'accepted' && closedAt === null)
  if ((await wait(isAccepted)) === null)
    throw new ControlLost(
      'the client did not come in with its new calling JWT, so it has no open socket to refuse',
    )
}
