import { daySeconds } from '../../src/base/times.ts'
import { claimsOf, type Original } from '../../src/base/tokens/forge.ts'
import { attack } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { offering } from './lib/reject-credentials.ts'
import { changeClaims, type Resigned, resignTokens } from './lib/resign.ts'

type Purpose = 'aud' | 'iss' | 'typ' | 'iat'

const other = 'https://other.example'
/** Changes to what a token says of its purpose, by where its original says it. */
const misuses: readonly (readonly [of: Purpose, name: string, change: Resigned['change']])[] = [
  ['aud', 'a token for another audience', changeClaims(() => ({ aud: other }))],
  ['aud', 'a token for several other audiences', changeClaims(() => ({ aud: [other, 'login'] }))],
  ['iss', 'a token of another issuer', changeClaims(() => ({ iss: other }))],
  [
    'iss',
    'a token of an issuer whose name only begins like its own',
    changeClaims(({ iss }) => ({ iss: `${iss}.example` })),
  ],
  ['typ', 'a token of another type', () => ({ header: { typ: 'logout+jwt' } })],
  [
    'iat',
    'a token issued a day ahead of time',
    changeClaims(({ iat, exp }) => ({
      iat: Number(iat) + daySeconds,
      exp: typeof exp === 'number' ? exp + daySeconds : undefined,
    })),
  ],
]

export default defineCheck({
  id: 'SIG-28',
  level: 'ADVISORY',
  kind: 'rejects',
  clauses: ['5.4'],
  title: 'rejects tokens of another audience, issuer or type',
  why: 'A mint may sign other tokens with the same key: without these checks, each of them joins calls.',
  how: {
    does: [
      'Signs fresh calling tokens again with token.signWith, unchanged as the control, then with another aud, iss or typ, or with iat a day ahead.',
      'Only what the calling token itself states is changed.',
    ],
    warns: ['A success sign.'],
  },
  mints: 10,
  needs: ['callingTokens', 'signaling', 'testKey'],
  async run(parts, judge) {
    const { signaling, testKey } = parts
    const cases = await resignTokens(parts, testKey, judge, (specimen) => {
      const stated = listStated(specimen)
      judge.observe('signaling.statedPurpose', stated)
      return misuses.filter(([of]) => stated.includes(of)).map(([of, name, change]) => ({ of, name, change }))
    })
    if (cases.length === 0)
      return judge.onlyObserved('the calling token has no readable aud, iss, typ or iat')
    await attack(judge, {
      ...offering(signaling, cases),
      breaches: {
        level: 'advisory',
        saw: ({ made }) => (made.outcome === 'accepted' ? 'a success sign, correctly signed,' : null),
        expected: 'a rejection',
        fix: (some) =>
          `Validate ${[...new Set(some.map(({ of }) => of))].join(' and ')} on every connection.`,
      },
    })
  },
})

function listStated(original: Original): Purpose[] {
  const { aud, iss, iat } = claimsOf(original)
  const stated = {
    aud: aud !== undefined,
    iss: typeof iss === 'string',
    typ: original.header['typ'] !== undefined,
    iat: typeof iat === 'number',
  }
  return (['aud', 'iss', 'typ', 'iat'] as const).filter((name) => stated[name])
}
