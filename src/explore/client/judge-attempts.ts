import type { ClientApp, ConnectionAttempt } from '../../roles/client/types.ts'
import type { Breach } from '../engine/subject.ts'
import type { ClientInvariant } from './invariants.ts'
import { type ClientModel, isOfAnother, openAttempts } from './model.ts'
import type { Surroundings } from './surroundings.ts'

export type OwnBreach = Breach & { readonly invariant: ClientInvariant }

export interface AttemptContext {
  readonly app: ClientApp
  readonly model: ClientModel
  readonly surroundings: Surroundings
  /** The socket may be open before the client has a token. */
  readonly isByMessage: boolean
}

/** Behind an expiry, so that no clock is in doubt. */
const expiryMarginMs = 2000
/** A connection that is to end does so within this time. */
const closingSeconds = 30
/** Handshakes and calls of one step that are no flood. */
const flood = { attempts: 20, attemptsEachSecond: 1, calls: 40, callsEachSecond: 2 }

/** Lists the breaches of one handshake; the place is its number in the story. */
export function judgeAttempt(
  attempt: ConnectionAttempt,
  place: number,
  { app, model, surroundings, isByMessage }: AttemptContext,
): OwnBreach[] {
  const { credential, declaredUser, exchange } = attempt
  const evidence = [exchange]
  const token = app.issued().find(({ jwt }) => jwt === credential)
  if (token === undefined)
    return credential === null && isByMessage
      ? []
      : [
          {
            invariant: 'EXP-34',
            saw: `a socket to signaling with ${credential === null ? 'no credential' : 'a credential that is not a calling JWT'}`,
            expected: 'no socket without a calling JWT (4.2)',
            fix: 'Check the status and the token before opening the socket.',
            evidence,
          },
        ]
  const breaches: OwnBreach[] = []
  const holder = surroundings.holderOf(token)
  const isOthers = isOfAnother(holder, model) && place >= model.signedInAt
  if (isOthers && declaredUser !== holder)
    breaches.push({
      invariant: 'EXP-32',
      saw: 'a handshake with the token of a user who has signed out',
      expected: 'only tokens of the signed-in user (2.1.4)',
      fix: 'Discard cached and pending tokens on sign-out.',
      evidence,
    })
  else if (isOthers || (model.wants === 'none' && place >= model.leftAt))
    breaches.push({
      invariant: 'EXP-33',
      saw: `a handshake after the user had ${model.user === null || isOthers ? 'signed out' : 'disconnected'}`,
      expected: 'no connection until the user connects again',
      fix: 'Cancel pending calls, timers and handshakes when the user leaves, and check before each socket is opened.',
      evidence,
    })
  const expiry = surroundings.expiryOf(token.jwt)
  if (model.beginsAgain && expiry !== null && attempt.clientAt > expiry + expiryMarginMs)
    breaches.push({
      invariant: 'EXP-35',
      saw: 'an expired calling JWT in the first handshake of a new connection',
      expected: 'an unexpired calling JWT (5.5)',
      fix: 'Call getAuthToken for every connection and keep no token.',
      evidence,
    })
  const rejected = app.signaling
    .attempts()
    .slice(0, place)
    .find((one) => one.credential === credential && surroundings.hasSeenRejection(one))
  if (rejected !== undefined && rejected.closedAt !== null && rejected.closedAt < attempt.at)
    breaches.push({
      invariant: 'EXP-36',
      saw: 'one more handshake with a calling JWT that was rejected before',
      expected: 'a new calling JWT in the next handshake (5.6)',
      fix: 'Discard a rejected token, wherever it is kept, and call getAuthToken before the next handshake.',
      evidence: [rejected.exchange, exchange],
    })
  return breaches
}

/**
 * Judges the open connections. Each must end with the session and the wish that it belongs to, and be the
 * only one.
 */
export function judgeOpen({ app, model, surroundings }: AttemptContext): OwnBreach[] {
  const open = openAttempts(app.signaling.attempts())
  const stays = (attempts: readonly ConnectionAttempt[], most: number) => async () =>
    (await app.waitOnClientClock(
      () => attempts.filter(({ closedAt }) => closedAt === null).length <= most,
      closingSeconds,
    )) === null
  const evidence = open.map(({ exchange }) => exchange)
  const holderOf = ({ credential }: ConnectionAttempt) => {
    const token = app.issued().find(({ jwt }) => jwt === credential)
    return token && surroundings.holderOf(token)
  }
  const { user, wants, signedInAt } = model
  const places = new Map(app.signaling.attempts().map((attempt, place) => [attempt, place]))
  const others = open.filter(
    (attempt) => (places.get(attempt) ?? 0) < signedInAt && isOfAnother(holderOf(attempt), model),
  )
  if (others.length > 0)
    return [
      {
        invariant: 'EXP-32',
        saw: 'a connection of a user who has signed out, still open after another user has signed in',
        expected: 'only connections of the signed-in user (2.1.4)',
        fix: 'Close every connection of a user, also those that are being opened, on sign-out.',
        evidence,
        confirm: stays(others, 0),
      },
    ]
  if (wants === 'none' && open.length > 0)
    return [
      {
        invariant: 'EXP-33',
        saw: `a connection that is open after the user has ${user === null ? 'signed out' : 'disconnected'}`,
        expected: 'no connection until the user connects again',
        fix: 'Close every connection, also those that are being opened, when the user leaves.',
        evidence,
        confirm: stays(open, 0),
      },
    ]
  if (open.length > 1)
    return [
      {
        invariant: 'EXP-39',
        saw: `${open.length} connections of one client at the same time`,
        expected: 'one connection',
        fix: 'Keep one loop that connects: a second failure must not start another one.',
        evidence,
        confirm: stays(open, 1),
      },
    ]
  return []
}

/** Judges whether a step has too many handshakes and calls; seconds are those of the client's clock. */
export function judgeFlood(attempts: number, calls: number, seconds: number): OwnBreach[] {
  const isFlood =
    attempts > flood.attempts + flood.attemptsEachSecond * seconds ||
    calls > flood.calls + flood.callsEachSecond * seconds
  return isFlood
    ? [
        {
          invariant: 'EXP-39',
          saw: `${attempts} handshakes and ${calls} calls of the token route within ${Math.ceil(seconds * 10) / 10} s`,
          expected: 'a few of each, with increasing delays',
          fix: 'Back off exponentially between attempts, and keep one loop that connects.',
        },
      ]
    : []
}
