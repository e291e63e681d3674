import { defineCheck } from '../../src/requirement/define.ts'
import type { BackendCall, ClientApp, ConnectionAttempt } from '../../src/roles/client/types.ts'
import { openWithDrivenClock } from './lib/judge-renewal.ts'

const lifetimeSeconds = 60
const watchedSeconds = 120
/** Where the clock cannot be advanced: the calls within this time show a loop. */
const undrivenSeconds = 15
const mostPerMinute = 4

export default defineCheck({
  id: 'CLI-13',
  level: 'ADVISORY',
  kind: 'positive',
  clauses: [],
  title: 'never fetches tokens in a loop',
  why: "Every call of the token route is a mint: a loop exhausts the mint's cap for all users of the project.",
  how: {
    does: [
      "A user connects with 60-second tokens and stays connected for two minutes of the client's own clock.",
      'A call that follows on a connection that the client closed after a message of its own, such as a heartbeat that the double does not answer, does not count.',
    ],
    warns: ['More than 4 calls of the token route in any minute.'],
  },
  needs: ['client', 'signalingDouble'],
  async run({ client }, judge) {
    await using app = await openWithDrivenClock(client)
    app.backend.lifetime(lifetimeSeconds)
    await app.join()
    const isDriven = app.isClockDriven()
    const countedCalls = () => {
      const excused = findCallsAfterSilence(app)
      return app.backend.calls().filter((call) => !excused.has(call))
    }
    const most = () => countMostPerMinute(countedCalls().map(({ clientAt }) => clientAt))
    await app.waitOnClientClock(() => most() > 2 * mostPerMinute, isDriven ? watchedSeconds : undrivenSeconds)
    judge.observe('client.mintsPerMinute', most())
    judge.advisory(most() <= mostPerMinute, {
      saw: `${most()} calls of the token route within a minute with ${lifetimeSeconds}-second tokens`,
      expected: `at most ${mostPerMinute}`,
      fix: 'Refresh a token shortly before its expiry, and not on a short timer.',
      evidence: countedCalls()
        .slice(0, 20)
        .map(({ exchange }) => exchange),
    })
    if (findCallsAfterSilence(app).size > 0)
      judge.onlyObserved('the client closed connections on which the double had not answered its messages')
    if (!isDriven)
      judge.onlyObserved(
        `observed for ${undrivenSeconds} s only: the timers of this client cannot be advanced`,
      )
  },
})

/** The double knows no heartbeat of the service: a client that misses the answer is right to connect again. */
function findCallsAfterSilence({ backend, signaling }: ClientApp): ReadonlySet<BackendCall> {
  const closings = signaling.attempts().filter(isClosedAfterSilence)
  const next = closings.map(({ closedAt }) => backend.calls().find(({ at }) => at > (closedAt ?? 0)))
  return new Set(next.filter((call) => call !== undefined))
}

/** The last that the client sent was neither its token nor its userId. */
function isClosedAfterSilence(attempt: ConnectionAttempt): boolean {
  const { outcome, closedAt, credential, declaredUser } = attempt
  const last = attempt.sent.at(-1)
  if (outcome !== 'accepted' || closedAt === null || last === undefined) return false
  return ![credential, declaredUser].some((stated) => stated !== null && last.includes(stated))
}

function countMostPerMinute(instants: readonly number[]): number {
  const counts = instants.map((from) => instants.filter((at) => at >= from && at < from + 60_000).length)
  return Math.max(0, ...counts)
}
