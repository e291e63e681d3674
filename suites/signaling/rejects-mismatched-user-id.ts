import { attack } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { FreshToken } from '../../src/roles/backend/calling-tokens.ts'
import { isDeclarationUnconfirmed, unconfirmedDeclaration } from '../../src/roles/signaling/check-profile.ts'
import { namesUser, readNamedUser } from '../../src/roles/signaling/named-user.ts'
import { learnOwnUserPaths, pingMs } from './lib/open-socket.ts'
import { type Credential, judgeReached, type Offered, offering } from './lib/reject-credentials.ts'

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
      'A blank behind the id, and an empty one, may be ignored: only the user that the frames name counts there.',
    ],
    fails: ['A success in which the frames name the declared user.'],
    untested: [
      'A success where no frame names the user.',
      'The declaration, where only twotoken detect says that the protocol has no field for it.',
    ],
  },
  mints: 14,
  // Where others join meanwhile, a variable that connections share names the wrong user in the controls, too.
  needs: ['callingTokens', 'signaling'],
  stage: 'straining',
  async run(parts, judge) {
    const { signaling } = parts
    judge.observe('signaling.declaresUser', signaling.declaresUser)
    if (!signaling.declaresUser) {
      if (isDeclarationUnconfirmed(signaling.configuration.access))
        return judge.untested(unconfirmedDeclaration)
      return judge.onlyObserved('the protocol has no field for a declared userId')
    }
    const paths = await learnOwnUserPaths(parts)
    await using online = await signaling.witness()
    const { userId: other } = online
    const offers = offering(signaling, await declareOthers(parts, other))
    await attack<Declared, Tried>(judge, {
      ...offers,
      of: 'for a valid token with',
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
      breaches: {
        level: 'must',
        saw: ({ joinedAs }, { own }) =>
          joinedAs === null || joinedAs === own ? null : "a success that names another user than the token's",
        expected: "a rejection, or the token's user (5.4)",
        fix: 'Take the userId from the token, or compare the declared one with it exactly.',
      },
      judgeAll(tried) {
        judgeReached(tried, judge)
        if (tried.some(({ seen }) => seen.joinedAs !== null))
          judge.observe('signaling.declaredUser', 'not always compared')
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
