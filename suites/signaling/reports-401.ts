import { claimsOf, takenApart, withClaims } from '../../src/base/tokens/forge.ts'
import { tampered, tamperedParts } from '../../src/base/tokens/forge-tampered.ts'
import { resigned } from '../../src/base/tokens/forge-untrusted.ts'
import type { TestKey } from '../../src/base/tokens/signing-key.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CallingTokens } from '../../src/roles/backend/calling-tokens.ts'
import type { Refused } from '../../src/roles/signaling/attempt.ts'
import { isBrokenOff, type Signaling } from '../../src/roles/signaling/driver.ts'
import { fetchSignedToken, otherSigner } from './lib/fetch-signed-token.ts'
import { type Attack, type Tried, toAttacks, tryAll } from './lib/try-attacks.ts'

export default defineCheck({
  id: 'SIG-08',
  role: 'signaling',
  level: 'SHOULD',
  kind: 'positive',
  clauses: ['7.3', '5.6'],
  title: 'reports a rejected token as 401',
  why: 'A client mints again on a 401. After a generic close it retries the same rejected token until its attempts are exhausted.',
  how: {
    does: [
      'Between two controls, sends tampered tokens and, with token.signWith, an expired one.',
      'Records the responses to a missing credential and to garbage.',
    ],
    warns: ['A rejection without any of the signs that the profile lists under unauthorized.'],
    untested: ['An HTTP 401, or a close with 3000 or 4401, that the profile does not list there.'],
  },
  mints: 4,
  needs: ['callingTokens', 'signaling'],
  async run({ callingTokens, signaling, available, unknownUser }, judge) {
    const testKey = available('testKey')
    const { jwt, userId } = await callingTokens.fresh()
    const original = takenApart(jwt, userId)
    const forgeries =
      original === null ? tamperedParts(jwt, userId) : tampered(original, { otherUser: unknownUser() })
    const damaged = toAttacks(forgeries.filter(({ name }) => name.includes('byte of its')).slice(0, 3))
    const expired = testKey === undefined ? [] : await createExpiredToken(testKey, callingTokens)
    if (expired === null) judge.untested(otherSigner)
    const unreported: Unreported[] = []
    await judge.sandwich(signaling.control, async () => {
      for (const { attack, made } of await offerAll([...damaged, ...(expired ?? [])], signaling)) {
        if (made.outcome === 'accepted')
          judge.untested(`${attack.what} was accepted, so its rejection cannot be judged`)
        else if (made.outcome === 'untestable')
          judge.untested(`${attack.what} could not be sent: ${made.reason}`)
        else if (made.unreachable) judge.lost(`signaling ${made.summary}`, [made.exchange])
        else if (!made.unauthorized && isUsual401(made))
          judge.untested(
            `signaling ${made.summary} for ${attack.what}, which signaling.profile.unauthorized does not list: add it there`,
          )
        else if (made.unauthorized) judge.passed()
        else unreported.push({ attack, made })
      }
      const bare = await signaling.attempt({
        token: null,
        declaredUser: unknownUser(),
        case: 'no credential',
      })
      judge.observe('signaling.withoutCredential', { how: bare.summary, as401: bare.unauthorized })
      const garbage = await signaling.attempt({
        token: 'garbage',
        declaredUser: unknownUser(),
        case: 'garbage',
      })
      judge.observe('signaling.withGarbage', { how: garbage.summary, as401: garbage.unauthorized })
    })
    // A block rejects everyone in its own way, and the control as well.
    judgeUnreported(unreported, judge)
  },
})

interface Unreported {
  readonly attack: Attack
  readonly made: Refused
}

/** Says once for all tokens how signaling rejected them; how long a silence lasted is the suite's own patience. */
function judgeUnreported(unreported: readonly Unreported[], judge: Judge): void {
  const silent = 'stayed silent'
  const alike = Map.groupBy(unreported, ({ made: { summary } }) =>
    summary.startsWith(silent) ? silent : summary,
  )
  for (const [summary, rejections] of alike) {
    const tokens = new Intl.ListFormat('en').format(rejections.map(({ attack }) => attack.what))
    judge.should(false, {
      saw: `no 401 for ${tokens}: signaling ${summary}`,
      expected: 'a sign that the profile lists under unauthorized (7.3)',
      fix: 'Report a rejected token as 401.',
      evidence: rejections.map(({ made }) => made.exchange),
    })
  }
}

/** The status itself, or a close code that is registered for it or written like it. */
function isUsual401({ events }: Refused): boolean {
  const { type, code = 0 } = events.at(-1) ?? {}
  return (type === 'http' && code === 401) || (type === 'close' && [3000, 4401].includes(code))
}

/** Where some rejections are reported, one that is broken off more than once may still have met an overload. */
async function offerAll(attacks: readonly Attack[], signaling: Signaling): Promise<Tried[]> {
  const tried = await tryAll(attacks, signaling)
  const brokenOff = tried.filter(({ made }) => isBrokenOff(made))
  const isAnyReported = tried.some(({ made }) => made.outcome === 'refused' && made.unauthorized)
  if (brokenOff.length === 0 || !isAnyReported) return tried
  const again = await tryAll(
    brokenOff.map(({ attack }) => attack),
    signaling,
  )
  return [...tried.filter((one) => !brokenOff.includes(one)), ...again]
}

/** Empty where the token has no readable exp; null where the key cannot have signed it. */
async function createExpiredToken(key: TestKey, tokens: CallingTokens): Promise<Attack[] | null> {
  const token = await fetchSignedToken(key, tokens.fresh)
  if (token === null) return null
  const { jwt, userId } = token
  const original = takenApart(jwt, userId)
  if (original === null || typeof claimsOf(original)['exp'] !== 'number') return []
  const payload = withClaims(original, { exp: 1_000_000_000 })
  return [{ what: 'an expired token', token: await resigned(original, key, { payload }), userId }]
}
