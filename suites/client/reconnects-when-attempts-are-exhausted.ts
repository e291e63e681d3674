import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { ClientApp } from '../../src/roles/client/types.ts'
import {
  type ActionCounts,
  countActions,
  findStaleAttempts,
  judgeRenewal,
  manyAttempts,
  openWithDrivenClock,
  type Parts,
  reactUntilAsked,
} from './lib/judge-renewal.ts'

export default defineCheck({
  id: 'CLI-08',
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
      'Drops the open socket of another, and every handshake with whatever token for half of limits.reconnectSeconds (all of it where its clock can be advanced), as an outage does: expects an accepted handshake within limits.reconnectSeconds after that. One device alone is spared this.',
    ],
    fails: [
      'A client without them.',
      'A client that mints for each attempt, and stops when these are exhausted.',
    ],
    warns: [
      'A page that has tried one JWT 20 times without a new one, where signaling rejects it by an HTTP status, which a page cannot see.',
    ],
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
    const isRenewed = await judgeRenewal(app, since, 'dropped', parts, {
      must: judge.must,
      untested: (reason) => judgeEndless(app, since, reason, judge),
    })
    judge.observe('client.dialsWithOneToken', attempts + 1)
    if (isRenewed && parts.client.kind !== 'observed') await judgeOutage(parts, judge)
  },
})

/** A page that cannot see why it is rejected has to mint all the same when it has tried often enough. */
function judgeEndless(app: ClientApp, since: ActionCounts, reason: string, judge: Judge): void {
  const stale = findStaleAttempts(app, since)
  const isEndless = stale.length >= manyAttempts
  if (!isEndless) judge.untested(reason)
  judge.advisory(!isEndless, {
    saw: `${stale.length} more handshakes with one calling JWT, and no new call of the token route`,
    expected: 'a new calling JWT when reconnect attempts are exhausted (5.6)',
    fix: 'Call getAuthToken before every reconnect: a page cannot see the HTTP status of a rejected upgrade.',
    evidence: stale.map(({ exchange }) => exchange),
  })
}

/** How many times `limits.reconnectSeconds` a driven clock is advanced after the outage. */
const drivenPatience = 10
/** How many times as long as every delay before it the next one may be. */
const longestGrowth = 8

/** While signaling accepts no token: a client that mints for each attempt is never exhausted otherwise. */
async function judgeOutage({ client, configuration }: Parts, judge: Judge): Promise<void> {
  await using app = await openWithDrivenClock(client)
  await app.join()
  const { attempts: earlier } = countActions(app)
  const { reconnectSeconds } = configuration.limits
  const isDriven = app.isClockDriven()
  const outageMs = reconnectSeconds * (isDriven ? 1000 : 500)
  const droppedAt = app.clientNow()
  app.signaling.answer(() => (app.clientNow() - droppedAt > outageMs ? 'ordinary' : 'drop'), 'at the upgrade')
  app.signaling.dropOpen()
  const later = () => app.signaling.attempts().slice(earlier)
  const isBack = () => later().some(({ outcome }) => outcome === 'accepted')
  const patience = reconnectSeconds * (isDriven ? drivenPatience : 1)
  await app.waitOnClientClock(isBack, outageMs / 1000 + patience)
  // An advanced clock outruns the network.
  await app.waitFor(isBack, 2)
  const tried = later().length
  judge.observe('client.dialsInOutage', tried)
  const instants = [droppedAt, ...later().map(({ clientAt }) => clientAt)]
  const longest = Math.max(0, ...instants.slice(1).map((at, index) => at - (instants[index] ?? at)))
  // Delays grow: only a silence that is much longer than every delay before is the end.
  if (!isBack() && app.clientNow() - (instants.at(-1) ?? droppedAt) < longestGrowth * longest)
    return judge.untested(
      `the client had not returned ${patience} s after an outage, and its next attempt may still come: raise limits.reconnectSeconds`,
    )
  judge.must(isBack(), {
    case: 'a client while signaling is down',
    saw: `${tried} handshake${tried === 1 ? '' : 's'} while signaling was down for ${outageMs / 1000} s, and none in the ${patience} s after that`,
    expected: 'a new token and a new connection when attempts are exhausted (5.6)',
    isAbsence: true,
    fix: 'After the last attempt, wait, call getAuthToken and connect again.',
    evidence: [...app.signaling.attempts(), ...app.backend.calls()].map(({ exchange }) => exchange),
  })
}
