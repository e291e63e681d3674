import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { FreshToken } from '../../../src/roles/backend/calling-tokens.ts'
import type { Attempt, OpenSocket } from '../../../src/roles/signaling/attempt.ts'
import { pingMs } from './open-socket.ts'

type Parts = CheckContext<'callingTokens' | 'signaling'>

/** A socket that also ends for another reason does not end each time, and beside one that stays. */
const rounds = 2
/** A service that is slow for once decides within this. */
const patienceMs = 20_000

export interface Rejecting {
  /** Offers a tampered token of another user. */
  rejectOther(): Promise<Attempt>
  /** Offers a token that is tampered with, and names the user of this one. */
  rejectLike(token: { readonly jwt: string; readonly userId: string }, deadlineMs?: number): Promise<Attempt>
}

/** Judges whether a rejected token, which anyone can make up, ends the open socket of the user whom it names. */
export async function judgeOpenSockets(parts: Parts, rejecting: Rejecting, judge: Judge): Promise<void> {
  let last: Round | null = null
  for (let round = 0; round < rounds; round += 1) {
    last = await rejectBesideSockets(parts, rejecting)
    if (last !== null && 'hidden' in last) return judge.untested(last.hidden)
    if (last === null) break
  }
  judge.advisory(last === null, {
    case: 'an open socket',
    saw: `the open socket of a user ended, ${rounds} of ${rounds} times, as a tampered token that names this user was rejected, and the socket of another user open beside it`,
    expected: 'a socket that stays open: only a token that was verified speaks for its user (5.4)',
    fix: 'Verify a token before anything is done to the user whom it names.',
    evidence: last === null ? [] : [last.socket, last.rejection],
  })
}

/** The exchanges of a socket that ended, or what kept it from being judged. Null where it stayed open. */
type Round = { readonly socket: string; readonly rejection: string } | { readonly hidden: string }

async function rejectBesideSockets(
  parts: Parts,
  { rejectOther, rejectLike }: Rejecting,
): Promise<Round | null> {
  const [named, other] = [await parts.callingTokens.fresh(), await parts.callingTokens.fresh()]
  // A service may let each user have one connection.
  if (named.userId === other.userId) return null
  const opened = [await hold(parts, named), await hold(parts, other)]
  await using stack = new AsyncDisposableStack()
  const [socket, beside] = opened.map((made) =>
    made.outcome === 'accepted' ? stack.use(made.socket) : undefined,
  )
  // A service that has locked this address out is judged for that.
  if (opened.some((made) => made.outcome !== 'accepted' && !isUndecided(made))) return null
  if (socket === undefined || beside === undefined)
    return { hidden: 'no two users could have an open socket while a third one is rejected' }
  const before = await rejectOther()
  const look = { socket, beside, rejectOther, isSilent: isUndecided(before) }
  const first = await stateOf(look)
  if (first !== 'open') return { hidden: hiddenBy[first] }
  let made = await rejectLike(named)
  if (isUndecided(made)) made = await rejectLike(named, patienceMs)
  if (made.outcome !== 'refused' || (isUndecided(made) && !look.isSilent))
    return {
      hidden: `signaling ${summaryOf(made)} when offered a tampered token of a user with an open socket`,
    }
  const last = await stateOf(look)
  if (last === 'open') return null
  if (last !== 'ended') return { hidden: hiddenBy[last] }
  return { socket: socket.evidence('ended as a tampered token was rejected'), rejection: made.exchange }
}

function hold({ signaling }: Parts, { jwt, userId }: FreshToken): Promise<Attempt> {
  return signaling.hold({ token: jwt, declaredUser: userId })
}

/** `ended`: of the user who is named. `both`: of the other one, whatever else. `unknown`: it could not be seen. */
type State = 'open' | 'ended' | 'both' | 'unknown'

const hiddenBy: Readonly<Record<Exclude<State, 'open'>, string>> = {
  ended: 'the rejection of any other user ends an open socket',
  both: 'an open socket of a user whom no rejected token named ended as well',
  unknown: 'signaling answered neither a ping on an open socket nor a later client in time',
}

interface Look {
  readonly socket: OpenSocket
  readonly beside: OpenSocket
  readonly rejectOther: Rejecting['rejectOther']
  /** The service rejects by silence or by a fault, so that a rejection shows nothing about time. */
  readonly isSilent: boolean
}

/**
 * A close that was sent before a ping arrives before its answer. Where no ping is answered, one that was sent by now arrives
 * before the answer to a later client: another offer of the token that `rejectOther` has offered.
 */
async function stateOf({ socket, beside, rejectOther, isSilent }: Look): Promise<State> {
  const sent = await Promise.all([socket, beside].map((one) => one.sendFrames([], pingMs)))
  const isRead = sent.every((one) => one === 'read' || one === 'ended')
  if (!isRead && isUndecided(await rejectOther()) && !isSilent) return 'unknown'
  if (hasEnded(beside)) return 'both'
  return hasEnded(socket) ? 'ended' : 'open'
}

function isUndecided(made: Attempt): boolean {
  return made.outcome === 'refused' && (made.undecided === true || made.unreachable === true)
}

function summaryOf(made: Attempt): string {
  return made.outcome === 'untestable' ? `could not be asked: ${made.reason}` : made.summary
}

function hasEnded({ events }: OpenSocket): boolean {
  return events.some(({ type }) => type === 'close' || type === 'error')
}
