import { daySeconds } from '../../src/base/times.ts'
import { claimsOf, type Original } from '../../src/base/tokens/forge.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { changeClaims, openResignedOffers, type Resigned } from './lib/offer-resigned.ts'

/** A change to what a token says of its purpose, with where its original says it. */
interface Misuse extends Resigned {
  readonly of: 'aud' | 'iss' | 'typ' | 'iat'
}

const misuses: readonly Misuse[] = [
  {
    of: 'aud',
    name: 'for another audience',
    change: (original) => changeClaims(original, { aud: 'https://other.example' }),
  },
  {
    of: 'aud',
    name: 'for several other audiences',
    change: (original) => changeClaims(original, { aud: ['https://other.example', 'login'] }),
  },
  {
    of: 'iss',
    name: 'of another issuer',
    change: (original) => changeClaims(original, { iss: 'https://issuer.example' }),
  },
  {
    of: 'iss',
    name: 'of an issuer whose name only begins like its own',
    change: (original) => changeClaims(original, { iss: `${claimsOf(original)['iss']}.example` }),
  },
  { of: 'typ', name: 'of another type', change: () => ({ header: { typ: 'logout+jwt' } }) },
  {
    of: 'iat',
    name: 'issued a day ahead of time',
    change: (original) => {
      const { iat, exp } = claimsOf(original)
      return changeClaims(original, {
        iat: later(iat),
        exp: typeof exp === 'number' ? later(exp) : undefined,
      })
    },
  },
]

export default defineCheck({
  id: 'SIG-28',
  role: 'signaling',
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
  async run({ callingTokens, signaling, testKey }, judge) {
    const unreadable = 'the calling token has no readable aud, iss, typ or iat'
    const opened = await openResignedOffers(
      { callingTokens, signaling, key: testKey, isSuitable: () => true },
      judge,
      () => judge.onlyObserved(unreadable),
    )
    if (opened === null) return
    const stated = listStated(opened.specimen)
    judge.observe('signaling.statedPurpose', stated)
    if (stated.length === 0) return judge.onlyObserved(unreadable)
    await judge.sandwich(signaling.control, async () => {
      const tried = await Promise.all(
        misuses
          .filter(({ of }) => stated.includes(of))
          .map(async (misuse) => ({ misuse, made: await opened.offer(misuse) })),
      )
      for (const { misuse, made } of tried)
        if (made === null) judge.untested(`no token ${misuse.name} could be signed`)
        else
          judge.advisory(made.outcome !== 'accepted', {
            case: `a token ${misuse.name}`,
            saw: `a correctly signed token ${misuse.name} accepted`,
            expected: 'a rejection',
            fix: `Validate ${misuse.of} on every connection.`,
            evidence: [made.exchange],
          })
    })
  },
})

function listStated(original: Original): Misuse['of'][] {
  const { aud, iss, iat } = claimsOf(original)
  return [
    ...(aud === undefined ? [] : ['aud' as const]),
    ...(typeof iss === 'string' ? ['iss' as const] : []),
    ...(original.header['typ'] === undefined ? [] : ['typ' as const]),
    ...(typeof iat === 'number' ? ['iat' as const] : []),
  ]
}

function later(seconds: unknown): number {
  return Number(seconds) + daySeconds
}
