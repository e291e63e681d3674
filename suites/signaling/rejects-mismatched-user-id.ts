import { ControlLost } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { CallingTokens, FreshToken } from '../../src/roles/backend/calling-tokens.ts'
import type { AttemptRequest, OpenSocket } from '../../src/roles/signaling/attempt.ts'
import { isDeclarationUnconfirmed, unconfirmedDeclaration } from '../../src/roles/signaling/check-profile.ts'
import type { Signaling } from '../../src/roles/signaling/driver.ts'
import {
  findOwnUserPaths,
  type Joined,
  namesUser,
  readNamedUser,
} from '../../src/roles/signaling/named-user.ts'
import { statedInMessage, statedInQuery, statedUser } from './lib/gateway-headers.ts'
import { type Attack, hasExpiredOnTheWay, type Tried, tryAll } from './lib/try-attacks.ts'

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
    const { callingTokens, signaling, unknownUser } = parts
    judge.observe('signaling.declaresUser', signaling.declaresUser)
    // One after the other: what names the own user here must do so among others as well.
    const joined = [await joinFresh(callingTokens, signaling), await joinFresh(callingTokens, signaling)]
    const paths = findOwnUserPaths(joined)
    const other = await callingTokens.fresh()
    if (!signaling.declaresUser) {
      if (isDeclarationUnconfirmed(signaling.configuration.access)) judge.untested(unconfirmedDeclaration)
      else judge.onlyObserved('the protocol has no field for a declared userId')
      await judge.sandwich(signaling.control, () => judgeNamed(other.userId, paths, parts, judge))
      return
    }
    const online = await signaling.hold({ token: other.jwt, declaredUser: other.userId })
    if (online.outcome !== 'accepted')
      throw new ControlLost(`signaling ${online.summary} when offered a fresh calling token`, [
        online.exchange,
      ])
    await using _ = online.socket
    const declarations: readonly (readonly [string, (own: string) => string])[] = [
      ['another online user', () => other.userId],
      ['an unknown user', () => unknownUser()],
      ["the token's userId in upper case", (own) => own.toUpperCase()],
      ["the token's userId truncated", (own) => own.slice(0, -1)],
      ["the token's userId extended", (own) => `${own}x`],
    ]
    const attacks = await Promise.all(
      declarations.map(async ([who, declare]) => declaring(await callingTokens.fresh(), who, declare)),
    )
    const capitals = await callingTokens.freshWithCapitals()
    if (capitals !== null)
      attacks.push(declaring(capitals, "the token's userId in lower case", (own) => own.toLowerCase()))
    for (const [who, declare] of unused) {
      const attack = declaring(await callingTokens.fresh(), who, declare)
      attacks.push({ ...attack, isUnused: true })
    }
    const differing = attacks.filter(({ userId, own }) => userId !== own)
    await judge.sandwich(signaling.control, async () => {
      const watched = { ...online.socket, userId: other.userId }
      const sent = new Map(differing.map((attack) => [attack.what, attack]))
      const begun = signaling.clock.wall()
      const [all] = await Promise.all([
        tryAll(differing, signaling),
        judgeNamed(other.userId, paths, parts, judge),
      ])
      // Who joins is announced before the answer to a ping.
      if ((await online.socket.sendFrames([], pingMs)) === 'unread')
        judge.untested(
          'the user who is online answered no ping in time, so that announcements may have come later',
        )
      if (all.some((one) => hasExpiredOnTheWay(one, begun, signaling.clock)))
        judge.untested('a token expired before it was offered with another user declared')
      for (const tried of all) {
        const { own = '', isUnused = false } = sent.get(tried.attack.what) ?? {}
        judgeMismatch(tried, { own, isUnused, paths, online: watched }, judge)
      }
    })
  },
})

/** A socket that is open answers a ping as soon as it has read it. */
const pingMs = 5_000
/** How often each of two users joins at once. */
const crowdOfEach = 3
const crowdedUsers = 3
/** Three of them state another user in three places, and one in none. */
const usersAtOnce = 4

/** Another user that a client with a valid token states outside its protocol. */
interface Besides extends Pick<AttemptRequest, 'headers' | 'query' | 'beside'> {
  readonly where?: string
}

/**
 * Joins four users at once, for three of whom headers of a gateway, the query or the message state another user. Each must join as
 * the user of its token, as far as frames name one; such a client may also be rejected. Then some join at once, several times.
 */
async function judgeNamed(
  stated: string,
  paths: readonly string[],
  { callingTokens, signaling }: CheckContext<'callingTokens' | 'signaling'>,
  judge: Judge,
): Promise<void> {
  const tokens: FreshToken[] = []
  while (tokens.length < usersAtOnce) tokens.push(await callingTokens.fresh())
  const judgeOne = async ({ jwt, userId }: FreshToken, besides: Besides = {}) => {
    const what =
      besides.where === undefined ? 'a valid token' : `a valid token with another user in ${besides.where}`
    const made = await signaling.decide({ token: jwt, declaredUser: userId, case: what, ...besides })
    if (made.outcome !== 'accepted') return
    const named = readNamedUser(made, paths, userId)
    judge.must(named === null || named === userId, {
      case: what,
      saw: `${what}, sent while others joined, and ${named === stated ? 'that user' : 'another user'} named as the one who joined`,
      expected: "the token's user (5.4)",
      fix:
        named === stated
          ? 'Take the userId from the token, and from no header, query or field beside it.'
          : 'Share no state between connections.',
      evidence: [made.exchange],
    })
  }
  const places: readonly Besides[] = [
    { where: 'headers of a gateway', headers: statedUser(signaling, stated) },
    { where: 'the query', query: statedInQuery(signaling, stated) },
    { where: 'the message of the token', beside: statedInMessage(signaling, stated) },
  ]
  await Promise.all(
    tokens.map((token, place) => judgeOne(token, stated === token.userId ? undefined : places[place])),
  )
  // A variable that connections share is wrong for milliseconds only.
  const crowd = Array.from({ length: crowdOfEach }, () => tokens.slice(0, crowdedUsers)).flat()
  await Promise.all(crowd.map((token) => judgeOne(token)))
}

/** Clues that show for whom an accepted client has joined. */
interface Clues {
  /** Whom the token was made for. */
  readonly own: string
  readonly isUnused: boolean
  readonly paths: readonly string[]
  /** A client that may be told who joins. */
  readonly online: OpenSocket & { readonly userId: string }
}

/**
 * Says whether a client that is online was told that the declared user has joined. Its own userId says
 * nothing.
 */
function isAnnounced({ events, userId }: Clues['online'], declared: string | undefined): boolean {
  return declared !== userId && namesUser({ events }, declared)
}

interface MismatchedAttack extends Attack {
  /** Whom the token was made for. */
  readonly own: string
  /** No user has the declared id: a service that drops blanks, or an empty declaration, harms no user. */
  readonly isUnused?: true
}

/** Declarations that a parser may drop on the way. */
const unused: readonly (readonly [string, (own: string) => string])[] = [
  ["the token's userId with a blank behind it", (own) => `${own} `],
  ['an empty userId', () => ''],
]

function declaring(
  { jwt, userId: own }: FreshToken,
  who: string,
  declare: (own: string) => string,
): MismatchedAttack {
  const what = `a valid token with ${who} declared`
  return { what, token: jwt, userId: declare(own), isGenuine: true, own }
}

async function joinFresh(tokens: CallingTokens, signaling: Signaling): Promise<Joined> {
  const token = await tokens.fresh()
  return { made: await signaling.accepted(token), userId: token.userId }
}

function judgeMismatch({ attack, made }: Tried, { own, isUnused, paths, online }: Clues, judge: Judge): void {
  if (made.outcome === 'untestable' && isUnused) return
  if (made.outcome === 'untestable') judge.untested(`${attack.what} could not be sent: ${made.reason}`)
  else if (made.outcome === 'refused' && made.unreachable)
    judge.lost(`signaling ${made.summary} when offered ${attack.what}`, [made.exchange])
  else if (made.outcome === 'refused') judge.passed()
  else {
    const joinedAs =
      attack.userId !== '' && isAnnounced(online, attack.userId)
        ? (attack.userId ?? null)
        : readNamedUser(made, paths, own)
    if (joinedAs === null && isUnused) judge.passed()
    else if (joinedAs === null)
      judge.untested(
        `${attack.what} was accepted, and no frame names the user that it joined as: the token's is safe, the declared one is not`,
      )
    else {
      judge.observe('signaling.declaredUser', 'not always compared')
      judge.must(joinedAs === own, {
        case: attack.what,
        saw: `${attack.what} accepted, and another user than the token's named as the one who joined`,
        expected: "a rejection, or the token's user (5.4)",
        fix: 'Take the userId from the token, or compare the declared one with it exactly.',
        evidence: [made.exchange],
      })
    }
  }
}
