import { defineCheck } from '../../src/check/check.ts'
import { secretIn } from '../../src/evidence/holds-secret.ts'

export default defineCheck({
  id: 'CLI-01',
  role: 'client',
  level: 'MUST',
  clauses: ['2.3', '5.3'],
  title: 'asks its backend with the session as bearer',
  why: 'The bearer header is where the customer’s auth looks, and the one place that logs and caches leave out.',
  how:
    'A user signs in and connects. The call of the token route must carry Authorization: Bearer with the ' +
    'sessionToken, and the sessionToken nowhere else in the request: not in its URL, its body or another header.',
  needs: ['client'],
  async run({ client }, judge) {
    await using app = await client.open()
    const { sessionToken } = await app.signIn()
    await app.connect()
    const call = await app.backendAsked()
    const evidence = [call.exchange]
    judge.must(call.bearer !== null && (sessionToken === null || call.bearer === sessionToken), {
      saw:
        call.bearer === null
          ? 'a call of the token route without a bearer'
          : 'another bearer than the session',
      expected: 'Authorization: Bearer <sessionToken>',
      evidence,
    })
    const session = sessionToken ?? call.bearer
    if (session === null) return
    const rest = [call.url, ...call.headers.filter(([name]) => name !== 'authorization').flat(), call.body]
    judge.must(secretIn(rest.join('\n'), session) === null, {
      saw: 'the sessionToken in the URL, the body or a further header of the call',
      expected: 'it in the Authorization header alone',
      evidence,
    })
  },
  catches: {},
})
