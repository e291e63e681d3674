import { isRecord } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import { answerWith, type Failing, judgeEachFailure } from './judge-failing-backend.ts'

const ok = (body: unknown) => ({ status: 200, body: JSON.stringify(body) })

export default defineCheck({
  id: 'CLI-05',
  role: 'client',
  level: 'MUST',
  clauses: ['4.2'],
  title: 'fails when a success of its backend holds no token',
  why: 'A word such as "undefined" in the token’s place is offered to signaling as if it were one, and refused for ever.',
  how:
    'A user connects while the token route answers 200 with an empty object, with the token null, empty or a ' +
    'number, or with the JWT under another name. No socket may be opened without a calling JWT, and the attempt ' +
    'must come to an end. A client that takes an empty text for a token is careless, and one that finds the JWT under ' +
    'the name jwt is lenient: both are warnings.',
  needs: ['client', 'signalingDouble'],
  async run(parts, judge) {
    await judgeEachFailure(
      [
        answerWith('answers 200 with an empty object', ok({})),
        answerWith('answers 200 with the token null', ok({ token: null })),
        { ...answerWith('answers 200 with an empty token', ok({ token: '' })), isAdvice: true },
        answerWith('answers 200 with a number as token', ok({ token: 42 })),
        misplaced(judge),
      ],
      parts,
      judge,
    )
  },
  catches: {
    'undefined sent as token': { client: { variant: 'shape of the answer unchecked' } },
    'an empty token': { client: { variant: 'empty token where there is none' } },
    'null sent as token': { client: { variant: 'null as token when the backend fails' } },
    'waits for ever': {
      client: { variant: 'waits for a token that does not come' },
      configuration: { limits: { clientSettleSeconds: 5 } },
    },
    'a program that sends undefined': {
      client: { form: 'program', variant: 'shape of the answer unchecked' },
    },
    'takes the field jwt': { client: { variant: 'token taken from the field jwt' }, as: 'warn' },
  },
})

/** The JWT stands where the mint might have put it, and not where the backend is to put it. */
function misplaced(judge: Judge): Failing {
  const name = 'answers 200 with the JWT under the name jwt'
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
      const dial = signaling.dials().find(({ credential }) => given.has(credential))
      judge.should(dial === undefined, {
        saw: `a socket to signaling with that JWT when the backend ${name}`,
        expected: 'an answer without the string token to be a failure',
        ...(dial === undefined ? {} : { evidence: [dial.exchange] }),
      })
    },
  }
}
