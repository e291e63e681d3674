import { rawForgeries, rawMixtures, rawSpellings } from '../../src/base/tokens/forge-raw.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { Signaling } from '../../src/roles/signaling/driver.ts'
import { findOwnUserPaths, type Joined, readNamedUser } from '../../src/roles/signaling/named-user.ts'
import {
  type Attack,
  fetchUnseen,
  hasExpiredOnTheWay,
  mustReject,
  type Rule,
  toAttacks,
  tryAll,
} from './lib/try-attacks.ts'

const rule: Rule = {
  clause: '1.3',
  fix: 'Parse a token once, as exactly three parts of base64url, reject a header that names a parameter twice or has crit, and read claims only from the bytes that were verified.',
}

export default defineCheck({
  id: 'SIG-34',
  role: 'signaling',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['1.3', '5.4'],
  basis: 'The token proves that the client may join as a userId: claims beside it prove nothing (1.3).',
  standards: ['RFC 8725, 3.10', 'RFC 8725, 2.6', 'OWASP ASVS 5.0, 9.1.1'],
  title: 'reads signed claims only, however a token is written',
  why: 'Where one parser verifies a token and another reads it, a form that both understand differently lets a client write its own claims.',
  how: {
    does: [
      "Between two controls, offers another user's claims that no key has signed: with alg or kid twice in the header, with b64 or crit in it, and as JSON with no signatures or with two payloads.",
      'Puts such claims beside a genuine token: before and behind it, separated by a dot, comma, blank, tilde, zero byte or line feed, as a fourth or fifth part, and behind padding.',
      'Offers genuine tokens in other letters (padding, the standard alphabet, blanks, quotes, JSON) and records which are accepted: the claims in them are signed.',
      'A form that the profile cannot carry is left out.',
    ],
    fails: [
      'A success sign for claims that no key has signed.',
      'A success sign for a genuine token beside forged claims, where signaling names the forged user or the declared user decides.',
    ],
    warns: ['A success sign that the service takes back at once.'],
  },
  mints: 8,
  needs: ['callingTokens', 'signaling'],
  async run({ callingTokens, signaling, unknownUser }, judge) {
    const join = async (): Promise<Joined> => {
      const token = await callingTokens.fresh()
      return { made: await signaling.accepted(token), userId: token.userId }
    }
    // One after the other: what names the own user here must do so among others as well.
    const paths = findOwnUserPaths([await join(), await join()])
    const { jwt, original } = await fetchUnseen(callingTokens)
    const otherUser = unknownUser()
    await judge.sandwich(signaling.control, async () => {
      const forgeries = toAttacks(rawForgeries(original, otherUser)).map(optional)
      await mustReject(forgeries, signaling, judge, rule)
      const mixtures = toAttacks(rawMixtures(original, jwt, otherUser), 'a genuine token').map(optional)
      await judgeMixtures(mixtures, original.userId)
      const genuine = await fetchUnseen(callingTokens)
      await recordSpellings(genuine.jwt, genuine.original.userId, signaling, judge)
    })

    async function judgeMixtures(mixtures: readonly Attack[], own: string): Promise<void> {
      const begun = signaling.clock.wall()
      const tried = await tryAll(mixtures, signaling)
      if (tried.some((one) => hasExpiredOnTheWay(one, begun, signaling.clock)))
        judge.untested('the genuine token expired before all attacks with it were decided')
      for (const { attack, made } of tried)
        if (made.outcome === 'refused' && made.unreachable)
          judge.lost(`signaling ${made.summary} when offered ${attack.what}`, [made.exchange])
      const isDecisive = await isDeclarationDecisive(own)
      for (const { attack, made } of tried) {
        if (made.outcome !== 'accepted') continue
        const named = readNamedUser(made, paths, own)
        const isMisread = named === null ? isDecisive : named !== own
        if (named === null && !isDecisive)
          judge.onlyObserved('no frame names the user of a genuine token beside a forged one')
        judge.must(!isMisread, {
          case: attack.what,
          saw: `${attack.what} accepted as ${named === null ? 'the declared, forged user' : 'the forged user'}`,
          expected: 'a rejection, or the user of the claims that are signed (1.3)',
          fix: rule.fix,
          evidence: [made.exchange],
        })
      }
      if (tried.every(({ made }) => made.outcome !== 'accepted')) judge.passed()
    }

    /** Where a genuine token is rejected under another declared user, a success shows that the forged claims were read. */
    async function isDeclarationDecisive(own: string): Promise<boolean> {
      if (!signaling.declaresUser) return false
      const { jwt: token } = await callingTokens.fresh()
      const declared = `${own}-other`
      const { outcome } = await signaling.decide({
        token,
        declaredUser: declared,
        case: 'another declared user',
      })
      return outcome === 'refused'
    }
  },
})

/** No client can send what the profile cannot carry. */
function optional(attack: Attack): Attack {
  return { ...attack, isOptional: true }
}

/** Records which forms of a genuine token are accepted: lenient decoders read the same claims. */
async function recordSpellings(
  jwt: string,
  userId: string,
  signaling: Signaling,
  judge: Judge,
): Promise<void> {
  // An observation is not worth the time that a second try of each would take.
  const tried = await Promise.all(
    rawSpellings(jwt).map(async ({ name, token }) => {
      const what = `a genuine token ${name}`
      return { what, made: await signaling.attempt({ token, declaredUser: userId, case: what }) }
    }),
  )
  const accepted = tried.filter(({ made }) => made.outcome === 'accepted')
  judge.observe(
    'signaling.lenientDecoding',
    accepted.map(({ what }) => what),
  )
}
