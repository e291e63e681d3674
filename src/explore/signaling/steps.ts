import * as z from 'zod'
import { pauseSchema, pauses } from '../engine/common-steps.ts'
import { always, anyOf, between, type Draw, oneOf, record } from '../engine/draw.ts'

export const users = ['alice', 'bob'] as const
export type User = (typeof users)[number]

/** Forms in which a client offers a token. */
export const offers = [
  'as it is',
  'with changed claims',
  'with a changed signature',
  "with the other user's id",
] as const
export type Offer = (typeof offers)[number]

const mostTokens = 6

const mintSchema = z.strictObject({
  does: z.literal('mint'),
  who: z.enum(users),
  lives: z.enum(['long', 'short']),
})
const besideSchema = z.strictObject({ token: z.int().min(0).max(mostTokens), offer: z.enum(offers) })
const connectSchema = z.strictObject({
  does: z.literal('connect'),
  /** The place of the token among those of the story. */
  token: z.int().min(0).max(mostTokens),
  offer: z.enum(offers),
  times: z.int().min(1).max(3),
  stays: z.boolean(),
  /** Another client connects at the same time. */
  beside: besideSchema.optional(),
})
const emptySchema = z.strictObject({ does: z.literal('connect without a token') })
const dropSchema = z.strictObject({ does: z.literal('drop') })
const expireSchema = z.strictObject({ does: z.literal('expire') })

export const signalingSteps = z.array(
  z.discriminatedUnion('does', [
    mintSchema,
    connectSchema,
    emptySchema,
    dropSchema,
    expireSchema,
    pauseSchema,
  ]),
)
export type SignalingStep = z.infer<typeof signalingSteps>[number]

/** Steps of a round of stories; each round draws on a few offers only. */
export function makeSteps(
  declaresUser: boolean,
  canExpire: boolean,
  random: () => number,
): Draw<SignalingStep>[] {
  const isChosen = (share: number) => random() < share
  const possible = offers.filter((offer) => declaresUser || offer !== "with the other user's id")
  const offered = possible.filter((offer) => offer === 'as it is' || isChosen(0.4))
  // Stories that wait for an expiry take ten times as long as others.
  const isExpiring = canExpire && isChosen(0.3)
  const mint = record({
    does: always('mint'),
    who: isChosen(0.5) ? oneOf(users) : always('alice'),
    lives: isExpiring ? oneOf(['long' as const, 'short' as const]) : always('long'),
  })
  const other = record({ token: between(0, mostTokens - 1), offer: oneOf(offered) })
  const connect = record({
    does: always('connect'),
    token: between(0, mostTokens - 1),
    offer: oneOf(offered),
    times: isChosen(0.2) ? between(1, 3) : always(1),
    stays: isChosen(0.3) ? oneOf([true, false]) : always(false),
    beside: isChosen(0.3) ? anyOf([other, other, other, always(undefined)]) : always(undefined),
  })
  const empty = always({ does: 'connect without a token' })
  const drop = always({ does: 'drop' })
  const expire = always({ does: 'expire' })
  return [
    mint,
    connect,
    connect,
    connect,
    ...(isChosen(0.3) ? [empty, drop] : []),
    ...(isExpiring ? [expire] : []),
    ...(isChosen(0.15) ? [pauses] : []),
  ]
}

/** One connection of an ordinary client that leaves at once. */
export function makePlain(step: SignalingStep): SignalingStep {
  return step.does === 'connect'
    ? { ...step, offer: 'as it is', times: 1, stays: false, beside: undefined }
    : step
}
