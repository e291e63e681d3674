import { ControlLost } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { ClientApp } from '../../src/roles/client/types.ts'
import {
  countActions,
  judgeRenewal,
  openWithDrivenClock,
  reactUntilAsked,
  refuseAtConnect,
} from './judge-renewal.ts'

export default defineCheck({
  id: 'CLI-07',
  role: 'client',
  level: 'MUST',
  clauses: ['5.6'],
  title: 'mints again wherever it is refused, at connect and in mid-session',
  why: 'Tokens end while a call is on; a client that expects refusals at one moment only drops out at the other.',
  how:
    'The first handshake is refused as 401; once the client is in, its open socket is refused as well. Each time it ' +
    'must call its token route again and dial with the new JWT.',
  needs: ['client', 'signalingDouble'],
  async run(parts, judge) {
    await using app = await openWithDrivenClock(parts.client)
    const atConnect = await refuseAtConnect(app)
    if (!(await judgeRenewal(app, atConnect, 'refused at connect', parts, judge))) return
    await isIn(app)
    const inSession = countActions(app)
    reactUntilAsked(app, inSession, () => 'refuse')
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

async function isIn({ signaling, wait }: ClientApp): Promise<void> {
  const isAccepted = () =>
    signaling.dials().some(({ outcome, closedAt }) => outcome === 'accepted' && closedAt === null)
  if ((await wait(isAccepted)) === null)
    throw new ControlLost(
      'the client did not come in with its new calling JWT, so it has no open socket to refuse',
    )
}
