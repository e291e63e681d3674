import { blank } from '../../src/base/tokens/forge-zero-signature.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { rejectCredentials, toCredentials } from './lib/reject-credentials.ts'
import { fetchSpecimens } from './lib/specimens.ts'

const fix = 'Use a JWT library that checks the range of r and s.'

export default defineCheck({
  id: 'SIG-24',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['1.3', '5.4'],
  basis:
    'The token proves that the client may join as a userId: a signature without a key proves nothing (1.3).',
  title: 'rejects zero and out-of-range ECDSA signature values',
  why: 'Verification that does not check the range of r and s accepts one signature for every message and key (CVE-2022-21449).',
  how: {
    does: [
      'Adds to the header and claims of an accepted and of an unused token ECDSA signatures with r and s of 0, 1, the order of the curve or the prime of its field, raw and as DER, and signatures of all zeros and all ones.',
      'Services that use another algorithm get the same signatures as ES256.',
    ],
    fails: ['A success sign.'],
    warns: ['A success sign that the service takes back at once.'],
  },
  mints: 4,
  needs: ['callingTokens', 'signaling'],
  async run(parts, judge) {
    const originals = await fetchSpecimens(parts)
    const cases = originals.flatMap(({ original, name }) => toCredentials(blank(original), name))
    await rejectCredentials(parts.signaling, judge, cases, fix)
  },
})
