import { createRandom } from '../../src/base/seeded-random.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { jsonPaths } from '../../src/base/tokens/json-paths.ts'
import { attack } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { MintedToken } from '../../src/roles/mint/driver.ts'
import { uuidFrom } from '../../src/roles/mint/user-ids.ts'
import { describeReply, isSuccess } from '../backend/lib/describe-reply.ts'

export default defineCheck({
  id: 'MINT-12',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.1.3', '2.1.4'],
  basis: 'The token is for the userId that was asked for, one stable id for each user (2.1.3, 2.1.4).',
  title: 'puts the requested userId into the token unchanged',
  why: "The userId in the token must equal the one in the SDK's configuration, and no two people may share one.",
  how: {
    does: [
      'Two ordinary tokens show which claims carry the userId.',
      'Then requests tokens for ids of up to 5,000 characters, mixed-case and all-digit ids, a UUID and an e-mail address in mixed case, ids beyond ASCII in both normal forms, and ids with spaces, invisible and control characters, plus signs, vertical bars, percent signs and similar characters, and for "constructor", "__proto__" and "toString", which every object of JavaScript has.',
      'In each token one of those claims must equal the requested id, or hold it within the fixed text that both ordinary tokens show around theirs.',
      'Rejected ids are recorded.',
    ],
    fails: ['Any other value in all of them.'],
    warns: ['Any other value in some of them.', 'A 5xx status, which is no rejection.'],
    untested: ['Tokens with unreadable claims: signaling judges them.'],
  },
  mints: 33,
  needs: ['mint'],
  async run({ mint, newUser, configuration }, judge) {
    const userIdPaths = await mint.userIdPaths()
    const plain = await mint.token(newUser())
    if (isSealed(plain)) return judge.onlyObserved('the claims of the token cannot be read')
    const isFollowed = judge.must(userIdPaths.length > 0, {
      saw:
        configuration.token.userIdClaim === 'auto'
          ? 'no claim that follows the requested userId in the tokens of two users'
          : `a value other than the requested userId at ${configuration.token.userIdClaim}`,
      expected: 'a claim equal to the requested userId, or with a fixed text around it (2.1.3)',
      fix: 'Put the userId of the request into the token, or set token.userIdClaim.',
      evidence: [plain.exchange],
    })
    if (!isFollowed) return
    judge.observe('mint.userIdClaims', userIdPaths)

    const cases = idsFrom(newUser).map(([kind, userId]) => ({ name: `an id ${kind}`, userId }))
    await attack(judge, {
      control: () => mint.token(newUser()),
      cases,
      of: 'for',
      async send({ name, userId }) {
        const reply = await mint.request({ userId, followRedirects: true, case: name })
        const located = isSuccess(reply) && reply.kind === 'answer' ? mint.locate(reply) : null
        const read = located?.kind === 'found' ? readToken(located.token) : null
        const holding = read === null ? null : mint.pathsHolding(read, userId)
        return { reply, holding, isUndecided: reply.kind === 'no-answer', evidence: [reply.exchange] }
      },
      breaches: [
        {
          level: 'must',
          saw: ({ holding }) =>
            holding === null || userIdPaths.some((path) => holding.includes(path))
              ? null
              : 'a token without the requested userId,',
          expected: `that id unchanged at ${userIdPaths.join(' or ')} (2.1.3)`,
          fix: 'Copy the userId without trimming, folding or normalising it.',
        },
        {
          level: 'should',
          saw({ holding }) {
            const others = userIdPaths.filter((path) => holding !== null && !holding.includes(path))
            return others.length === 0 || holding?.length === 0
              ? null
              : `another id at ${others.join(' and ')} than at ${holding?.join(' and ')},`
          },
          expected: 'the requested userId in every claim that carries plain ids (2.1.3)',
          fix: 'Copy the userId without trimming, folding or normalising it; signaling may read either claim.',
        },
        {
          level: 'should',
          saw: ({ reply, holding }) =>
            holding === null && reply.kind === 'answer' && reply.status >= 500
              ? `status ${reply.status}`
              : null,
          expected: 'a token, or a rejection with a 4xx status (2.2)',
          fix: 'Validate the userId before it is used.',
        },
      ],
      judgeAll(tried) {
        const refused = tried.flatMap(({ one, seen: { holding, reply } }) =>
          holding === null ? [`${one.name}: ${describeReply(reply)}`] : [],
        )
        judge.observe('refusedUserIds', refused.sort())
      },
    })
  },
})

/** An encrypted token, or one with an encrypted part: the id may be inside. */
function isSealed({ read }: MintedToken): boolean {
  if (read === null || read.claims === null) return true
  return jsonPaths(read.claims).some(
    ({ value }) => typeof value === 'string' && readToken(value)?.format === 'JWE',
  )
}

/** Every object of JavaScript has these names: a plain object that is keyed by users mistakes them for its own. */
const inherited = ['constructor', '__proto__', 'toString']

/** Ids that careless handling changes; the name completes "an id …". */
function idsFrom(newUser: () => string): (readonly [kind: string, userId: string])[] {
  const digits = () => String(Math.abs(hash(newUser()))).padStart(12, '0')
  return [
    ['like any other', newUser()],
    ['in mixed case, with a dot at its end', `${newUser()}-McCoy-AbC.`],
    ['that is a UUID in upper case', uuidFrom(createRandom(hash(newUser()))).toUpperCase()],
    ...[200, 1000, 5000].map((size) => [`of ${size} characters`, `${newUser()}-`.padEnd(size, 'x')] as const),
    ['of digits with zeros before them', `00${digits()}`],
    ['with blanks around it', ` ${newUser()} `],
    ['with two blanks and a no-break space inside', `${newUser()}  second\u00a0third`],
    ['with invisible characters', `${newUser()}\u200b\u200d\u00ad\u2060second\ufeff`],
    ['with control characters', `${newUser()}\u0001\u0007\tsecond\u007f\u0085third\n`],
    ['with plus signs', `${newUser()}+tag+more`],
    ['with bars', `auth0|${newUser()}|x`],
    ['that is an e-mail address', `Ann.${newUser()}+Calls@Example.ORG`],
    ['with percent signs', `${newUser()}%41%2Fx`],
    ['with markup', `${newUser()}<b>&amp;"'`],
    ['with slashes and colons', `urn:user:${newUser()}/../x\\y`],
    ['in composed Unicode', `${newUser()}-Zo\u00eb-\u00e5-Stra\u00dfe-\u0130`],
    ['in decomposed Unicode', `${newUser()}-Zoe\u0308-a\u030a`],
    ['in full-width letters', `${newUser()}-\uff21\uff22`],
    ['beyond the basic plane', `${newUser()}-日本-🦊`],
    ...inherited.map((name) => [`that is "${name}"`, name] as const),
  ]
}

function hash(text: string): number {
  let sum = 7
  for (const character of text) sum = (Math.imul(sum, 31) + character.charCodeAt(0)) | 0
  return sum
}
