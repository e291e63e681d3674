import { compactVerify, importJWK } from 'jose'
import { claimsOf, encodedJson, type Original, takenApart } from '../../src/base/tokens/forge.ts'
import { type Change, createStranger, resigned, strange } from '../../src/base/tokens/forge-untrusted.ts'
import type { TestKey } from '../../src/base/tokens/signing-key.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { PartsOf } from '../../src/requirement/needs.ts'
import type { Attempt } from '../../src/roles/signaling/attempt.ts'
import { fetchSignedToken, otherSigner } from './fetch-signed-token.ts'
import { fetchSpecimens, mustReject, toAttacks } from './try-attacks.ts'

type Parts = PartsOf<'callingTokens' | 'signaling'>

/** A well-signed token with one thing about it that a careful service does not take. */
interface Oddity {
  readonly name: string
  /** Where the field has no rule the outcome is recorded only. */
  readonly isOnlyObserved?: true
  change(original: Original): Change
}

const hourSeconds = 3600

const oddities: readonly Oddity[] = [
  { name: 'without exp', change: (original) => claims(original, { exp: undefined }) },
  { name: 'with exp as text', change: (original) => claims(original, { exp: String(expOf(original)) }) },
  { name: 'with exp of 1e99', change: (original) => claims(original, { exp: 1e99 }) },
  {
    name: 'with nbf an hour ahead',
    change: (original) => claims(original, { nbf: expOf(original) + hourSeconds }),
  },
  {
    name: 'with an unknown critical header parameter',
    change: () => ({ header: { crit: ['x-twotoken'], 'x-twotoken': true } }),
  },
  {
    name: 'with exp between two seconds',
    isOnlyObserved: true,
    change: (original) => claims(original, { exp: expOf(original) + 0.5 }),
  },
  {
    name: 'with exp twice, first past and then ahead',
    isOnlyObserved: true,
    change: (original) => {
      const text = JSON.stringify(claimsOf(original))
      return { payload: Buffer.from(text.replace('{', '{"exp":1,')) }
    },
  },
  {
    name: 'with 16 kB of padding in a claim',
    isOnlyObserved: true,
    change: (original) => claims(original, { padding: 'x'.repeat(16_384) }),
  },
]

export default defineCheck({
  id: 'SIG-25',
  role: 'signaling',
  level: 'MUST',
  clauses: ['1.3', '5.4'],
  title: 'refuses what a stranger has signed, and odd claims under a good signature',
  why: 'A signature proves the mint only where the key is the mint’s; times only count where they are really read.',
  how:
    'A stranger signs the header and claims of an accepted and of an unused token, under its kid, an unknown one and ' +
    'none; all must be refused between two controls. With token.signWith, well-signed tokens without exp, with exp as ' +
    'text or beyond every date, with nbf ahead or an unknown crit are offered: accepting one warns. Without it, ' +
    'nothing of this is tried.',
  mints: 14,
  needs: ['callingTokens', 'signaling'],
  async run(parts, judge) {
    const { callingTokens, signaling, available } = parts
    await judge.sandwich(signaling.control, async () => {
      const originals = await fetchSpecimens(callingTokens, signaling)
      const stranger = await createStranger(originals[0]?.original.header['alg'])
      for (const { original, name } of originals)
        await mustReject(toAttacks(await strange(original, stranger), name), signaling, judge)
    })
    const testKey = available('testKey')
    if (testKey === undefined) judge.observe('oddities', 'not tried: needs token.signWith')
    else await tryOddities(parts, testKey, judge)
  },
  catches: {
    'accepts the signature of any key': { signaling: { signatureHolds: () => true } },
    'accepts any signature under an unknown key id': {
      signaling: {
        signatureHolds: ({ header }, trust, usual) =>
          header['kid'] === undefined ? usual() : trust.key(header).then(usual, () => true),
      },
    },
    'accepts any signature without a key id': {
      signaling: { signatureHolds: ({ header }, _, usual) => header['kid'] === undefined || usual() },
    },
    'accepts any signature under a known key id': {
      signaling: {
        async signatureHolds({ header }, trust, usual) {
          return header['kid'] === (await trust.publicJwk()).kid || usual()
        },
      },
    },
    'remembers users whom it has verified': {
      signaling: {
        verdictKey: (credential) =>
          /"sub":"[^"]*"/.exec(Buffer.from(credential.split('.')[1] ?? '', 'base64url').toString())?.[0] ??
          null,
      },
    },
    'takes a token without exp': {
      signaling: {
        expiryOf: ({ exp }) =>
          typeof exp === 'number' ? Math.min(exp, 4e9) : exp === undefined ? null : undefined,
      },
      as: 'warn',
    },
    'takes exp as text for one that never ends': {
      signaling: {
        expiryOf: ({ exp }) =>
          typeof exp === 'string' ? null : typeof exp === 'number' && exp < 1e12 ? exp : undefined,
      },
      as: 'warn',
    },
    'takes exp beyond every date': {
      signaling: { expiryOf: ({ exp }) => (typeof exp === 'number' ? exp : undefined) },
      as: 'warn',
    },
    'does not look at nbf': { signaling: { notBeforeOf: () => 0 }, as: 'warn' },
    'ignores what is critical': {
      signaling: {
        async signatureHolds({ header, token }, trust, usual) {
          if (header['crit'] === undefined) return usual()
          const key = await importJWK(await trust.publicJwk(), String(header['alg']))
          return compactVerify(token, key, { crit: { 'x-twotoken': true } }).then(() => true)
        },
      },
      as: 'warn',
    },
  },
})

async function tryOddities({ callingTokens, signaling }: Parts, key: TestKey, judge: Judge): Promise<void> {
  const signed = () => fetchSignedToken(key, callingTokens.fresh)
  if ((await signed()) === null) return judge.untested(otherSigner)
  const offered = async (change: Oddity['change']): Promise<Attempt | null> => {
    const specimen = await signed()
    if (specimen === null) return null
    const { jwt, userId } = specimen
    const original = takenApart(jwt, userId)
    if (original === null || typeof claimsOf(original)['exp'] !== 'number') return null
    const token = await resigned(original, key, change(original))
    return await signaling.attempt({ token, declaredUser: userId })
  }
  const control = await offered(() => ({}))
  if (control === null) return judge.observe('oddities', 'not tried: the calling token shows no exp')
  if (control.outcome !== 'accepted')
    return judge.lost(
      `control failed: a token signed with token.signWith was not accepted: signaling ${control.summary}`,
      [control.exchange],
    )
  const tried = await Promise.all(
    oddities.map(async ({ change, ...oddity }) => ({ ...oddity, made: await offered(change) })),
  )
  for (const { name, isOnlyObserved, made } of tried) {
    if (made === null || isOnlyObserved === true) judge.observe(`token ${name}`, made?.outcome ?? 'not tried')
    else
      judge.advisory(made.outcome !== 'accepted', {
        saw: `a well-signed token ${name} accepted`,
        expected: 'a refusal',
        evidence: [made.exchange],
      })
  }
}

function claims(original: Original, changed: Readonly<Record<string, unknown>>): Change {
  return { payload: encodedJson({ ...claimsOf(original), ...changed }) }
}

function expOf(original: Original): number {
  return Number(claimsOf(original)['exp'])
}
