import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { ClientApp } from '../../src/roles/client/types.ts'
import {
  answerWith,
  judgeDials,
  judgeEachFailure,
  openConnecting,
  type Parts,
} from './judge-failing-backend.ts'

const error = (status: number) => ({ status, body: '{"error":"calling is not available"}' })
const page = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>Shop</title><p>We are back soon.</p>',
}

export default defineCheck({
  id: 'CLI-04',
  role: 'client',
  level: 'MUST',
  clauses: ['4.2'],
  title: 'fails, and says so in time, when its backend gives no token',
  why: 'A failure that is taken for a token ends in a refused socket, and one that never ends leaves the user waiting.',
  how:
    'A user connects while the token route answers 401, 500 or 502, answers 200 with HTML, or does not answer at ' +
    'all. No socket may be opened without a calling JWT. The attempt must come to an end: within ' +
    'limits.clientSettleSeconds the unanswered request is given up, or the state that driver.state gives leaves ' +
    '"connecting". Without driver.state the other answers can show no more than that nothing is dialled.',
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
  catches: {
    'status unchecked': { client: { variant: 'status unchecked' } },
    'an empty token instead of a failure': { client: { variant: 'empty token when the backend fails' } },
    'null instead of a failure': { client: { variant: 'null as token when the backend fails' } },
    'takes a page for the token': { client: { variant: 'body as token' } },
    'a program that does not check the status': {
      client: { form: 'program', variant: 'status unchecked' },
    },
    'no deadline': {
      client: { variant: 'no deadline for the backend' },
      configuration: { limits: { clientSettleSeconds: 6 } },
    },
    'swallows failures': {
      client: { variant: 'swallows failures of the backend' },
      configuration: { limits: { clientSettleSeconds: 6 } },
    },
  },
})

const besidesSeconds = 2
/** Two requests closer than this were begun together; a later one follows on the end of an earlier one. */
const togetherMs = 1000

/** On real time, since a page's own deadline need not be a timer that can be run ahead. */
async function settlesInTime({ client, configuration }: Parts, judge: Judge): Promise<void> {
  const { clientSettleSeconds } = configuration.limits
  const name = 'does not answer'
  await using app = await openConnecting(client, () => 'hang', { drivenClock: false })
  const { backend } = app
  const state = watched(app)
  const isGivenUp = () => backend.calls().every(({ givenUpAt }) => givenUpAt !== null)
  await app.wait(async () => isGivenUp() || (await state.isLeft()), clientSettleSeconds + besidesSeconds)
  const now = app.clientNow()
  const waiting = backend
    .calls()
    .filter(({ givenUpAt, clientAt }) => givenUpAt === null && now - clientAt > clientSettleSeconds * 1000)
  const [first] = waiting
  if (first !== undefined && !(await state.isLeft())) {
    const asksAnew = backend.calls().some(({ clientAt }) => clientAt - first.clientAt > togetherMs)
    if (!state.wasConnecting())
      judge.untested(
        app.can('state')
          ? 'driver.state never gave "connecting", and the request was not given up: whether getAuthToken settled cannot be seen'
          : 'needs driver.state: the request was not given up, so whether getAuthToken settled cannot be seen',
      )
    else if (asksAnew)
      judge.untested(
        'the request was not given up, but made anew: whether getAuthToken settled cannot be seen',
      )
    else
      judge.must(false, {
        saw: `the client still waiting after ${clientSettleSeconds} s when the backend ${name}`,
        expected: 'getAuthToken to reject within limits.clientSettleSeconds',
        evidence: [first.exchange],
      })
  }
  judgeDials(app, name, configuration, judge.must)
}

/** The state as it goes by: leaving "connecting" counts once it was seen. */
function watched(app: ClientApp) {
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
