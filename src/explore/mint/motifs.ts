import { pause } from '../engine/common-steps.ts'
import { type Motif, motif, repeat } from '../engine/motif.ts'
import { shuffle } from '../engine/shuffle.ts'
import {
  type AskedLifetime,
  type AskStep,
  isIn,
  type Key,
  type MintStep,
  stateKeys,
  type User,
} from './steps.ts'

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
  const begun = motif<MintStep>('what is decided while another waits', [
    ...few().flatMap((key) => [
      { ...ask(right, 'alice', 'none'), does: 'begin' as const },
      { ...ask(key, 'bob', 'long'), does: 'begin' as const },
      { ...ask(right, 'bob', 'none'), does: 'begin' as const },
      { does: 'finish' as const },
    ]),
    ask(right, 'alice', 'none'),
  ])
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
  const states = shuffle(present, random).filter((key) => isIn(stateKeys, key))
  const behindPause = motif<MintStep>('what a pause forgets', [
    ...[...states, ...few().slice(0, fewestInARow)].flatMap((key) => [
      ask(key, 'bob', 'none'),
      ask(key, 'bob', 'none'),
      pause(1_100),
      ask(key, 'bob', 'none'),
    ]),
    ask(right, 'alice', 'none'),
  ])
  const told = shuffle([...rejected, served, together, begun, repeated, lifetimes, anybody], random)
  return [behindPause, ...told]
}

const right = 'the right key'

function ask(key: Key, who: User, lifetime: AskedLifetime): AskStep {
  return { does: 'ask', key, who: [who], lifetime, idempotency: null }
}
