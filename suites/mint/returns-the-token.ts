import { ControlLost } from '../../src/base/inconclusive.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { jsonAnswer } from './variant-answers.ts'

export default defineCheck({
  id: 'MINT-02',
  role: 'mint',
  level: 'MUST',
  clauses: ['4.1'],
  title: 'carries the calling JWT in the body of a success',
  why: 'A success without a token that a backend can find leaves the app with nothing to join with.',
  how: 'The JWT is looked for at token.field where that is configured; else at "token", at "jwt", as the whole body, and as the only string anywhere in the body that reads as a JWT. A body without one is a failure. Where it was found is recorded; several candidates need token.field.',
  mints: 1,
  needs: ['mint'],
  async run({ mint }, judge) {
    const reply = await mint.request({ followRedirects: true })
    if (reply.kind === 'no-answer') throw new ControlLost(`the mint ${reply.message}`, [reply.exchange])
    if (reply.status < 200 || reply.status > 299)
      throw new ControlLost(`the mint answered ${reply.status} to an ordinary request`, [reply.exchange])
    const located = mint.locate(reply)
    if (located.kind === 'ambiguous') {
      judge.untested(
        `several JWTs in the body (${located.candidates.join(', ')}): say which one with token.field`,
      )
      return
    }
    const isFound = judge.must(located.kind === 'found', {
      saw: 'a success whose body holds no token',
      expected: 'the calling JWT at "token", at "jwt", as the whole body, or as the only JWT in it',
      evidence: [reply.exchange],
    })
    if (!isFound || located.kind !== 'found') return
    judge.must(readToken(located.token) !== null, {
      saw: `a string of ${located.token.length} characters at ${located.at} that is no JWT`,
      expected: 'the calling JWT',
      evidence: [reply.exchange],
    })
    judge.observe('mint.tokenField', located.at)
  },
  catches: {
    'answers an opaque id': { mint: { token: () => `tok_${crypto.randomUUID()}` } },
    'answers a reference to the token': {
      mint: { success: () => jsonAnswer({ id: crypto.randomUUID(), status: 'created' }) },
    },
    'answers a success without a token': { mint: { success: (_, { userId }) => jsonAnswer({ userId }) } },
    'answers null as the token': { mint: { success: () => jsonAnswer({ token: null }) } },
    'answers an empty token': { mint: { success: () => jsonAnswer({ token: '' }) } },
    'answers an empty body': { mint: { success: () => jsonAnswer({}) } },
    'answers the word undefined': { mint: { success: () => jsonAnswer({ token: 'undefined' }) } },
    'answers an error with a success status': {
      mint: { success: () => jsonAnswer({ error: { code: 'internal', message: 'try again' } }) },
    },
    'puts the scheme before the token': {
      mint: { success: (token) => jsonAnswer({ token: `Bearer ${token}` }) },
    },
  },
})
