import { pause } from '../engine/common-steps.ts'
import { type Motif, motif, repeat } from '../engine/motif.ts'
import { shuffle } from '../engine/shuffle.ts'
import { type Offer, offers, type SignalingStep, type User } from './steps.ts'

export interface MotifOptions {
  readonly declaresUser: boolean
  readonly canExpire: boolean
}

/** So many attempts in a row are enough for caches, limits and slots that count. */
const fewestAttempts = 2
const mostAttempts = 5
/** Faults of every n-th request have counters that are seldom longer. */
const mostInARow = 12

/** Makes the stories that are told before others: slow signaling has no time for many. */
export function makeMotifs(
  { declaresUser, canExpire }: MotifOptions,
  random: () => number,
): Motif<SignalingStep>[] {
  const wrong = offers.filter(
    (offer) => offer !== 'as it is' && (declaresUser || offer !== "with the other user's id"),
  )
  const attempts = [...wrong.map((offer) => connect(0, offer)), withoutToken]
  const count = () => fewestAttempts + Math.floor(random() * (mostAttempts - fewestAttempts + 1))
  const rejected = attempts.map((attempt) =>
    motif(`rejections in a row: ${attempt.does === 'connect' ? attempt.offer : 'without a token'}`, [
      mint('alice'),
      mint('bob'),
      ...repeat(attempt, count()),
      connect(0, 'as it is'),
      connect(1, 'as it is'),
      ...shuffle(attempts, random),
    ]),
  )
  const accepted = motif('a verdict that is kept', [
    mint('alice'),
    ...repeat(connect(0, 'as it is'), count()),
    // Some shortcuts are open right behind an accepted token alone.
    ...shuffle(attempts, random).flatMap((attempt) => [connect(0, 'as it is'), attempt]),
    mint('bob'),
    connect(1, 'as it is'),
  ])
  const dropped = motif('what a dropped connection leaves', [
    mint('alice'),
    ...repeat({ ...connect(0, 'as it is'), stays: true }, 2),
    ...shuffle(attempts, random),
    ...repeat({ does: 'drop' } as const, 2),
    ...shuffle(attempts, random),
    mint('alice'),
    connect(1, 'as it is'),
  ])
  const connected = motif('a user who is connected', [
    mint('alice'),
    mint('bob'),
    { ...connect(1, 'as it is'), stays: true },
    ...shuffle(attempts, random),
    ...wrong.map((offer) => connect(1, offer)),
    connect(0, 'as it is'),
  ])
  const underWay = motif('the last of two who are under way', [
    mint('alice'),
    mint('bob'),
    ...wrong.flatMap((offer) => [
      { ...connect(0, offer), beside: { token: 1, offer: 'as it is' as const } },
      { ...connect(1, 'as it is'), beside: { token: 0, offer } },
    ]),
    connect(0, 'as it is'),
  ])
  const many = motif('every n-th', [
    mint('alice'),
    ...repeat(attempts[Math.floor(random() * attempts.length)] ?? withoutToken, mostInARow),
    mint('bob'),
    connect(1, 'as it is'),
  ])
  const expired = [false, true].map((stays) =>
    motif(`a verdict that outlives its token${stays ? ', of a user who is connected' : ''}`, [
      mint('alice', 'short'),
      ...repeat({ ...connect(0, 'as it is'), stays }, count()),
      { does: 'expire' } as const,
      ...repeat(connect(0, 'as it is'), 3),
      // A service that remembers the attempt before may decide by it.
      ...shuffle(attempts, random).flatMap((attempt) => [attempt, connect(0, 'as it is')]),
      mint('bob'),
      connect(1, 'as it is'),
      connect(0, 'as it is'),
    ]),
  )
  const others = [accepted, dropped, connected, underWay, many, ...(canExpire ? expired : [])]
  return [behindPause(attempts), ...shuffle([...rejected, ...others], random)]
}

/** Repeats each attempt behind a pause. */
function behindPause(attempts: readonly SignalingStep[]): Motif<SignalingStep> {
  return motif<SignalingStep>('what a pause forgets', [
    mint('alice'),
    connect(0, 'as it is'),
    ...attempts.flatMap((attempt) => [attempt, pause(1_100), attempt]),
    pause(2_000),
    mint('alice'),
    connect(1, 'as it is'),
  ])
}

const withoutToken = { does: 'connect without a token' } as const

function mint(who: User, lives: 'long' | 'short' = 'long'): SignalingStep {
  return { does: 'mint', who, lives }
}

function connect(token: number, offer: Offer): Extract<SignalingStep, { does: 'connect' }> {
  return { does: 'connect', token, offer, times: 1, stays: false }
}
