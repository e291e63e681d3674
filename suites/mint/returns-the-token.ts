import { ControlLost } from '../../src/base/inconclusive.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'

export default defineCheck({
  id: 'MINT-02',
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
    if (located.kind === 'ambiguous')
      return judge.untested(
        `several JWTs in the response body (${located.candidates.join(', ')}): set token.field`,
      )
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
})
