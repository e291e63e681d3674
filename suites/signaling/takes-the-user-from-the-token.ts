import { defineCheck } from '../../src/requirement/define.ts'
import type { FreshToken } from '../../src/roles/backend/calling-tokens.ts'
import type { AttemptRequest } from '../../src/roles/signaling/attempt.ts'
import { readNamedUser } from '../../src/roles/signaling/named-user.ts'
import { statedInMessage, statedInQuery, statedUser } from './lib/gateway-headers.ts'
import { learnOwnUserPaths } from './lib/open-socket.ts'

/** How often each of some users joins at once. */
const crowdOfEach = 3
const crowdedUsers = 3

export default defineCheck({
  id: 'SIG-37',
  level: 'MUST',
  kind: 'positive',
  clauses: ['1.3', '5.4'],
  basis: 'With the calling token the SDK proves that the client may join as a given userId (1.3).',
  title: "takes a client's user from its token alone",
  why: "A client that could name a user beside its token, or is mixed up with others, would receive another user's calls.",
  how: {
    does: [
      'Four users join at once: one with another user in headers such as X-User-Id, one with another user in the query, one with another user beside the token in its message. Such a client may also be rejected.',
      'Then three users join at once, several times.',
    ],
    fails: ["A success in which the frames name another user than the token's."],
    untested: ['Signaling whose frames name no user: it is recorded only.'],
  },
  mints: 9,
  needs: ['callingTokens', 'signaling'],
  // Where others join meanwhile, a variable that connections share names the wrong user in the controls, too.
  stage: 'straining',
  async run(parts, judge) {
    const { callingTokens, signaling } = parts
    const paths = await learnOwnUserPaths(parts)
    const { userId: stated } = await callingTokens.fresh()
    const places: readonly (readonly [where: string, besides: Partial<AttemptRequest>])[] = [
      ['headers of a gateway', { headers: statedUser(signaling, stated) }],
      ['the query', { query: statedInQuery(signaling, stated) }],
      ['the message of the token', { beside: statedInMessage(signaling, stated) }],
    ]
    const tokens: FreshToken[] = []
    while (tokens.length <= places.length) tokens.push(await callingTokens.fresh())
    let isAnyNamed = false
    const join = async ({ jwt, userId }: FreshToken, place = places.length) => {
      const [where, besides] = (stated === userId ? undefined : places[place]) ?? [null, {}]
      const what = where === null ? 'a valid token' : `a valid token with another user in ${where}`
      const made = await signaling.decide({ token: jwt, declaredUser: userId, case: what, ...besides })
      const named = made.outcome === 'accepted' ? readNamedUser(made, paths, userId) : null
      isAnyNamed ||= named !== null
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
    await judge.sandwich(signaling.control, async () => {
      await Promise.all(tokens.map(join))
      // A variable that connections share is wrong for milliseconds only.
      const crowd = Array.from({ length: crowdOfEach }, () => tokens.slice(0, crowdedUsers)).flat()
      await Promise.all(crowd.map((token) => join(token)))
    })
    if (!isAnyNamed) judge.onlyObserved('no frame names the user that a client joins as')
  },
})
