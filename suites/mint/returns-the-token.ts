import { ControlLost } from '../../src/base/inconclusive.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { jsonAnswer } from './lib/variant-answers.ts'

export default defineCheck({
  id: 'MINT-02',
  role: 'mint',
  level: 'MUST',
  kind: 'positive',
  clauses: ['4.1'],
  basis: 'The success carries the calling JWT as a string (4.1).',
  title: 'returns the calling JWT in the success body',
  why: 'Without a token that the backend can locate in the response, the app cannot connect to signaling.',
  how: {
    does: [
      'Looks for the JWT at token.field where that is configured, otherwise at "token", at "jwt", as the whole body, and as the only JWT-shaped string in the body.',
      'Where the JWT was found is recorded.',
    ],
    fails: ['A body without a JWT.'],
    untested: ['Several candidates, until token.field is set.'],
  },
  mints: 1,
  needs: ['mint'],
  async run({ mint }, judge) {
    const reply = await mint.request({ followRedirects: true })
    if (reply.kind === 'no-answer') throw new ControlLost(`the mint ${reply.message}`, [reply.exchange])
    if (reply.status < 200 || reply.status > 299)
      throw new ControlLost(`the mint answered ${reply.status} to a valid request`, [reply.exchange])
    const located = mint.locate(reply)
    if (located.kind === 'ambiguous') {
      judge.untested(`several JWTs in the response body (${located.candidates.join(', ')}): set token.field`)
      return
    }
    const isFound = judge.must(located.kind === 'found', {
      saw: `status ${reply.status} and a body without a JWT`,
      expected: 'the calling JWT in the body (4.1)',
      fix: 'Return { "token": "<calling JWT>" }.',
      evidence: [reply.exchange],
    })
    if (!isFound || located.kind !== 'found') return
    judge.must(readToken(located.token) !== null, {
      saw: `a string of ${located.token.length} characters at ${located.at} that is not a JWT`,
      expected: 'the calling JWT (4.1)',
      fix: 'Return the compact JWT itself, not an id or an encoded form of it.',
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
