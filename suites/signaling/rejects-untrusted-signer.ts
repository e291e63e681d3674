import { hourSeconds } from '../../src/base/times.ts'
import { claimsOf, type Original } from '../../src/base/tokens/forge.ts'
import { createUntrustedSigner, forgeByGuess, forgeUntrusted } from '../../src/base/tokens/forge-untrusted.ts'
import type { TestKey } from '../../src/base/tokens/signing-key.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import { changeClaims, openResignedOffers, type Resigned } from './lib/offer-resigned.ts'
import { fetchSpecimens, mustReject, type Rule, toAttacks } from './lib/try-attacks.ts'

type Parts = CheckContext<'callingTokens' | 'signaling'>

/** A correctly signed token with one property that a strict service rejects. */
interface InvalidClaim extends Resigned {
  /** Where no rule applies, the outcome is only recorded. */
  readonly isOnlyObserved?: true
}

const invalidClaims: readonly InvalidClaim[] = [
  { name: 'without exp', change: (original) => changeClaims(original, { exp: undefined }) },
  {
    name: 'with exp as a string',
    change: (original) => changeClaims(original, { exp: String(expOf(original)) }),
  },
  { name: 'with exp of 1e99', change: (original) => changeClaims(original, { exp: 1e99 }) },
  {
    name: 'with nbf an hour in the future',
    change: (original) => changeClaims(original, { nbf: expOf(original) + hourSeconds }),
  },
  {
    name: 'with an unknown critical header parameter',
    change: () => ({ header: { crit: ['x-twotoken'], 'x-twotoken': true } }),
  },
  {
    name: 'with exp between two seconds',
    isOnlyObserved: true,
    change: (original) => changeClaims(original, { exp: expOf(original) + 0.5 }),
  },
  {
    name: 'with exp twice, first past and then ahead',
    isOnlyObserved: true,
    change: (original) => {
      const text = Buffer.from(original.payload).toString()
      return { payload: Buffer.from(text.replace('{', '{"exp":1,')) }
    },
  },
  {
    name: 'with 16 kB of padding in a claim',
    isOnlyObserved: true,
    change: (original) => changeClaims(original, { padding: 'x'.repeat(16_384) }),
  },
]

const rule: Rule = { clause: '1.3', fix: "Verify the signature with the mint's keys only." }

const guessRule: Rule = {
  clause: '1.3',
  fix: 'Accept the algorithms of the published keys only: no HMAC beside them.',
}

export default defineCheck({
  id: 'SIG-25',
  role: 'signaling',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['1.3', '5.4'],
  basis: 'The service issues the token: what another has signed is not issued by it (1.3).',
  title: 'rejects untrusted signers and invalid claims',
  why: "A signature proves the issuer only if the key is the mint's, and time claims protect only if they are validated.",
  how: {
    does: [
      'Signs the header and claims of an accepted and of an unused token with an untrusted key, under the known kid, an unknown kid and none, and, unless tokens are signed with a shared secret, by HMAC with common secrets and with the values of iss, aud and kid.',
      'With token.signWith, sends correctly signed tokens without exp, with exp as a string or beyond every date, with nbf in the future or with an unknown crit.',
    ],
    fails: ['A success sign.'],
    warns: ['A success sign that the service takes back at once.', 'A success sign for one of these.'],
    untested: ['The correctly signed tokens, without token.signWith.'],
  },
  mints: 14,
  needs: ['callingTokens', 'signaling'],
  async run(parts, judge) {
    const { callingTokens, signaling, available } = parts
    await judge.sandwich(signaling.control, async () => {
      const originals = await fetchSpecimens(callingTokens, signaling)
      const signer = await createUntrustedSigner(originals[0]?.original.header['alg'])
      for (const { original, name } of originals)
        await mustReject(toAttacks(await forgeUntrusted(original, signer), name), signaling, judge, rule)
      const [first] = originals
      // Keys that the service itself signs with belong to another requirement: SIG-29 looks for them offline.
      if (first === undefined || String(first.original.header['alg']).startsWith('HS')) return
      const guessed = forgeByGuess(first.original, claimsOf(first.original))
      await mustReject(toAttacks(guessed, first.name), signaling, judge, guessRule)
    })
    const testKey = available('testKey')
    if (testKey === undefined) judge.observe('oddities', 'not tried: needs token.signWith')
    else await tryInvalidClaims(parts, testKey, judge)
  },
})

async function tryInvalidClaims(
  { callingTokens, signaling }: Parts,
  key: TestKey,
  judge: Judge,
): Promise<void> {
  const opened = await openResignedOffers(
    { callingTokens, signaling, key, isSuitable: ({ exp }) => typeof exp === 'number' },
    judge,
    () => judge.observe('oddities', 'not tried: the calling token has no readable exp'),
  )
  if (opened === null) return
  const tried = await Promise.all(
    invalidClaims.map(async (claim) => ({ ...claim, made: await opened.offer(claim) })),
  )
  for (const { name, isOnlyObserved, made } of tried) {
    if (made === null || isOnlyObserved === true) judge.observe(`token ${name}`, made?.outcome ?? 'not tried')
    else
      judge.advisory(made.outcome !== 'accepted', {
        case: `a token ${name}`,
        saw: `a correctly signed token ${name} accepted`,
        expected: 'a rejection',
        fix: 'Validate the types of exp and nbf, and reject unknown crit parameters.',
        evidence: [made.exchange],
      })
  }
}

function expOf(original: Original): number {
  return Number(claimsOf(original)['exp'])
}
