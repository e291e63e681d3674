import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { Attempt, OpenSocket } from '../../src/roles/signaling/attempt.ts'
import { type Ending, endingKeys, endingSession, type Issued } from './lib/endings.ts'
import { pingMs, tryOpenSocket } from './lib/open-socket.ts'

type Parts = CheckContext<'callingTokens' | 'signaling'>

/** Who goes on issuing tokens, and the requirement that judges it. */
const issuers = {
  RevokedKey: 'the mint issues tokens (MINT-21)',
  SuspendedProject: 'the mint issues tokens (MINT-16)',
  SignedOutSession: 'the backend issues tokens (BACK-21)',
} as const satisfies Record<Ending['name'], string>

/** Seconds after the end at which its tokens are tried. */
const trials = [0, 1, 3] as const

export default defineCheck({
  id: 'SIG-35',
  role: 'signaling',
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
      'Runs alone, after the other requirements.',
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
    const endings = [...endingKeys(parts), await endingSession(parts)].filter((one) => one !== null)
    if (endings.length === 0) {
      parts.optional('revokeKeyHook')
      parts.optional('suspendProjectHook')
      parts.optional('signOutHook')
      return
    }
    await parts.signaling.control()
    for (const ending of endings) await judgeEnding(parts, ending, judge)
  },
})

/** Tokens and sockets from before the end. */
interface Prepared {
  readonly kept: readonly Issued[]
  /** Opened with a token of the ending; null where it cannot be watched, with the reason. */
  readonly socket: OpenSocket | null
  readonly unwatched: string
  /** Another user or project, which the end must spare. */
  readonly other: { readonly token: Issued; readonly socket: OpenSocket | null } | null
}

async function judgeEnding(parts: Parts, ending: Ending, judge: Judge): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const prepared = await prepare(parts, ending, stack)
  const { name, event, others, end } = ending
  if (prepared === null)
    return judge.onlyObserved(
      `after ${event}, its tokens were not tried: signaling takes only the newest token of a user`,
    )
  const { kept, socket, unwatched, other } = prepared
  const ended = end()
  const endedAt = await ended.endedAt
  const tries: Attempt[] = []
  for (const [trial, seconds] of trials.entries()) {
    const token = kept[trial]
    await parts.clock.until(endedAt + seconds * 1000)
    if (token !== undefined) tries.push(await parts.signaling.join(token))
  }
  if (!(await ended.isOver())) return judge.untested(`after ${event}, ${issuers[name]} as before`)
  judge.observe(`signaling.tokensOf${name}`, describeTries(tries, endedAt))
  // A close that was sent before a ping arrives before its answer.
  if ((await socket?.sendFrames([], pingMs)) === 'unread')
    judge.untested(
      `after ${event}, an open socket answered no ping in time, so that its end may have come later`,
    )
  const closed = socket === null ? undefined : endOf(socket)
  const spare = kept.at(-1)
  // A token counts where it is tried after the close, however late that came.
  if (closed !== undefined && spare !== undefined && (tries.at(-1)?.startedAt ?? 0) < closed.at)
    tries.push(await parts.signaling.join(spare))
  judge.observe(`signaling.socketOf${name}`, unwatched || describeClosed(closed, endedAt))
  if (other === null)
    judge.onlyObserved(`after ${event}, no token was offered that is sure to be of ${others}`)
  else await judgeOther(parts, { ending, token: other.token, judge })
  const last = tries.at(-1)
  if (closed === undefined || last?.outcome !== 'accepted' || other?.socket == null || endOf(other.socket))
    return
  judge.advisory(last.startedAt < closed.at, {
    case: event,
    saw: `an open socket that was closed ${secondsBetween(endedAt, closed.at)} s after ${event}, and a token of it accepted ${secondsBetween(closed.at, last.startedAt)} s later`,
    expected: 'an access that ends with its socket',
    fix: 'Reject the tokens as well: a client whose socket is closed connects again.',
    evidence: [last.exchange],
  })
}

/** Null where a user's token is rejected once there is a newer one. */
async function prepare(
  { signaling }: Parts,
  { issue, issueForOther }: Ending,
  stack: AsyncDisposableStack,
): Promise<Prepared | null> {
  const hold = async (token: Issued) => stack.use(await tryOpenSocket({ signaling }, token))
  // Opened first: a service that closes idle sockets closes this one before the other.
  const otherSocket = issueForOther === null ? null : await hold(await issueForOther())
  const otherToken = (await issueForOther?.()) ?? null
  const [first, second, ...kept] = await issueSome(issue)
  const socket = first === undefined ? null : await hold(first)
  if (socket === null || second === undefined) return null
  const made = await signaling.join(second)
  if (made.outcome !== 'accepted') return null
  const isReplaced = endOf(socket) !== undefined
  const isOneUser = otherToken === null || kept.some(({ userId }) => userId === otherToken.userId)
  return {
    kept,
    socket: isReplaced ? null : socket,
    unwatched: isReplaced ? 'not watched: a user may have one socket' : '',
    other: isOneUser ? null : { token: otherToken, socket: otherSocket },
  }
}

async function issueSome(issue: Ending['issue']): Promise<Issued[]> {
  const issued: Issued[] = []
  while (issued.length < trials.length + 2) issued.push(await issue())
  return issued
}

async function judgeOther(
  { signaling }: Parts,
  { ending: { event, others, issueForOther }, token, judge }: { ending: Ending; token: Issued; judge: Judge },
): Promise<void> {
  const made = await signaling.join(token)
  if (made.outcome === 'untestable') return judge.untested(made.reason)
  if (made.outcome === 'refused' && (made.unreachable === true || made.undecided === true))
    return judge.undecided(`after ${event}, signaling ${made.summary} when offered a token of ${others}`, [
      made.exchange,
    ])
  if (made.outcome === 'accepted') return judge.passed()
  const fresh = issueForOther === null ? made : await signaling.join(await issueForOther())
  if (fresh.outcome !== 'accepted') {
    // Rejected tokens may have the suite banned for a while: that says nothing of the end.
    await signaling.outlastBan()
    const again = await signaling.join(token)
    if (again.outcome === 'accepted') return judge.passed()
  }
  judge.advisory(false, {
    case: event,
    saw: `signaling that ${made.summary} after ${event} when offered a token of ${others} that was issued before`,
    expected: 'an accepted token, as before and as for new ones',
    fix: 'End the tokens of that key or session alone.',
    evidence: [made.exchange, fresh.exchange],
  })
}

function endOf({ events }: OpenSocket) {
  return events.find(({ type }) => type === 'close' || type === 'error')
}

function describeTries(tries: readonly Attempt[], endedAt: number): string {
  const rejected = tries.find(({ outcome }) => outcome === 'refused')
  if (rejected === undefined) return `accepted for ${trials.at(-1)} s`
  return `${rejected.summary}, ${secondsBetween(endedAt, rejected.startedAt)} s later`
}

function describeClosed(closed: ReturnType<typeof endOf>, endedAt: number): string {
  return closed === undefined
    ? `open for ${trials.at(-1)} s`
    : `closed with ${closed.code ?? 'an error'} after ${secondsBetween(endedAt, closed.at)} s`
}

function secondsBetween(from: number, to: number): string {
  return ((to - from) / 1000).toFixed(1)
}
