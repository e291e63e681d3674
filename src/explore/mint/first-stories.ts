import { shuffle } from '../engine/shuffle.ts'
import type { AskedLifetime, AskStep, Key, MintStep, User } from './steps.ts'

/** So many requests in a row are enough for caches, limits and counters. */
const fewestInARow = 2
const mostInARow = 5
/** Served requests in front of each key, in one of the stories. */
const servedFirst = 6

/**
 * Makes the stories that are told before others: each key several times in a row with served requests and other keys behind
 * it, served requests before each key, requests at once, and one Idempotency-Key for two users.
 */
export function makeFirstStories(present: readonly Key[], random: () => number): MintStep[][] {
  const count = () => fewestInARow + Math.floor(random() * (mostInARow - fewestInARow + 1))
  const rejected = present.map((key) => [
    ...repeat(ask(key, 'bob', 'long'), count()),
    ask(right, 'alice', 'none'),
    ask(right, 'bob', 'short'),
    ...shuffle(present, random)
      .slice(0, mostInARow)
      .map((other) => ask(other, 'alice', 'none')),
    ask(key, 'alice', 'none'),
  ])
  const served = [
    ...repeat(ask(right, 'alice', 'none'), servedFirst),
    ...shuffle(present, random)
      .slice(0, mostInARow)
      .flatMap((key) => [ask(key, 'bob', 'none'), ask(right, 'bob', 'long'), ask(right, 'alice', 'none')]),
  ]
  const together: MintStep[] = repeat(
    { ...ask(right, 'alice', 'none'), who: ['alice', 'bob', 'alice'] },
    mostInARow,
  )
  const repeated = (['alice', 'alice', 'alice', 'bob', 'bob'] as const).map((who) => ({
    ...ask(right, who, 'none'),
    idempotency: 0,
  }))
  return shuffle([...rejected, served, together, repeated], random)
}

const right = 'the right key'

function ask(key: Key, who: User, lifetime: AskedLifetime): AskStep {
  return { does: 'ask', key, who: [who], lifetime, idempotency: null }
}

function repeat(step: AskStep, times: number): AskStep[] {
  return Array.from({ length: times }, () => step)
}
