import { rawForgeries, rawMixtures, rawSpellings } from '../../src/base/tokens/forge-raw.ts'
import { attack } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { readNamedUser } from '../../src/roles/signaling/named-user.ts'
import { learnOwnUserPaths } from './lib/open-socket.ts'
import { offering, rejectCredentials, toCredentials } from './lib/reject-credentials.ts'
import { fetchUnseen } from './lib/specimens.ts'

const fix =
  'Parse a token once, as exactly three parts of base64url, reject a header that names a parameter twice or has crit, and read claims only from the bytes that were verified.'

export default defineCheck({
  id: 'SIG-34',
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
  mints: 9,
  needs: ['callingTokens', 'signaling'],
  async run(parts, judge) {
    const { callingTokens, signaling, unknownUser } = parts
    const paths = await learnOwnUserPaths(parts)
    const { jwt, original } = await fetchUnseen(parts)
    const { userId: own } = original
    const otherUser = unknownUser()
    // No client can send what the profile cannot carry.
    const optional = (...made: Parameters<typeof toCredentials>) =>
      toCredentials(...made).map((one) => ({ ...one, isOptional: true as const }))
    await rejectCredentials(signaling, judge, optional(rawForgeries(original, otherUser)), fix)
    // Where a genuine token is rejected under another declared user, a success shows that the forged claims were read.
    const isDecisive =
      signaling.declaresUser &&
      (
        await signaling.decide({
          token: (await callingTokens.fresh()).jwt,
          declaredUser: `${own}-other`,
          case: 'another declared user',
        })
      ).outcome === 'refused'
    await attack(judge, {
      ...offering(signaling, optional(rawMixtures(original, jwt, otherUser), 'a genuine token')),
      breaches: {
        level: 'must',
        saw({ made }) {
          if (made.outcome !== 'accepted') return null
          const named = readNamedUser(made, paths, own)
          if (named === null) return isDecisive ? 'a success as the declared, forged user' : null
          return named === own ? null : 'a success as the forged user'
        },
        expected: 'a rejection, or the user of the claims that are signed (1.3)',
        fix,
      },
      judgeAll(tried) {
        const isHidden = tried.some(
          ({ seen: { made } }) => made.outcome === 'accepted' && readNamedUser(made, paths, own) === null,
        )
        if (isHidden && !isDecisive)
          judge.onlyObserved('no frame names the user of a genuine token beside a forged one')
      },
    })
    // Lenient decoders read the same claims. An observation is not worth the time that a second try of each would take.
    const genuine = await callingTokens.fresh()
    const spelled = rawSpellings(genuine.jwt).map(async ({ name, token }) => {
      const request = { token, declaredUser: genuine.userId, case: `a genuine token ${name}` }
      return { name: request.case, made: await signaling.attempt(request) }
    })
    const accepted = (await Promise.all(spelled)).filter(({ made }) => made.outcome === 'accepted')
    judge.observe(
      'signaling.lenientDecoding',
      accepted.map(({ name }) => name),
    )
  },
})
