import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { ClientApp } from '../../src/roles/client/types.ts'
import { answerWith, judgeAttempts, judgeEachFailure, type Parts } from './lib/judge-failing-backend.ts'
import { openAsked } from './lib/open-asked.ts'

const error = (status: number) => ({ status, body: '{"error":"calling is not available"}' })
const page = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>Shop</title><p>We are back soon.</p>',
}

export default defineCheck({
  id: 'CLI-04',
  level: 'MUST',
  kind: 'handles-failure',
  clauses: ['4.2'],
  basis: 'getAuthToken fails when the backend answers with a non-2xx status (4.2).',
  title: 'rejects getAuthToken in time when the backend fails',
  why: 'A failure taken for a token ends in a rejected socket; one that never settles leaves the user waiting.',
  how: {
    does: [
      'A user connects while the token route answers 401, 500 or 502, answers 200 with HTML, or does not answer.',
      'Expects no socket without a calling JWT, and an attempt that ends: within limits.clientSettleSeconds the pending request is aborted, or the state returned by driver.state leaves "connecting".',
      'Without driver.state only the sockets are judged for the other responses.',
    ],
    fails: [
      'A socket without a calling JWT, or the state "connected" without any socket.',
      'An attempt that has not ended after limits.neverSeconds, where that is set.',
    ],
    warns: [
      'A state that stays "connecting" without another call of the token route, where no socket is opened: getAuthToken may have rejected.',
      'An attempt that ends later than the limit, or has not ended after three times as long, since a system may end it (URLSession after 60 s); the seconds are measured.',
    ],
  },
  needs: ['client', 'signalingDouble'],
  async run(parts, judge) {
    await Promise.all([
      judgeEachFailure(
        [
          answerWith('answers 401', error(401)),
          answerWith('answers 500', error(500)),
          answerWith('answers 502', error(502)),
          answerWith('answers 200 with HTML', page),
        ],
        parts,
        judge,
      ),
      settlesInTime(parts, judge),
    ])
  },
})

const extraSeconds = 2
/** So many times `limits.clientSettleSeconds` an attempt is watched, unless `limits.neverSeconds` says how long. */
const measuredTimes = 3
/** Requests closer than this started together; a later one follows the end of an earlier one. */
const togetherMs = 1000

/** In real time, since a page's own deadline need not be a timer that can be advanced. */
async function settlesInTime({ client, configuration }: Parts, judge: Judge): Promise<void> {
  const { clientSettleSeconds, neverSeconds } = configuration.limits
  const watchedSeconds = neverSeconds ?? measuredTimes * clientSettleSeconds
  const name = 'does not answer'
  await using app = await openAsked(client, {}, ({ backend }) => backend.answer(() => 'hang'))
  const { backend } = app
  const state = watchState(app)
  const isGivenUp = () => backend.calls().every(({ givenUpAt }) => givenUpAt !== null)
  await app.waitFor(async () => isGivenUp() || (await state.isLeft()), clientSettleSeconds + extraSeconds)
  const now = app.clientNow()
  const waiting = backend
    .calls()
    .filter(({ givenUpAt, clientAt }) => givenUpAt === null && now - clientAt > clientSettleSeconds * 1000)
  const [first] = waiting
  if (first !== undefined && !(await state.isLeft())) {
    const asksAnew = backend.calls().some(({ clientAt }) => clientAt - first.clientAt > togetherMs)
    const unseen = app.can('state')
      ? 'driver.state never returned "connecting" and the request was not aborted'
      : 'needs driver.state: the request was not aborted'
    const untold = state.wasConnecting() ? 'the request was not aborted but repeated' : unseen
    if (!state.wasConnecting() || asksAnew)
      judge.untested(`${untold}, so it is unknown whether getAuthToken settled`)
    else {
      // The specification names no deadline, and the system may have one of a minute: only "never" breaks it.
      const isSettled = async () => isGivenUp() || (await state.isLeft())
      const isLate = (await app.waitFor(isSettled, watchedSeconds - clientSettleSeconds)) !== null
      const part = isLate || neverSeconds === undefined ? judge.should : judge.must
      const seconds = isLate ? Math.round((app.clientNow() - first.clientAt) / 1000) : watchedSeconds
      part(false, {
        case: name,
        saw: `a client that ${isLate ? 'gave up after' : 'still waits after'} ${seconds} s when the backend ${name}`,
        expected: 'getAuthToken to reject within limits.clientSettleSeconds (4.2)',
        fix: 'Abort the request after a timeout.',
        evidence: [first.exchange],
      })
    }
  }
  judgeAttempts(app, name, configuration, judge.must)
}

/** Watches the state: leaving "connecting" counts once it was observed. */
function watchState(app: ClientApp) {
  let seen = false
  return {
    wasConnecting: () => seen,
    async isLeft(): Promise<boolean> {
      const state = await app.state()
      seen ||= state === 'connecting'
      return seen && state !== 'connecting'
    },
  }
}
