import { isRecord } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import { answerWith, type Failing, judgeEachFailure } from './lib/judge-failing-backend.ts'

const ok = (body: unknown) => ({ status: 200, body: JSON.stringify(body) })

export default defineCheck({
  id: 'CLI-05',
  level: 'MUST',
  kind: 'handles-failure',
  clauses: ['2.3', '4.2'],
  basis: 'getAuthToken returns the calling JWT that the response carries as a string (2.3, 4.2).',
  title: 'rejects a success response without a token',
  why: 'A value such as "undefined" in place of the token reaches signaling as a credential and is rejected every time.',
  how: {
    does: [
      'A user connects while the token route answers 200 with an empty object, with a null, empty or numeric token, or with the JWT in another field.',
      'Expects no socket without a calling JWT, and an attempt that ends.',
    ],
    fails: ['A socket with anything but the calling JWT, or the state "connected" without any socket.'],
    warns: [
      'A client that takes an empty string or a number for a token, or that reads the field jwt.',
      'A state that stays "connecting" without another call of the token route, where no socket is opened: getAuthToken may have rejected.',
    ],
  },
  needs: ['client', 'signalingDouble'],
  async run(parts, judge) {
    await judgeEachFailure(
      [
        answerWith('answers 200 with an empty object', ok({})),
        answerWith('answers 200 with a null token', ok({ token: null })),
        { ...answerWith('answers 200 with an empty token', ok({ token: '' })), isAdvice: true },
        { ...answerWith('answers 200 with a numeric token', ok({ token: 42 })), isAdvice: true },
        answerWithJwtField(judge),
      ],
      parts,
      judge,
    )
  },
})

/** Puts the JWT into the field that a mint may use, and not into the backend's own. */
function answerWithJwtField(judge: Judge): Failing {
  const name = 'answers 200 with the JWT in the field jwt'
  const given = new Set<unknown>()
  return {
    name,
    async script(_, ordinary) {
      const body: unknown = JSON.parse((await ordinary()).body)
      const jwt = isRecord(body) ? body['token'] : null
      given.add(jwt)
      return ok({ jwt })
    },
    afterwards({ signaling }) {
      const attempt = signaling.attempts().find(({ credential }) => given.has(credential))
      judge.should(attempt === undefined, {
        saw: `a socket to signaling with that JWT when the backend ${name}`,
        expected: 'a response without a string "token" to be an error (4.2)',
        fix: 'Read the field token only.',
        evidence: attempt === undefined ? undefined : [attempt.exchange],
      })
    },
  }
}
