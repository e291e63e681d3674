import { confused } from '../../src/base/tokens/forge-key-confusion.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { explainMissing } from '../../src/requirement/needs.ts'
import { rejectCredentials, toCredentials } from './lib/reject-credentials.ts'
import { fetchUnseen } from './lib/specimens.ts'

const fix = 'Fix the algorithm of each key and ignore alg in the header.'

/** Members of a header that carry a public key, or say where it is. */
const keyHeaders = ['jwk', 'jku', 'x5c', 'x5u']

export default defineCheck({
  id: 'SIG-22',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['1.3', '5.4'],
  basis:
    'The service issues the token: what is signed with a key that anyone can read is not issued by it (1.3).',
  title: 'rejects RS256-to-HS256 key confusion',
  why: 'A service that takes the algorithm from the header verifies an HMAC with a public key that any client can download.',
  how: {
    does: [
      'Signs the header and claims of a fresh token by HMAC with each published key (at most three) as PEM, DER, JWK and other encodings that software uses.',
    ],
    fails: ['A success sign.'],
    warns: ['A success sign that the service takes back at once.'],
    untested: [
      'Does not apply where tokens are signed with a shared secret, or no public key is published.',
      'Absent keys (jwks) that the header of the token names all the same (jwk, jku, x5c, x5u).',
    ],
  },
  mints: 3,
  needs: ['callingTokens', 'signaling'],
  async run({ callingTokens, signaling, configuration, available, optional }, judge) {
    const { original } = await fetchUnseen({ callingTokens })
    const { alg, kid } = original.header
    if (typeof alg === 'string' && alg.startsWith('HS') && available('jwks') === undefined)
      return judge.notApplicable('tokens are signed with a shared secret')
    const shown = keyHeaders.filter((name) => name in original.header)
    const { reason } = explainMissing('jwks', configuration)
    // An attacker reads the key there, whatever else is published.
    if (available('jwks') === undefined && shown.length > 0)
      return judge.untested(`${reason}; but the token's header names its public key (${shown.join(', ')})`)
    const load = optional('jwks')
    if (load === undefined) return
    const keys = (await load()).filter(({ kty }) => kty !== 'oct')
    if (keys.length === 0) return judge.notApplicable('no public key is published')
    const first = keys.toSorted((a, b) => Number(b.kid === kid) - Number(a.kid === kid)).slice(0, 3)
    const cases = first.flatMap((key) => toCredentials(confused(original, key)))
    await rejectCredentials(signaling, judge, cases, fix)
  },
})
