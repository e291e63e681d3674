import * as z from 'zod'
import { type Dice, drawPause, pauseSchema } from '../engine/subject.ts'

const users = ['alice', 'bob'] as const
export type User = (typeof users)[number]

const offers = [
  'as it is',
  'with changed claims',
  'with a changed signature',
  "with the other user's id",
] as const
export type Offer = (typeof offers)[number]

/** Tokens of a story. */
export const mostTokens = 6

const offered = {
  /** The place of the token among those of the story. */
  token: z.int().min(0).max(mostTokens),
  offer: z.enum(offers),
}

export const signalingSteps = z.array(
  z.discriminatedUnion('does', [
    z.strictObject({ does: z.literal('mint'), who: z.enum(users), lives: z.enum(['long', 'short']) }),
    z.strictObject({
      does: z.literal('connect'),
      ...offered,
      times: z.int().min(1).max(3),
      stays: z.boolean(),
      beside: z.strictObject(offered).optional(),
    }),
    z.strictObject({ does: z.literal('connect without a token') }),
    z.strictObject({ does: z.literal('drop') }),
    z.strictObject({ does: z.literal('expire') }),
    pauseSchema,
  ]),
)
export type SignalingStep = z.infer<typeof signalingSteps>[number]
export type ConnectStep = Extract<SignalingStep, { does: 'connect' }>

export function drawRound(
  { declaresUser, canExpire }: { readonly declaresUser: boolean; readonly canExpire: boolean },
  dice: Dice,
): () => SignalingStep {
  const { chance, between, oneOf } = dice
  const drawn = offers.filter(
    (offer) =>
      offer === 'as it is' || (chance(0.4) && (declaresUser || offer !== "with the other user's id")),
  )
  const minted = chance(0.5) ? users : (['alice'] as const)
  // Stories that wait for an expiry take ten times as long as others.
  const expires = canExpire && chance(0.3)
  const repeats = chance(0.2)
  const mayStay = chance(0.3)
  const together = chance(0.3)
  const drops = chance(0.3)
  const pauses = chance(0.15)
  const offer = () => ({ token: between(0, mostTokens - 1), offer: oneOf(drawn) })
  return () => {
    if (pauses && chance(0.1)) return drawPause(dice)
    if (expires && chance(0.15)) return { does: 'expire' }
    if (drops && chance(0.3)) return { does: oneOf(['connect without a token', 'drop']) }
    if (chance(0.25))
      return { does: 'mint', who: oneOf(minted), lives: expires ? oneOf(['long', 'short']) : 'long' }
    return {
      does: 'connect',
      ...offer(),
      times: repeats ? between(1, 3) : 1,
      stays: mayStay && chance(0.5),
      beside: together && chance(0.75) ? offer() : undefined,
    }
  }
}
