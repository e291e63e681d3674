import { attack } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { FreshToken } from '../../src/roles/backend/calling-tokens.ts'
import type { AttemptRequest } from '../../src/roles/signaling/attempt.ts'
import { isDeclarationUnconfirmed, unconfirmedDeclaration } from '../../src/roles/signaling/check-profile.ts'
import { namesUser, readNamedUser } from '../../src/roles/signaling/named-user.ts'
import { statedInMessage, statedInQuery, statedUser } from './lib/gateway-headers.ts'
import { learnOwnUserPaths, openSocket, pingMs } from './lib/open-socket.ts'
import { type Credential, judgeReached, type Offered, offering } from './lib/reject-credentials.ts'

/** How often each of some users joins at once. */
const crowdOfEach = 3
const crowdedUsers = 3

/** What a client met, and as whom it has joined where frames show it. */
interface Tried extends Offered {
  readonly joinedAs: string | null
}

type Parts = CheckContext<'callingTokens' | 'signaling'>

/** A valid token beside another declared user. */
interface Declared extends Credential {
  /** Whom the token was made for. */
  readonly own: string
  /** No user has the declared id: a service that drops blanks, or an empty declaration, harms no user. */
  readonly isUnused: boolean
}

export default defineCheck({
  id: 'SIG-05',
  role: 'signaling',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['2.1.3', '5.4'],
  basis: 'The userId of the token and that of the SDK must be equal (2.1.3, 5.4).',
  title: "never believes a declared userId that differs from the token's",
  why: "If a client could declare another userId next to its own valid token, it would receive that user's calls.",
  how: {
    does: [
      "Clients send their own valid tokens and declare the id of another user who is online, an unknown id, and their own id in upper case, in lower case, truncated, extended, with a blank behind it and empty, between two controls that declare the token's userId.",
      "Passes with a rejection, or a success in which the frames name the token's user where the controls were told theirs.",
      'Four users join at once: one with another user in headers such as X-User-Id, one with another user in the query, one with another user beside the token in its message; then three join at once, several times: they must be named as the users of their tokens.',
      'A blank behind the id, and an empty one, may be ignored: only the user that the frames name counts there.',
      'Where the protocol has no field for a declared user, judges only that.',
      'Runs behind the ordinary requirements on signaling, and beside no other on it.',
    ],
    fails: ['A success in which the frames name the declared user.'],
    untested: [
      'A success where no frame names the user.',
      'The declaration, where only twotoken detect says that the protocol has no field for it.',
    ],
  },
  mints: 18,
  // Where others join meanwhile, a variable that connections share names the wrong user in the controls, too.
  needs: ['callingTokens', 'signaling'],
  stage: 'straining',
  async run(parts, judge) {
    const { callingTokens, signaling } = parts
    judge.observe('signaling.declaresUser', signaling.declaresUser)
    const paths = await learnOwnUserPaths(parts)
    const listener = await callingTokens.fresh()
    const { userId: other } = listener
    if (!signaling.declaresUser) {
      if (isDeclarationUnconfirmed(signaling.configuration.access)) judge.untested(unconfirmedDeclaration)
      else judge.onlyObserved('the protocol has no field for a declared userId')
      return await judge.sandwich(signaling.control, () => judgeNamed(other, paths, parts, judge))
    }
    await using online = await openSocket(parts, listener)
    const offers = offering(signaling, await declareOthers(parts, other))
    await attack<Declared, Tried>(judge, {
      control: signaling.control,
      of: 'for a valid token with',
      ...offers,
      async send(one, isAgain) {
        const seen = await offers.send(one, isAgain)
        const { made } = seen
        if (made.outcome !== 'accepted') {
          const unseen = made.outcome === 'untestable' && one.isUnused ? null : (seen.unseen ?? null)
          return { ...seen, unseen, joinedAs: null }
        }
        // Who joins is announced to others before the answer to a ping; a userId of the one who listens says nothing.
        const isUnread = (await online.sendFrames([], pingMs)) === 'unread'
        const isAnnounced = one.userId !== '' && one.userId !== other && namesUser(online, one.userId)
        const joinedAs = isAnnounced ? (one.userId ?? null) : readNamedUser(made, paths, one.own)
        const unseen = joinedAs === null && !one.isUnused ? unnamed : isUnread ? unanswered : null
        return { ...seen, unseen, joinedAs }
      },
      breaches: [
        {
          level: 'must',
          saw: ({ joinedAs }, { own }) =>
            joinedAs === null || joinedAs === own
              ? null
              : "a success that names another user than the token's",
          expected: "a rejection, or the token's user (5.4)",
          fix: 'Take the userId from the token, or compare the declared one with it exactly.',
        },
      ],
      async judgeAll(tried) {
        for (const { one, seen } of tried) judgeReached(one, seen.made, judge)
        if (tried.some(({ seen }) => seen.joinedAs !== null))
          judge.observe('signaling.declaredUser', 'not always compared')
        await judgeNamed(other, paths, parts, judge)
      },
    })
  },
})

const unnamed =
  "a success in which no frame names the user that joined: the token's is safe, the declared one is not,"
const unanswered =
  'the user who is online answered no ping in time, so that announcements may have come later,'

async function declareOthers({ callingTokens, unknownUser }: Parts, online: string): Promise<Declared[]> {
  const capitals = await callingTokens.freshWithCapitals()
  const forms: readonly [who: string, declare: (own: string) => string, token?: FreshToken | null][] = [
    ['another online user', () => online],
    ['an unknown user', unknownUser],
    ["the token's userId in upper case", (own) => own.toUpperCase()],
    ["the token's userId truncated", (own) => own.slice(0, -1)],
    ["the token's userId extended", (own) => `${own}x`],
    ["the token's userId in lower case", (own) => own.toLowerCase(), capitals],
    // Declarations that a parser may drop on the way.
    ["the token's userId with a blank behind it", (own) => `${own} `],
    ['an empty userId', () => ''],
  ]
  const declared: Declared[] = []
  for (const [who, declare, given] of forms) {
    const token = given === undefined ? await callingTokens.fresh() : given
    if (token === null) continue
    const { jwt, userId: own } = token
    const userId = declare(own)
    const isUnused = userId.trim() === '' || userId === `${own} `
    if (userId !== own)
      declared.push({ name: `${who} declared`, token: jwt, userId, isGenuine: true, own, isUnused })
  }
  return declared
}

/**
 * Joins four users at once, for three of whom headers of a gateway, the query or the message state another user. Each must join as
 * the user of its token, as far as frames name one; such a client may also be rejected. Then some join at once, several times.
 */
async function judgeNamed(
  stated: string,
  paths: readonly string[],
  { callingTokens, signaling }: Parts,
  judge: Judge,
): Promise<void> {
  const places: readonly (readonly [where: string, besides: Partial<AttemptRequest>])[] = [
    ['headers of a gateway', { headers: statedUser(signaling, stated) }],
    ['the query', { query: statedInQuery(signaling, stated) }],
    ['the message of the token', { beside: statedInMessage(signaling, stated) }],
  ]
  const tokens: FreshToken[] = []
  while (tokens.length <= places.length) tokens.push(await callingTokens.fresh())
  const join = async ({ jwt, userId }: FreshToken, place = places.length) => {
    const [where, besides] = (stated === userId ? undefined : places[place]) ?? [null, {}]
    const what = where === null ? 'a valid token' : `a valid token with another user in ${where}`
    const made = await signaling.decide({ token: jwt, declaredUser: userId, case: what, ...besides })
    const named = made.outcome === 'accepted' ? readNamedUser(made, paths, userId) : null
    const isStated = named === stated
    judge.must(named === null || named === userId, {
      case: what,
      saw: `${what}, sent while others joined, and ${isStated ? 'that user' : 'another user'} named as the one who joined`,
      expected: "the token's user (5.4)",
      fix: isStated
        ? 'Take the userId from the token, and from no header, query or field beside it.'
        : 'Share no state between connections.',
      evidence: [made.exchange],
    })
  }
  await Promise.all(tokens.map(join))
  // A variable that connections share is wrong for milliseconds only.
  const crowd = Array.from({ length: crowdOfEach }, () => tokens.slice(0, crowdedUsers)).flat()
  await Promise.all(crowd.map((token) => join(token)))
}
