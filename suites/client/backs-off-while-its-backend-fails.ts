import { defineCheck } from '../../src/requirement/define.ts'
import type { BackendCall } from '../../src/roles/client/types.ts'
import { openWithDrivenClock } from './lib/judge-renewal.ts'

const windowSeconds = 10
/** More than of handshakes, since a call that fails costs no mint. */
const mostCalls = 20

export default defineCheck({
  id: 'CLI-23',
  level: 'ADVISORY',
  kind: 'positive',
  clauses: [],
  title: 'backs off while its token route fails',
  why: 'Clients that call a failing backend without a pause keep it down.',
  how: {
    does: [
      "Lets the token route answer 502, and counts its calls in the first 10 seconds of the client's own clock, which is advanced.",
    ],
    warns: ['More than 20 calls.'],
  },
  needs: ['client', 'signalingDouble'],
  async run({ client }, judge) {
    await using app = await openWithDrivenClock(client)
    const { backend } = app
    backend.answer(() => ({ status: 502, body: '{"error":"calling is not available"}' }))
    await app.signIn()
    await app.connect()
    const first = await app.waitForTokenCall()
    const isEarly = ({ clientAt }: BackendCall) => clientAt - first.clientAt <= windowSeconds * 1000
    const earlyCalls = () => backend.calls().filter(isEarly)
    await app.waitOnClientClock(() => earlyCalls().length > 2 * mostCalls, windowSeconds)
    const early = earlyCalls()
    judge.observe('client.callsInTenSecondsOfFailures', early.length)
    judge.advisory(early.length <= mostCalls, {
      saw: `${early.length} calls of the token route within ${windowSeconds} s while it answers 502`,
      expected: `at most ${mostCalls}`,
      fix: 'Back off exponentially between attempts, also where getAuthToken rejects.',
      evidence: early.slice(0, 20).map(({ exchange }) => exchange),
    })
  },
})
