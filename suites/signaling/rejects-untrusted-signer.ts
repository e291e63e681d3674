import { hourSeconds } from '../../src/base/times.ts'
import { claimsOf } from '../../src/base/tokens/forge.ts'
import { createUntrustedSigner, forgeByGuess, forgeUntrusted } from '../../src/base/tokens/forge-untrusted.ts'
import { attack } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { offering, rejectCredentials, sawSuccess, toCredentials } from './lib/reject-credentials.ts'
import { changeClaims, type Resigned, resignTokens } from './lib/resign.ts'
import { fetchSpecimens } from './lib/specimens.ts'

/** Correctly signed tokens with one property that a strict service rejects. */
const invalidClaims: Readonly<Record<string, Resigned['change']>> = {
  'without exp': changeClaims(() => ({ exp: undefined })),
  'with exp as a string': changeClaims(({ exp }) => ({ exp: String(exp) })),
  'with exp of 1e99': changeClaims(() => ({ exp: 1e99 })),
  'with nbf an hour in the future': changeClaims(({ exp }) => ({ nbf: Number(exp) + hourSeconds })),
  'with an unknown critical header parameter': () => ({
    header: { crit: ['x-twotoken'], 'x-twotoken': true },
  }),
}
/** The same where no rule applies: the outcome is only recorded. */
const oddClaims: Readonly<Record<string, Resigned['change']>> = {
  'with exp between two seconds': changeClaims(({ exp }) => ({ exp: Number(exp) + 0.5 })),
  'with exp twice, first past and then ahead': ({ payload }) => ({
    payload: Buffer.from(Buffer.from(payload).toString().replace('{', '{"exp":1,')),
  }),
  'with 16 kB of padding in a claim': changeClaims(() => ({ padding: 'x'.repeat(16_384) })),
}

const fix = "Verify the signature with the mint's keys only."

const guessFix = 'Accept the algorithms of the published keys only: no HMAC beside them.'

export default defineCheck({
  id: 'SIG-25',
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
  mints: 17,
  needs: ['callingTokens', 'signaling'],
  async run(parts, judge) {
    const { signaling, available } = parts
    const originals = await fetchSpecimens(parts)
    const signer = await createUntrustedSigner(originals[0]?.original.header['alg'])
    const forgeries = originals.map(async ({ original, name }) =>
      toCredentials(await forgeUntrusted(original, signer), name),
    )
    await rejectCredentials(signaling, judge, (await Promise.all(forgeries)).flat(), fix)
    const [first] = originals
    // Keys that the service itself signs with belong to another requirement: SIG-29 looks for them offline.
    if (first !== undefined && !String(first.original.header['alg']).startsWith('HS')) {
      const guessed = forgeByGuess(first.original, claimsOf(first.original))
      await rejectCredentials(signaling, judge, toCredentials(guessed, first.name), guessFix)
    }
    const testKey = available('testKey')
    if (testKey === undefined) return judge.observe('oddities', 'not tried: needs token.signWith')
    const cases = await resignTokens(parts, testKey, judge, (specimen) =>
      typeof claimsOf(specimen)['exp'] === 'number'
        ? Object.entries({ ...invalidClaims, ...oddClaims }).map(([name, change]) => ({ name, change }))
        : [],
    )
    if (cases.length === 0)
      return judge.observe('oddities', 'not tried: the calling token has no readable exp')
    await attack(judge, {
      ...offering(signaling, cases),
      of: 'for a correctly signed token',
      breaches: {
        level: 'advisory',
        saw: (seen, { name }) => (name in invalidClaims ? sawSuccess(seen) : null),
        expected: 'a rejection',
        fix: 'Validate the types of exp and nbf, and reject unknown crit parameters.',
      },
      judgeAll(tried) {
        for (const { one, seen } of tried)
          if (one.name in oddClaims) judge.observe(`token ${one.name}`, seen.made.outcome)
      },
    })
  },
})
