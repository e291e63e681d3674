import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { FreshToken } from '../../src/roles/backend/calling-tokens.ts'
import type { Attempt } from '../../src/roles/signaling/attempt.ts'
import { learnTokenUser } from '../backend/lib/sight.ts'
import { chooseEndingSession } from '../backend/lib/sign-out.ts'
import { endKey } from '../mint/lib/revoke-key.ts'
import { fetchWithKey } from './lib/fetch-with-key.ts'
import { endOf, pingMs } from './lib/open-socket.ts'

type Parts = CheckContext<'callingTokens' | 'signaling'>

/** Seconds after the end at which its tokens are tried. */
const trials = [0, 1, 3] as const

export default defineCheck({
  id: 'SIG-35',
  level: 'ADVISORY',
  kind: 'positive',
  clauses: ['5.4'],
  standards: ['RFC 7009, 3', 'RFC 9700, 4.14.2'],
  title: 'spares other users when a key or session ends',
  why: 'A calling token outlives the key or session that it was issued for. Who revokes one needs to know for how long, and that no other user loses a call.',
  how: {
    does: [
      'Gets calling tokens from the keys of hooks.revokeKey and hooks.suspendProject and from the session of hooks.signOut, joins with one, and keeps its socket open beside that of another user.',
      'Runs the hook, which MINT-21 and BACK-21 judge, and offers the kept tokens for 3 s.',
      'Records when they are rejected, and when the open socket is closed; judges tokens of another project or user, where they are sure to be that: a key at hooks.revokeKey.key may be of the same project.',
    ],
    warns: [
      'A token of another project, or of another user, that is rejected after the end.',
      'An open socket that is closed at the end, while its tokens go on joining.',
    ],
    untested: ['A key, project or session that goes on being served after its end.'],
  },
  mints: 31,
  needs: ['callingTokens', 'signaling'],
  stage: 'ending',
  async run(parts, judge) {
    const keys = (['revokeKey', 'suspendProject'] as const).map((name) => endingKey(parts, name))
    const endings = [...keys, await endingSession(parts)].filter((one) => one !== null)
    if (endings.length === 0) {
      for (const hook of ['revokeKeyHook', 'suspendProjectHook', 'signOutHook'] as const) parts.optional(hook)
      return
    }
    await parts.signaling.control()
    // Where one may end tokens of others, too, those of another ending would be among them.
    const { alone = [], together = [] } = Object.groupBy(endings, ({ issueForOther }) =>
      issueForOther === null ? 'alone' : 'together',
    )
    for (const ending of alone) await judgeEnding(parts, ending, judge)
    await Promise.all(together.map((ending) => judgeEnding(parts, ending, judge)))
  },
})

async function judgeEnding({ signaling, clock }: Parts, ending: Ending, judge: Judge): Promise<void> {
  const { name, event, others, goesOn, issue, issueForOther, end } = ending
  await using stack = new AsyncDisposableStack()
  const hold = async ({ jwt, userId }: Issued) => {
    const made = await signaling.hold({ token: jwt, declaredUser: userId })
    return stack.use(made.outcome === 'accepted' ? made.socket : null)
  }
  // Opened first: a service that closes idle sockets closes this one before the other.
  const otherSocket = issueForOther && (await hold(await issueForOther()))
  const otherToken = issueForOther && (await issueForOther())
  const [first, second] = [await issue(), await issue()]
  const kept: (Issued & { readonly seconds: number })[] = []
  for (const seconds of trials) kept.push({ ...(await issue()), seconds })
  const socket = await hold(first)
  if (socket === null || (await signaling.join(second)).outcome !== 'accepted')
    return judge.onlyObserved(
      `after ${event}, its tokens were not tried: signaling takes only the newest token of a user`,
    )
  const isReplaced = endOf(socket) !== undefined
  const ended = end()
  const endedAt = await ended.endedAt
  const tries: Attempt[] = []
  for (const token of kept) {
    await clock.until(endedAt + token.seconds * 1000)
    tries.push(await signaling.join(token))
  }
  if (!(await ended.isOver())) return judge.untested(`after ${event}, ${goesOn} as before`)
  const since = (at: number, from = endedAt) => ((at - from) / 1000).toFixed(1)
  const rejected = tries.find(({ outcome }) => outcome === 'refused')
  judge.observe(
    `signaling.tokensOf${name}`,
    rejected === undefined
      ? `accepted for ${trials.at(-1)} s`
      : `${rejected.summary}, ${since(rejected.startedAt)} s later`,
  )
  // A close that was sent before a ping arrives before its answer.
  if (!isReplaced && (await socket.sendFrames([], pingMs)) === 'unread')
    judge.untested(
      `after ${event}, an open socket answered no ping in time, so that its end may have come later`,
    )
  const closed = isReplaced ? undefined : endOf(socket)
  // A token counts where it is tried after the close, however late that came.
  if (closed !== undefined && (tries.at(-1)?.startedAt ?? 0) < closed.at)
    tries.push(await signaling.join(kept.at(-1) ?? second))
  const course =
    closed === undefined
      ? `open for ${trials.at(-1)} s`
      : `closed with ${closed.code ?? 'an error'} after ${since(closed.at)} s`
  judge.observe(`signaling.socketOf${name}`, isReplaced ? 'not watched: a user may have one socket' : course)
  if (!otherToken || !issueForOther || kept.some(({ userId }) => userId === otherToken.userId))
    return judge.onlyObserved(`after ${event}, no token was offered that is sure to be of ${others}`)
  await judgeOther(signaling, ending, { token: otherToken, issue: issueForOther }, judge)
  const last = tries.at(-1)
  const isOtherOpen = otherSocket !== null && endOf(otherSocket) === undefined
  if (closed === undefined || last?.outcome !== 'accepted' || !isOtherOpen) return
  judge.advisory(last.startedAt < closed.at, {
    case: event,
    saw: `an open socket that was closed ${since(closed.at)} s after ${event}, and a token of it accepted ${since(last.startedAt, closed.at)} s later`,
    expected: 'an access that ends with its socket',
    fix: 'Reject the tokens as well: a client whose socket is closed connects again.',
    evidence: [last.exchange],
  })
}

/** Judges a token of another user or project, which the end must spare. */
async function judgeOther(
  signaling: Parts['signaling'],
  { event, others }: Ending,
  { token, issue }: { readonly token: Issued; readonly issue: () => Promise<Issued> },
  judge: Judge,
): Promise<void> {
  const made = await signaling.join(token)
  if (made.outcome === 'untestable') return judge.untested(made.reason)
  if (made.outcome === 'refused' && (made.unreachable === true || made.undecided === true))
    return judge.undecided(`after ${event}, signaling ${made.summary} when offered a token of ${others}`, [
      made.exchange,
    ])
  if (made.outcome === 'accepted') return judge.passed()
  const fresh = await signaling.join(await issue())
  // Rejected tokens may have the suite banned for a while: that says nothing of the end.
  if (fresh.outcome !== 'accepted') {
    await signaling.outlastBan()
    if ((await signaling.join(token)).outcome === 'accepted') return judge.passed()
  }
  judge.advisory(false, {
    case: event,
    saw: `signaling that ${made.summary} after ${event} when offered a token of ${others} that was issued before`,
    expected: 'an accepted token, as before and as for new ones',
    fix: 'End the tokens of that key or session alone.',
    evidence: [made.exchange, fresh.exchange],
  })
}

/** A calling token and whom it lets in. */
type Issued = Pick<FreshToken, 'jwt' | 'userId'>

/** A credential that a hook ends, and the calling tokens that were issued for it. */
interface Ending {
  /** As the names of observations have it. */
  readonly name: 'RevokedKey' | 'SuspendedProject' | 'SignedOutSession'
  /** Completes "after …". */
  readonly event: string
  /** Completes "tokens of …". */
  readonly others: string
  /** Completes "after the end, …": who still issues tokens, and the requirement that judges it. */
  readonly goesOn: string
  issue(): Promise<Issued>
  /** Issues a token of another user or project, which the end must spare; null where there is none. */
  readonly issueForOther: (() => Promise<Issued>) | null
  /** Ends it: monotonic milliseconds. `isOver` waits until the part that issues has taken notice, or has not. */
  end(): { readonly endedAt: Promise<number>; isOver(): Promise<boolean> }
}

/** The key of a hook; null without it. */
function endingKey(parts: Parts, hookName: 'revokeKey' | 'suspendProject'): Ending | null {
  const { available, callingTokens, configuration, newUser } = parts
  const mint = available('mint')
  const hook = available(`${hookName}Hook`)
  if (mint === undefined || hook === undefined) return null
  const { key } = hook
  const isRevoked = hookName === 'revokeKey'
  // A service may end all tokens of a project with one of its keys.
  const isOtherSpared = !isRevoked || key === configuration.mint?.otherProjectKey
  return {
    name: isRevoked ? 'RevokedKey' : 'SuspendedProject',
    event: isRevoked ? 'the revocation of an API key' : 'the suspension of a project',
    others: 'another project',
    goesOn: `the mint issues tokens (${isRevoked ? 'MINT-21' : 'MINT-16'})`,
    issue: () => fetchWithKey(mint, `hooks.${hookName}.key`, key, newUser()),
    issueForOther: isOtherSpared ? callingTokens.fresh : null,
    end() {
      const { revokedAt, outcome } = endKey({ ...parts, mint }, hookName, hook)
      return { endedAt: revokedAt, isOver: async () => (await outcome).isRejected }
    },
  }
}

/** The session of `hooks.signOut`; null without it, or where signaling knows no token of the backend. */
async function endingSession(parts: Parts): Promise<Ending | null> {
  const { available, callingTokens } = parts
  const backend = available('backend')
  const signOutHook = available('signOutHook')
  const isReal = available('mintDouble')?.issuesRealTokens !== false
  if (backend === undefined || signOutHook === undefined || !isReal) return null
  const { session, signOut } = await chooseEndingSession({ ...parts, backend, signOutHook })
  const userOf = await learnTokenUser({ ...parts, backend })
  const bob = available('bob')
  const issueForBob = bob === undefined || bob.token === session ? null : () => backend.token(bob)
  return {
    name: 'SignedOutSession',
    event: 'the sign-out of a session',
    others: 'another user',
    goesOn: 'the backend issues tokens (BACK-21)',
    async issue() {
      const { jwt, userId } = await backend.token(backend.sessionOf(session))
      return { jwt, userId: userOf?.(jwt) ?? userId }
    },
    issueForOther: available('mint') === undefined ? issueForBob : callingTokens.fresh,
    end() {
      const ended = signOut()
      return {
        endedAt: ended.signedOutAt,
        async isOver() {
          const { hasToken, isUndecided } = await ended.outcome
          return !hasToken && !isUndecided
        },
      }
    },
  }
}
