import { ControlLost } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { ClientApp } from '../../src/roles/client/types.ts'
import {
  countActions,
  judgeRenewal,
  openWithDrivenClock,
  reactUntilAsked,
  refuseAtConnect,
} from './lib/judge-renewal.ts'
import { isOpen } from './lib/open-asked.ts'

/** On the client's clock: a connection of this length is no failed attempt. */
const lastingSeconds = 60

export default defineCheck({
  id: 'CLI-07',
  level: 'MUST',
  kind: 'handles-failure',
  clauses: ['5.6'],
  basis: 'On a 401 of signaling the client mints a new token and reconnects (5.6).',
  title: 'mints again when rejected at connect or in mid-session',
  why: 'Tokens expire during calls: a client that handles a rejection only at connect loses the call.',
  how: {
    does: [
      'Rejects the first handshake as 401 and, once the client is connected, its open socket as well, twice.',
      'Expects a call of the token route and a handshake with the new JWT each time.',
    ],
    fails: ['A client without them.'],
  },
  needs: ['client', 'signalingDouble'],
  async run(parts, judge) {
    await using app = await openWithDrivenClock(parts.client)
    const atConnect = await refuseAtConnect(app)
    if (!(await judgeRenewal(app, atConnect, 'rejected at connect', parts, judge))) return
    await assertConnected(app)
    const inSession = countActions(app)
    reactUntilAsked(app, inSession, () => 'refuse')
    app.signaling.refuseOpen()
    if (!(await judgeRenewal(app, inSession, 'rejected in mid-session', parts, judge))) return
    await assertConnected(app)
    // A client may count its rejections until a connection has lasted.
    if (app.isClockDriven()) await app.waitOnClientClock(() => false, lastingSeconds)
    const onceMore = countActions(app)
    reactUntilAsked(app, onceMore, () => 'refuse')
    app.signaling.refuseOpen()
    await judgeRenewal(app, onceMore, 'rejected in mid-session once more', parts, judge)
  },
})

async function assertConnected({ signaling, waitFor }: ClientApp): Promise<void> {
  if ((await waitFor(() => signaling.attempts().some(isOpen))) === null)
    throw new ControlLost(
      'the client did not connect with its new calling JWT, so it has no open socket to reject',
    )
}
