import { shuffle } from '../engine/shuffle.ts'
import { type Offer, offers, type SignalingStep, type User } from './steps.ts'

export interface FirstStoriesOptions {
  readonly declaresUser: boolean
  readonly canExpire: boolean
}

/** So many attempts in a row are enough for caches, limits and slots that count. */
const fewestAttempts = 2
const mostAttempts = 5

/**
 * Makes the stories that are told before others: a run of one attempt with new and known tokens behind it, acceptances before
 * each forgery, and an expiry behind acceptances. Slow signaling has no time for many stories.
 */
export function makeFirstStories(
  { declaresUser, canExpire }: FirstStoriesOptions,
  random: () => number,
): SignalingStep[][] {
  const wrong = offers.filter(
    (offer) => offer !== 'as it is' && (declaresUser || offer !== "with the other user's id"),
  )
  const attempts: SignalingStep[] = [...wrong.map((offer) => connect(0, offer)), withoutToken]
  const count = () => fewestAttempts + Math.floor(random() * (mostAttempts - fewestAttempts + 1))
  const rejected = attempts.map((attempt) => [
    mint('alice'),
    mint('bob'),
    ...repeat(attempt, count()),
    connect(0, 'as it is'),
    connect(1, 'as it is'),
    ...shuffle(attempts, random),
  ])
  const accepted = [
    mint('alice'),
    ...repeat(connect(0, 'as it is'), count()),
    ...shuffle(attempts, random),
    mint('bob'),
    connect(1, 'as it is'),
  ]
  const dropped = [
    mint('alice'),
    ...repeat({ ...connect(0, 'as it is'), stays: true }, 2),
    ...shuffle(attempts, random),
    ...repeat({ does: 'drop' } as const, 2),
    ...shuffle(attempts, random),
    mint('alice'),
    connect(1, 'as it is'),
  ]
  const expired = [
    mint('alice', 'short'),
    ...repeat(connect(0, 'as it is'), count()),
    { does: 'expire' } as const,
    ...repeat(connect(0, 'as it is'), 3),
    mint('bob'),
    connect(1, 'as it is'),
  ]
  return shuffle([...rejected, accepted, dropped, ...(canExpire ? [expired] : [])], random)
}

const withoutToken: SignalingStep = { does: 'connect without a token' }

function mint(who: User, lives: 'long' | 'short' = 'long'): SignalingStep {
  return { does: 'mint', who, lives }
}

function connect(token: number, offer: Offer): Extract<SignalingStep, { does: 'connect' }> {
  return { does: 'connect', token, offer, times: 1, stays: false }
}

function repeat(step: SignalingStep, times: number): SignalingStep[] {
  return Array.from({ length: times }, () => step)
}
