import { defineCheck } from '../../src/requirement/define.ts'

export default defineCheck({
  id: 'MINT-03',
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
    const demand = (isMet: boolean, saw: string, expected: string, fix: string) =>
      judge.must(isMet, { saw, expected: `${expected} (1.3)`, fix, evidence: [exchange] })
    demand(
      read !== null,
      `a token of ${jwt.length} characters that is neither a compact JWS nor a compact JWE`,
      'three or five base64url parts with a JSON object as header',
      'Issue a compact JWS or JWE.',
    )
    if (read === null) return
    const { alg, typ } = read.header
    demand(
      typeof alg === 'string' && alg !== '',
      'a token header without an alg',
      'the algorithm as a string at alg',
      'State the algorithm at alg in the header of the token.',
    )
    demand(
      read.format === 'JWE' || !(/^none$/i.test(String(alg)) || jwt.endsWith('.')),
      'an unsigned token',
      'a signed or encrypted token',
      'Sign tokens, and never with alg "none".',
    )
    demand(
      read.format === 'JWE' || read.claims !== null,
      'a JWS whose payload is not a JSON object',
      'a JWT, whose payload is a JSON object with claims',
      'Sign the claims as JSON; encrypt the whole token (JWE) where they must not be readable.',
    )
    const seen = {
      Format: read.format,
      Algorithm: alg ?? null,
      Type: typ ?? null,
      Issuer: read.claims?.['iss'] ?? null,
      Audience: read.claims?.['aud'] ?? null,
      Header: Object.keys(read.header),
      Claims: read.claims === null ? 'unreadable' : Object.keys(read.claims),
    }
    for (const [name, value] of Object.entries(seen)) judge.observe(`mint.token${name}`, value)
  },
})
