import { defineCheck } from '../../src/requirement/define.ts'
import type { ConnectionAttempt } from '../../src/roles/client/types.ts'
import { openWithDrivenClock } from './lib/judge-renewal.ts'

const windowSeconds = 10
const mostAttempts = 10
/** Long enough to show whether delays increase. */
const refusedSeconds = 60
const undrivenSeconds = 12
const growth = 1.2

export default defineCheck({
  id: 'CLI-12',
  level: 'ADVISORY',
  kind: 'positive',
  clauses: [],
  title: 'retries with increasing delays',
  why: 'Clients that retry without a pause keep a recovering service down.',
  how: {
    does: [
      "Rejects every handshake of a client, by the client's own clock, which is advanced.",
      'Several sockets that it opens with one JWT at once are one handshake.',
    ],
    warns: [
      'More than 10 handshakes in the first 10 seconds, delays that do not increase, or more than one mint per rejection.',
    ],
  },
  needs: ['client', 'signalingDouble'],
  async run({ client }, judge) {
    await using app = await openWithDrivenClock(client)
    // Scripted before sign-in, since some apps connect on their own.
    app.signaling.answer(() => 'refuse')
    await app.signIn()
    await app.connect()
    const first = await app.waitForAttempt()
    const storm = () => app.signaling.attempts().length > 5 * mostAttempts
    await app.waitOnClientClock(storm, app.isClockDriven() ? refusedSeconds : undrivenSeconds)

    const instants = withoutTwins(app.signaling.attempts()).map(({ clientAt }) => clientAt - first.clientAt)
    const early = instants.filter((at) => at <= windowSeconds * 1000).length
    const gaps = instants.slice(1).map((at, index) => at - (instants[index] ?? 0))
    const calls = app.backend.calls().length
    judge.observe('client.dialsInTenSecondsOfRefusals', early)
    judge.observe('client.delaysWhenRefused', gaps.slice(0, 20).map(Math.round))
    judge.observe('client.mintsWhenRefused', `${calls} for ${instants.length} refusals`)
    const firstOf = (all: readonly { readonly exchange: string }[]) =>
      all.slice(0, 20).map(({ exchange }) => exchange)
    const evidence = firstOf(app.signaling.attempts())
    judge.advisory(early <= mostAttempts, {
      saw: `${early}${storm() ? ' or more' : ''} handshakes within ${windowSeconds} s of rejections`,
      expected: `at most ${mostAttempts}`,
      fix: 'Back off exponentially between attempts.',
      evidence,
    })
    const late = gaps.slice(Math.floor(gaps.length / 2))
    const grows = Math.max(...late) > growth * Math.min(...gaps.slice(0, 2))
    judge.advisory(gaps.length < 4 || grows, {
      saw: `delays that do not increase: ${gaps.slice(0, 7).map(Math.round).join(', ')} ms`,
      expected: 'a longer delay after each failure',
      fix: 'Back off exponentially between attempts.',
      evidence,
    })
    // One more may have been prefetched.
    judge.advisory(calls <= instants.length + 2, {
      saw: `${calls} calls of the token route for ${instants.length} rejections`,
      expected: 'one call per rejection',
      fix: 'Request one new token after a rejection, and wait before the next attempt.',
      evidence: firstOf(app.backend.calls()),
    })
  },
})

/** Within so long, sockets with one JWT are of one handshake. */
const twinsMs = 100

function withoutTwins(attempts: readonly ConnectionAttempt[]): readonly ConnectionAttempt[] {
  const kept: ConnectionAttempt[] = []
  for (const attempt of attempts) {
    const { credential, clientAt } = attempt
    if (!kept.some((one) => one.credential === credential && clientAt - one.clientAt < twinsMs))
      kept.push(attempt)
  }
  return kept
}
