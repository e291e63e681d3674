import { defineCheck } from '../../src/requirement/define.ts'

export default defineCheck({
  id: 'MINT-03',
  role: 'mint',
  level: 'MUST',
  kind: 'positive',
  clauses: ['1.3'],
  basis: 'What the service issues is a JWT (1.3).',
  title: 'issues a signed or encrypted compact JWT',
  why: 'Signaling receives the token from a client it does not trust, so the token must be in a form that signaling can verify.',
  how: {
    does: [
      'Requests one token.',
      'Expects a compact JWS (three parts) or JWE (five parts) whose header is a JSON object with an alg, and of a JWS the payload as well.',
      "The algorithm, the issuer and the claim names are recorded; `twotoken audit --like results.json` recognises the mint's tokens by them.",
    ],
    fails: ['An unsigned token (alg "none", or an empty signature).'],
  },
  mints: 1,
  needs: ['mint'],
  async run({ mint, newUser }, judge) {
    const { jwt, read, exchange } = await mint.token(newUser())
    const evidence = [exchange]
    judge.must(read !== null, {
      saw: `a token of ${jwt.length} characters that is neither a compact JWS nor a compact JWE`,
      expected: 'three or five base64url parts with a JSON object as header (1.3)',
      fix: 'Issue a compact JWS or JWE.',
      evidence,
    })
    if (read === null) return
    const { alg } = read.header
    judge.must(typeof alg === 'string' && alg !== '', {
      saw: 'a token header without an alg',
      expected: 'the algorithm as a string at alg (1.3)',
      fix: 'State the algorithm at alg in the header of the token.',
      evidence,
    })
    const isUnsigned = read.format === 'JWS' && (/^none$/i.test(String(alg)) || jwt.endsWith('.'))
    judge.must(!isUnsigned, {
      saw: 'an unsigned token',
      expected: 'a signed or encrypted token (1.3)',
      fix: 'Sign tokens, and never with alg "none".',
      evidence,
    })
    judge.must(read.format === 'JWE' || read.claims !== null, {
      saw: 'a JWS whose payload is not a JSON object',
      expected: 'a JWT, whose payload is a JSON object with claims (1.3)',
      fix: 'Sign the claims as JSON; encrypt the whole token (JWE) where they must not be readable.',
      evidence,
    })
    judge.observe('mint.tokenFormat', read.format)
    judge.observe('mint.tokenAlgorithm', alg ?? null)
    judge.observe('mint.tokenType', read.header['typ'] ?? null)
    judge.observe('mint.tokenIssuer', read.claims?.['iss'] ?? null)
    judge.observe('mint.tokenAudience', read.claims?.['aud'] ?? null)
    judge.observe('mint.tokenHeader', Object.keys(read.header))
    judge.observe('mint.tokenClaims', read.claims === null ? 'unreadable' : Object.keys(read.claims))
  },
})
