import * as z from 'zod'
import { pauseSchema, pauses } from '../engine/common-steps.ts'
import { always, type Draw, listOf, oneOf, record } from '../engine/draw.ts'

export const users = ['alice', 'bob'] as const
export type User = (typeof users)[number]

/** Keys that are almost the right one, by their names in `createNearMissKeys`. */
const nearMisses = [
  'the first half of a key',
  'a key without its last character',
  'a key that differs in its last character',
  'a key that differs in the middle',
  'a key with a different first half',
  'four characters after the key',
  'the key in upper case',
] as const
/** Keys that no mint may take for the right one. */
export const wrongKeys = ['no key', 'an unknown key', ...nearMisses] as const
/** Keys in states that the operator has given. */
export const stateKeys = ['trialEnded', 'suspended', 'capped', 'revoked'] as const
export type StateName = (typeof stateKeys)[number]

const keys = ['the right key', 'the key of another project', ...wrongKeys, ...stateKeys] as const
export type Key = (typeof keys)[number]

const lifetimes = ['none', 'short', 'long'] as const
export type AskedLifetime = (typeof lifetimes)[number]

const asked = {
  key: z.enum(keys),
  /** Several ask at once. */
  who: z.array(z.enum(users)).min(1).max(3),
  lifetime: z.enum(lifetimes),
  /** Which Idempotency-Key of the story; null for none. */
  idempotency: z.int().min(0).max(1).nullable(),
}
const ask = z.strictObject({ does: z.literal('ask'), ...asked })
/** The next steps do not wait for the answers. */
const begin = z.strictObject({ does: z.literal('begin'), ...asked })
const finish = z.strictObject({ does: z.literal('finish') })

export const mintSteps = z.array(z.discriminatedUnion('does', [ask, begin, finish, pauseSchema]))
export type MintStep = z.infer<typeof mintSteps>[number]
export type AskStep = Extract<MintStep, { does: 'ask' }>
export type RequestStep = Extract<MintStep, { does: 'ask' | 'begin' }>

/** Steps of a round of stories; each round draws on a few keys only, and so gets deeper. */
export function makeSteps(present: readonly Key[], round: number, random: () => number): Draw<MintStep>[] {
  const isChosen = (share: number) => random() < share
  const right = 'the right key' as const
  const near = nearMisses.filter((key) => present.includes(key))
  const chosenNear = near[Math.floor(random() * near.length)]
  const candidates = [...present]
    .reverse()
    .filter((key) => key !== right && (key === chosenNear || !isIn(nearMisses, key)))
  // Each key has its turn, so that a short exploration reaches all of them.
  const inTurn = candidates[round % candidates.length]
  const others = candidates.filter((key) => key === inTurn || isChosen(0.35))
  const rights = Array.from({ length: 1 + Math.floor(random() * 3) }, () => right)
  const request = {
    key: oneOf([...rights, ...others, ...others]),
    who: isChosen(0.3) ? listOf(oneOf(users), 1, 3) : oneOf<User[]>([['alice'], ['bob']]),
    lifetime: isChosen(0.5) ? oneOf(lifetimes) : always('none'),
    idempotency: isChosen(0.25) ? oneOf([null, 0, 1]) : always(null),
  }
  const asking = record({ does: always('ask'), ...request })
  const beginning = record({ does: always('begin'), ...request })
  const overlap = isChosen(0.3) ? [beginning, beginning, always({ does: 'finish' })] : []
  return [asking, asking, asking, asking, ...overlap, ...(isChosen(0.2) ? [pauses] : [])]
}

/** One user who asks as every backend does. */
export function makePlain(step: MintStep): MintStep {
  if (step.does === 'pause') return { ...step, milliseconds: 100 }
  if (step.does !== 'ask' && step.does !== 'begin') return step
  return { ...step, who: step.who.slice(0, 1), lifetime: 'none', idempotency: null }
}

export function isIn<Name extends string>(names: readonly Name[], name: string): name is Name {
  return names.some((one) => one === name)
}
