import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { Attempt, OpenSocket } from '../../../src/roles/signaling/attempt.ts'
import { tryOpenSocket } from './open-socket.ts'

type Parts = CheckContext<'callingTokens' | 'signaling'>

/** A socket that also ends for another reason does not end each time, and beside one that stays. */
const rounds = 2
/** A socket that is open answers a ping as soon as it has read it. */
const pingMs = 5_000

export interface Rejecting {
  /** Offers a tampered token of another user. */
  rejectOther(): Promise<Attempt>
  /** Offers a token that is tampered with, and names the user of this one. */
  rejectLike(token: { readonly jwt: string; readonly userId: string }): Promise<Attempt>
}

/** Judges whether a rejected token, which anyone can make up, ends the open socket of the user whom it names. */
export async function judgeOpenSockets(parts: Parts, rejecting: Rejecting, judge: Judge): Promise<void> {
  let ended: Ended | null = null
  for (let round = 0; round < rounds; round += 1) {
    ended = await endByRejection(parts, rejecting)
    if (ended === null) break
  }
  judge.advisory(ended === null, {
    case: 'an open socket',
    saw: `the open socket of a user ended, ${rounds} of ${rounds} times, as a tampered token that names this user was rejected, and the socket of another user open beside it`,
    expected: 'a socket that stays open: only a token that was verified speaks for its user (5.4)',
    fix: 'Verify a token before anything is done to the user whom it names.',
    evidence: ended === null ? [] : [ended.socket, ended.rejection],
  })
}

/** Exchanges. */
interface Ended {
  readonly socket: string
  readonly rejection: string
}

/** Null where the socket stayed open, or where something else may have ended it. */
async function endByRejection(parts: Parts, { rejectOther, rejectLike }: Rejecting): Promise<Ended | null> {
  const [named, other] = [await parts.callingTokens.fresh(), await parts.callingTokens.fresh()]
  // A service may let each user have one connection.
  if (named.userId === other.userId) return null
  await using socket = await tryOpenSocket(parts, named)
  await using beside = await tryOpenSocket(parts, other)
  // A service that has locked this address out is judged for that.
  if (socket === null || beside === null) return null
  await rejectOther()
  if (!(await isOpen(socket)) || !(await isOpen(beside))) return null
  const made = await rejectLike(named)
  if (made.outcome !== 'refused' || (await isOpen(socket)) || !(await isOpen(beside))) return null
  return { socket: socket.evidence('ended as a tampered token was rejected'), rejection: made.exchange }
}

/** A close that was sent before the ping arrives before its answer. */
async function isOpen(socket: OpenSocket): Promise<boolean> {
  await socket.sendFrames([], pingMs)
  return !socket.events.some(({ type }) => type === 'close' || type === 'error')
}
