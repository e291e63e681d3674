import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { Attempt } from '../../../src/roles/signaling/attempt.ts'
import { endOf, pingMs } from './open-socket.ts'

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
  let met = await rejectBesideSockets(parts, rejecting)
  for (let round = 1; round < rounds && typeof met === 'object' && met !== null; round += 1)
    met = await rejectBesideSockets(parts, rejecting)
  if (typeof met === 'string') return judge.untested(met)
  judge.advisory(met === null, {
    case: 'an open socket',
    saw: `the open socket of a user ended, ${rounds} of ${rounds} times, as a tampered token that names this user was rejected, and the socket of another user open beside it`,
    expected: 'a socket that stays open: only a token that was verified speaks for its user (5.4)',
    fix: 'Verify a token before anything is done to the user whom it names.',
    evidence: met ?? [],
  })
}

/** Exchanges of a socket that ended, or what kept it from being judged. Null where it stayed open. */
async function rejectBesideSockets(
  parts: Parts,
  { rejectOther, rejectLike }: Rejecting,
): Promise<readonly string[] | string | null> {
  const { callingTokens, signaling } = parts
  const [named, other] = [await callingTokens.fresh(), await callingTokens.fresh()]
  // A service may let each user have one connection.
  if (named.userId === other.userId) return null
  await using stack = new AsyncDisposableStack()
  const hold = async ({ jwt, userId }: typeof named) => {
    const made = await signaling.hold({ token: jwt, declaredUser: userId })
    return { made, socket: stack.use(made.outcome === 'accepted' ? made.socket : null) }
  }
  const opened = [await hold(named), await hold(other)]
  const sockets = opened.flatMap(({ socket }) => socket ?? [])
  // A service that has locked this address out is judged for that.
  if (opened.some(({ made }) => made.outcome !== 'accepted' && !isUndecided(made))) return null
  const [socket, beside] = sockets
  if (socket === undefined || beside === undefined)
    return 'no two users could have an open socket while a third one is rejected'
  // The service may reject by silence or by a fault, so that a rejection shows nothing about time.
  const isSilent = isUndecided(await rejectOther())
  /** Null where it is unseen: a close comes before the answer to a later ping, or to a later client. */
  const look = async () => {
    const sent = await Promise.all(sockets.map((one) => one.sendFrames([], pingMs)))
    const isRead = sent.every((one) => one === 'read' || one === 'ended')
    const isSeen = isRead || !isUndecided(await rejectOther()) || isSilent
    return isSeen ? { isEnded: endOf(socket) !== undefined, isOtherEnded: endOf(beside) !== undefined } : null
  }
  const unseen = 'signaling answered neither a ping on an open socket nor a later client in time'
  const before = await look()
  if (before === null) return unseen
  if (before.isEnded || before.isOtherEnded) return 'the rejection of any other user ends an open socket'
  const first = await rejectLike(named)
  const made = isUndecided(first) ? await rejectLike(named, patienceMs) : first
  if (made.outcome !== 'refused' || (isUndecided(made) && !isSilent))
    return `signaling ${made.summary} when offered a tampered token of a user with an open socket`
  const after = await look()
  if (after === null) return unseen
  if (after.isOtherEnded) return 'an open socket of a user whom no rejected token named ended as well'
  return after.isEnded ? [socket.evidence('ended as a tampered token was rejected'), made.exchange] : null
}

function isUndecided(made: Attempt): boolean {
  return made.outcome === 'refused' && (made.undecided === true || made.unreachable === true)
}
