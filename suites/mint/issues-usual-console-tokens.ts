import { readToken } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import { findOwnUserPaths, readNamedUser } from '../../src/roles/signaling/named-user.ts'
import { type EndedParts, judgeEndedConsoleToken } from './lib/judge-ended-console-token.ts'

const longestSeconds = 86_400
/** Clocks differ. */
const slackSeconds = 300
/** Time claims have a resolution of one second: two tokens differ in them only after more than that. */
const pauseMs = 1100

const notGiven =
  'mint.consoleToken is not given: write { command: … } there, a tool that prints a test token of the console, where one exists'

interface ConsoleToken {
  readonly jwt: string
  readonly userId: string
}

export default defineCheck({
  id: 'MINT-26',
  level: 'ADVISORY',
  kind: 'positive',
  clauses: ['4.4', '2.1.4'],
  standards: ['RFC 6750, 5.3', 'OWASP ASVS 5.0, 9.2.1'],
  title: 'issues console tokens like its others',
  why: 'Test tokens of the console open the same signaling: one that names another user, lives for days or never ends is a stolen account in waiting.',
  how: {
    does: [
      'Runs mint.consoleToken, with the userId in TWOTOKEN_USER_ID, for two users, and for one of them again after 1.1 s.',
      'Each token joins signaling, between controls with tokens of the mint.',
      'Declares another userId beside such a token, where a token of the mint is rejected for that.',
      'Offers a console token after its end, beside one of the mint that ended at the same time: signed again with token.signWith, else one that the command made for TWOTOKEN_TTL_SECONDS.',
    ],
    warns: [
      'One token for two users, or twice for one.',
      'A token that does not join, or joins as another user.',
      'A lifetime of more than a day, or none where tokens of the mint have one.',
      'An ended token that is accepted where one of the mint is rejected.',
    ],
    untested: [
      'The end of console tokens that live for longer than limits.maxTtlWaitSeconds, without token.signWith.',
      'The end, where signaling accepts ended tokens of the mint as well.',
    ],
  },
  mints: 30,
  needs: ['mint', 'expiry'],
  drives: ['signaling'],
  stage: 'expiry',
  async run(parts, judge) {
    const { mint, available, optional, clock, newUser } = parts
    const consoleTokens = available('consoleTokens')
    if (consoleTokens === undefined) return judge.notApplicable(notGiven)
    const fetch = async (userId: string): Promise<ConsoleToken> => ({
      userId,
      jwt: await consoleTokens.fetch(userId),
    })
    const first = await fetch(newUser())
    const fetchedAt = clock.monotonic()
    const second = await fetch(newUser())
    await clock.until(fetchedAt + pauseMs)
    const again = await fetch(first.userId)
    judgeDistinct([first, second, again], judge)
    const ordinary = await mint.token(newUser())
    judgeLifetime(first.jwt, ordinary.jwt, clock.wall(), judge)

    const signaling = optional('signaling')
    if (signaling === undefined) return
    const joining = { ...parts, signaling, consoleTokens }
    await judge.sandwich(signaling.control, async () => {
      const join = async () => {
        const token = await mint.token(newUser())
        return { made: await signaling.accepted(token), userId: token.userId }
      }
      const paths = findOwnUserPaths([await join(), await join()])
      for (const token of [first, second, again]) await judgeJoin(joining, token, paths, judge)
      if (!judge.holdsSoFar()) return
      if (signaling.declaresUser) await judgeDeclared(joining, await fetch(newUser()), paths, judge)
    })
    if (judge.holdsSoFar()) await judgeEndedConsoleToken(joining, judge)
  },
})

function judgeDistinct([first, second, again]: readonly ConsoleToken[], judge: Judge): void {
  judge.advisory(first?.jwt !== second?.jwt && first?.jwt !== again?.jwt, {
    case: 'distinct tokens',
    saw:
      first?.jwt === second?.jwt
        ? 'one console token for two users'
        : 'the same console token for one user twice, 1.1 s apart',
    expected: 'another token for each user and device (2.1.4, 4.4)',
    fix: 'Issue a new token each time, for the userId that is entered.',
  })
}

function judgeLifetime(jwt: string, ordinary: string, wallNow: number, judge: Judge): void {
  const claims = readToken(jwt)?.claims ?? null
  const exp = claims?.['exp']
  if (typeof exp !== 'number') {
    const isUsual = claims === null || typeof readToken(ordinary)?.claims?.['exp'] !== 'number'
    if (isUsual) judge.onlyObserved('the lifetime of console tokens cannot be read')
    judge.advisory(isUsual, {
      case: 'the lifetime',
      saw: 'a console token without exp, where tokens of the mint have one',
      expected: 'a token that ends (3)',
      fix: 'Give test tokens an end, too.',
    })
    return
  }
  const seconds = Math.round(exp - wallNow / 1000)
  judge.observe('mint.consoleTokenSeconds', seconds)
  judge.advisory(seconds <= longestSeconds + slackSeconds, {
    case: 'the lifetime',
    saw: `a console token that lives for ${Math.round(seconds / 3600)} h`,
    expected: 'a lifetime of minutes, not days (8)',
    fix: 'Issue test tokens that end within hours.',
  })
}

async function judgeJoin(
  { mint, signaling }: EndedParts,
  { jwt, userId }: ConsoleToken,
  paths: readonly string[],
  judge: Judge,
): Promise<void> {
  const made = await signaling.join({ jwt, userId })
  if (made.outcome === 'untestable') return judge.untested(made.reason)
  if (made.outcome === 'refused' && made.unreachable === true)
    return judge.lost(`signaling could not be reached: it ${made.summary}`, [made.exchange])
  const finding = {
    expected: 'a client that joins as the userId that was entered (4.4)',
    fix: 'Issue for exactly that userId, with a key that signaling trusts.',
    evidence: [made.exchange],
  }
  const isAccepted = judge.advisory(made.outcome === 'accepted', {
    ...finding,
    case: 'a fresh token',
    saw: `a fresh console token rejected: signaling ${made.summary}`,
  })
  if (!isAccepted) return
  const named = readNamedUser(made, paths, userId)
  const userIdPaths = await mint.userIdPaths()
  const read = readToken(jwt)
  if (named === null && (read?.claims == null || userIdPaths.length === 0))
    return judge.onlyObserved('neither signaling nor the console token names a user')
  const isOwn =
    named === null ? read !== null && mint.pathsHolding(read, userId).length > 0 : named === userId
  judge.advisory(isOwn, {
    ...finding,
    case: 'the user',
    saw: 'a console token for another user than was entered',
  })
}

/** Another userId beside a console token is rejected where it is beside one of the mint. */
async function judgeDeclared(
  { mint, signaling, newUser, unknownUser }: EndedParts,
  { jwt, userId }: ConsoleToken,
  paths: readonly string[],
  judge: Judge,
): Promise<void> {
  const declaredUser = unknownUser()
  const offer = (token: string, whose: string) =>
    signaling.decide({ token, declaredUser, case: `${whose} beside another userId` })
  const usual = await offer((await mint.token(newUser())).jwt, 'a token of the mint')
  if (usual.outcome !== 'refused' || usual.unreachable === true) return
  const made = await offer(jwt, 'a console token')
  const isSafe = made.outcome !== 'accepted' || readNamedUser(made, paths, userId) === userId
  judge.advisory(isSafe, {
    case: 'a declared user',
    saw: 'a console token accepted beside another userId, where one of the mint is rejected',
    expected: 'a client that joins as the userId of its token only (5.4)',
    fix: 'Compare the declared userId with that of every token.',
    evidence: [usual.exchange, made.exchange],
  })
}
