import { type Motif, motif, repeat } from '../engine/motif.ts'
import { shuffle } from '../engine/shuffle.ts'
import type { AskedLifetime, AskStep, Key, MintStep, User } from './steps.ts'

/** So many requests in a row are enough for caches, limits and counters. */
const fewestInARow = 2
const mostInARow = 5
/** Served requests in front of each key, in one of the stories. */
const servedFirst = 6

/** Makes the stories that are told before others. */
export function makeMotifs(present: readonly Key[], random: () => number): Motif<MintStep>[] {
  const count = () => fewestInARow + Math.floor(random() * (mostInARow - fewestInARow + 1))
  const few = () => shuffle(present, random).slice(0, mostInARow)
  const rejected = present.map((key) =>
    motif(`rejections in a row: ${key}`, [
      ...repeat(ask(key, 'bob', 'long'), count()),
      ask(right, 'alice', 'none'),
      ask(right, 'bob', 'short'),
      ...few().map((other) => ask(other, 'alice', 'none')),
      ask(key, 'alice', 'none'),
    ]),
  )
  const served = motif('a verdict on a key that is kept', [
    ...repeat(ask(right, 'alice', 'none'), servedFirst),
    ...few().flatMap((key) => [
      ask(key, 'bob', 'none'),
      ask(right, 'bob', 'long'),
      ask(right, 'alice', 'none'),
    ]),
  ])
  const together = motif(
    'the last of two who are under way, and every n-th',
    repeat<AskStep>({ ...ask(right, 'alice', 'none'), who: ['alice', 'bob', 'alice'] }, mostInARow),
  )
  const repeated = motif(
    'one Idempotency-Key for two users',
    (['alice', 'alice', 'alice', 'bob', 'bob'] as const).map((who) => ({
      ...ask(right, who, 'none'),
      idempotency: 0,
    })),
  )
  const lifetimes = motif(
    'the lifetime of the request before',
    (['long', 'none', 'short', 'none', 'long', 'short', 'none'] as const).flatMap((lifetime) => [
      ask(right, 'alice', lifetime),
      ...few()
        .slice(0, 1)
        .map((key) => ask(key, 'bob', lifetime)),
    ]),
  )
  const anybody = motif('many wrong keys', [
    ...repeat(ask('no key', 'bob', 'none'), 2),
    ...[...few(), ...few(), ...few()].map((key) => ask(key, 'bob', 'none')),
    ask(right, 'alice', 'none'),
  ])
  return shuffle([...rejected, served, together, repeated, lifetimes, anybody], random)
}

const right = 'the right key'

function ask(key: Key, who: User, lifetime: AskedLifetime): AskStep {
  return { does: 'ask', key, who: [who], lifetime, idempotency: null }
}
