import { defineCheck } from '../../src/check/check.ts'
import type { Judge } from '../../src/check/judge.ts'
import { isRecord } from '../../src/tokens/decode.ts'
import { answering, connecting, failsOnEach, judgeDials, type Parts } from './failing-backend.ts'

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
    'must come to an end. A client that finds the JWT under the name jwt is lenient, which is a warning.',
  needs: ['client', 'signalingDouble'],
  async run(parts, judge) {
    await Promise.all([
      failsOnEach(
        [
          answering('answers 200 with an empty object', ok({})),
          answering('answers 200 with the token null', ok({ token: null })),
          answering('answers 200 with an empty token', ok({ token: '' })),
          answering('answers 200 with a number as token', ok({ token: 42 })),
        ],
        parts,
        judge,
      ),
      isStrict(parts, judge),
    ])
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

const graceSeconds = 1

/** The JWT stands where the mint might have put it, and not where the backend is to put it. */
async function isStrict({ client, configuration }: Parts, judge: Judge): Promise<void> {
  const name = 'answers 200 with the JWT under the name jwt'
  await using app = await connecting(
    client,
    async (_, ordinary) => {
      const body: unknown = JSON.parse((await ordinary()).body)
      return ok({ jwt: isRecord(body) ? body['token'] : null })
    },
    { drivenClock: false },
  )
  const dial = await app.wait(() => app.signaling.dials()[0], graceSeconds)
  judgeDials(app, name, configuration, judge)
  const { credential = null } = dial ?? {}
  judge.should(!app.issued().some(({ jwt }) => jwt === credential), {
    saw: `a socket to signaling with that JWT when the backend ${name}`,
    expected: 'an answer without the string token to be a failure',
    ...(dial === null ? {} : { evidence: [dial.exchange] }),
  })
}
