import * as z from 'zod'
import { type Dice, drawPause, pauseSchema } from '../engine/subject.ts'

const users = ['alice', 'bob'] as const
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
export const stateKeys = ['trialEnded', 'suspended', 'capped', 'revoked'] as const
export type StateName = (typeof stateKeys)[number]

export const otherKeys = [...wrongKeys, ...stateKeys, 'the key of another project'] as const
const right = 'the right key' as const
const keys = [right, ...otherKeys] as const
export type Key = (typeof keys)[number]

const lifetimes = ['none', 'short', 'long'] as const
export type AskedLifetime = (typeof lifetimes)[number]

const askSchema = z.strictObject({
  does: z.literal('ask'),
  key: z.enum(keys),
  who: z.array(z.enum(users)).min(1).max(3),
  lifetime: z.enum(lifetimes),
  /** Which Idempotency-Key of the story; null for none. */
  idempotency: z.int().min(0).max(1).nullable(),
  /** Another backend asks at the same time, with a key of its own. */
  beside: z.strictObject({ key: z.enum(keys), who: z.enum(users) }).optional(),
})

export const mintSteps = z.array(z.discriminatedUnion('does', [askSchema, pauseSchema]))
export type MintStep = z.infer<typeof mintSteps>[number]
export type AskStep = Extract<MintStep, { does: 'ask' }>

export function drawRound(present: readonly Key[], dice: Dice, round: number): () => MintStep {
  const { chance, between, oneOf } = dice
  const near = oneOf(nearMisses)
  const candidates = present.filter((key) => key === near || !isIn(nearMisses, key))
  // Each key has its turn, so that a short exploration reaches all of them.
  const inTurn = candidates[round % candidates.length]
  const others = candidates.filter((key) => key === inTurn || chance(0.35))
  const drawn: Key[] = [...others, ...others, ...Array.from({ length: between(1, 3) }, (): Key => right)]
  const together = chance(0.3)
  const varies = chance(0.5)
  const repeats = chance(0.25)
  const overlaps = chance(0.3)
  const pauses = chance(0.2)
  return () => {
    if (pauses && chance(0.15)) return drawPause(dice)
    return {
      does: 'ask',
      key: oneOf(drawn),
      who: Array.from({ length: together ? between(1, 3) : 1 }, () => oneOf(users)),
      lifetime: varies ? oneOf(lifetimes) : 'none',
      idempotency: repeats ? oneOf([null, 0, 1]) : null,
      beside: overlaps && chance(0.35) ? { key: oneOf(drawn), who: oneOf(users) } : undefined,
    }
  }
}

export function isIn<Name extends string>(names: readonly Name[], name: string): name is Name {
  return names.some((one) => one === name)
}
