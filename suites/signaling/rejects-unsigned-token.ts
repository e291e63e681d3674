import { unsigned } from '../../src/base/tokens/forge-unsigned.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { rejectCredentials, toCredentials } from './lib/reject-credentials.ts'
import { fetchSpecimens } from './lib/specimens.ts'

const fix = 'Require a signature by a fixed list of algorithms without "none".'

export default defineCheck({
  id: 'SIG-20',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['1.3', '5.4'],
  basis: 'The token proves that the client may join as a userId: what anyone can write proves nothing (1.3).',
  title: 'rejects unsigned tokens',
  why: 'Only its signature proves that a token comes from the mint: without one, any client can write a token for any user.',
  how: {
    does: [
      'Keeps the header and claims of an accepted and of an unused token and removes the signature: alg "none" in several spellings, no alg, an empty, stripped or zeroed signature, and HMAC with an empty key.',
      'For encrypted tokens, tries the same with a made-up JWS.',
    ],
    fails: ['A success sign for any other token.'],
    warns: ['A success sign that the service takes back at once.'],
  },
  mints: 4,
  needs: ['callingTokens', 'signaling'],
  async run(parts, judge) {
    const originals = await fetchSpecimens(parts)
    const cases = originals.flatMap(({ original, name }) => toCredentials(unsigned(original), name))
    await rejectCredentials(parts.signaling, judge, cases, fix)
  },
})
