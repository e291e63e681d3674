import * as z from 'zod'
import { type Dice, drawPause, pauseSchema } from '../engine/subject.ts'

/** Users whose sessions can begin and end during a story. */
export const users = ['alice', 'bob'] as const
export type User = (typeof users)[number]

export const callers = [
  'alice',
  'alice, on her second device',
  'bob',
  'an expired session',
  'a signed-out session',
  "alice's session without its last characters",
  'no session',
] as const
export type Caller = (typeof callers)[number]

const failures = [
  '401',
  '402',
  '403',
  '429',
  '500',
  '503',
  'success without a token',
  'a closed connection',
] as const
const answers = ['a token', 'a token that soon expires', ...failures] as const
export type MintAnswer = (typeof answers)[number]

/** Reactions to the mint calls of a step: `nothing yet` keeps them waiting for a later step, the other serves second tries. */
const reactions = [...answers, 'one 503, then tokens', 'nothing yet'] as const
export type MintReaction = (typeof reactions)[number]

const mostAtOnce = 4
const mostHeld = 4

export const backendSteps = z.array(
  z.discriminatedUnion('does', [
    z.strictObject({
      does: z.literal('ask'),
      who: z.array(z.enum(callers)).min(1).max(mostAtOnce),
      mint: z.enum(reactions),
    }),
    z.strictObject({
      does: z.literal('answer'),
      which: z.int().min(0).max(mostHeld),
      mint: z.enum(answers),
    }),
    z.strictObject({ does: z.literal('expire') }),
    z.strictObject({ does: z.literal('sign out'), who: z.enum(users) }),
    z.strictObject({ does: z.literal('sign in'), who: z.enum(users) }),
    // A session that was signed out may be served for a while.
    z.strictObject({ does: z.literal('outlast the sign-out') }),
    pauseSchema,
  ]),
)
export type BackendStep = z.infer<typeof backendSteps>[number]
export type AskStep = Extract<BackendStep, { does: 'ask' }>

/** Failures of the mint that a round draws; some are drawn twice. Few come again and again, many follow each other. */
const fewestFailures = 2
const mostFailures = 6

export function drawRound(
  [first = 'alice', ...others]: readonly Caller[],
  canSignOut: boolean,
  dice: Dice,
): () => BackendStep {
  const { chance, between, oneOf } = dice
  const asking = [first, ...others.filter(() => chance(0.4))]
  // The wait for an expiry takes as long as ten other steps.
  const expires = chance(0.2)
  const answered: MintAnswer[] = [
    'a token',
    ...(expires ? (['a token that soon expires'] as const) : []),
    ...Array.from({ length: between(fewestFailures, mostFailures) }, () => oneOf(failures)),
  ]
  const holds = chance(0.5)
  const reacted: MintReaction[] = [
    ...answered,
    ...(chance(0.3) ? (['one 503, then tokens'] as const) : []),
    ...(holds ? (['nothing yet'] as const) : []),
  ]
  const together = chance(0.4)
  const signsOut = canSignOut && chance(0.25)
  const pauses = chance(0.15)
  return () => {
    if (pauses && chance(0.1)) return drawPause(dice)
    if (signsOut && chance(0.1)) return { does: 'sign in', who: oneOf(users) }
    if (signsOut && chance(0.1)) {
      // It takes as long as twenty other steps.
      if (chance(0.1)) return { does: 'outlast the sign-out' }
      return { does: 'sign out', who: oneOf(users) }
    }
    if (expires && chance(0.1)) return { does: 'expire' }
    if (holds && chance(0.35))
      return { does: 'answer', which: between(0, mostHeld - 1), mint: oneOf(answered) }
    const count = together && chance(0.35) ? between(2, mostAtOnce) : 1
    return { does: 'ask', who: Array.from({ length: count }, () => oneOf(asking)), mint: oneOf(reacted) }
  }
}
