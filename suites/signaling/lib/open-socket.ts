import { ControlLost } from '../../../src/base/inconclusive.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { Attempt, OpenSocket } from '../../../src/roles/signaling/attempt.ts'
import { findOwnUserPaths } from '../../../src/roles/signaling/named-user.ts'

type Parts = CheckContext<'callingTokens' | 'signaling'>

/** A socket that is open answers a ping as soon as it has read it. */
export const pingMs = 5_000

/** Joins with a fresh token and stays; throws `ControlLost` where it is not accepted. */
export async function openSocket(
  { signaling }: Pick<Parts, 'signaling'>,
  { jwt, userId }: Parameters<Parts['signaling']['join']>[0],
): Promise<OpenSocket> {
  return socketOf(await signaling.hold({ token: jwt, declaredUser: userId }))
}

export function socketOf(made: Attempt): OpenSocket {
  if (made.outcome === 'accepted') return made.socket
  throw new ControlLost(`signaling ${made.summary} when offered a fresh calling token`, [made.exchange])
}

export function endOf({ events }: OpenSocket) {
  return events.find(({ type }) => type === 'close' || type === 'error')
}

export function courseOf(socket: OpenSocket): string {
  const end = endOf(socket)
  return end === undefined ? 'kept' : `closed with ${end.code ?? 'no code'}`
}

/** A fresh token joins, and leaves. */
export async function joinFresh({ callingTokens, signaling }: Parts) {
  const token = await callingTokens.fresh()
  return { made: await signaling.accepted(token), userId: token.userId }
}

/** Where frames name the own user. One after the other: what names it here must do so among others as well. */
export async function learnOwnUserPaths(parts: Parts): Promise<readonly string[]> {
  return findOwnUserPaths([await joinFresh(parts), await joinFresh(parts)])
}
