import * as z from 'zod'
import { pauseSchema, pauses } from '../engine/common-steps.ts'
import { always, anyOf, between, type Draw, listOf, oneOf, record } from '../engine/draw.ts'

/** Whose session a request carries. */
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

/** Those whose session is live when a story begins. */
export const liveCallers = [
  'alice',
  'alice, on her second device',
  'bob',
] as const satisfies readonly Caller[]

/** Users whose sessions can begin and end during a story. */
export const users = ['alice', 'bob'] as const
export type User = (typeof users)[number]

/** How the mint answers a call. */
export const answers = [
  'a token',
  'a token that soon expires',
  '401',
  '402',
  '403',
  '429',
  '500',
  '503',
  'success without a token',
  'a closed connection',
] as const
export type MintAnswer = (typeof answers)[number]

/** Reactions to the mint calls of a step: `nothing yet` keeps them waiting for a later step, the other serves second tries. */
const reactions = [...answers, 'one 503, then tokens', 'nothing yet'] as const
export type MintReaction = (typeof reactions)[number]

const mostAtOnce = 4
const mostHeld = 4

const askSchema = z.strictObject({
  does: z.literal('ask'),
  who: z.array(z.enum(callers)).min(1).max(mostAtOnce),
  mint: z.enum(reactions),
})
const answerSchema = z.strictObject({
  does: z.literal('answer'),
  which: z.int().min(0).max(mostHeld),
  mint: z.enum(answers),
})
/** A session that was signed out may be served for a while. */
const outlastSchema = z.strictObject({ does: z.literal('outlast the sign-out') })
const expireSchema = z.strictObject({ does: z.literal('expire') })
const signOutSchema = z.strictObject({ does: z.literal('sign out'), who: z.enum(users) })
const signInSchema = z.strictObject({ does: z.literal('sign in'), who: z.enum(users) })

export const backendSteps = z.array(
  z.discriminatedUnion('does', [
    askSchema,
    answerSchema,
    expireSchema,
    signOutSchema,
    signInSchema,
    outlastSchema,
    pauseSchema,
  ]),
)
export type BackendStep = z.infer<typeof backendSteps>[number]

/** Failures of the mint that a round draws; some are drawn twice. Few come again and again, many follow each other. */
const fewestFailures = 2
const mostFailures = 6

/**
 * Steps of a round of stories. Each round draws on a few callers and answers only, so that the same things happen to the
 * same users again and again.
 */
export function makeSteps(
  who: readonly Caller[],
  canSignOut: boolean,
  random: () => number,
): Draw<BackendStep>[] {
  const isChosen = (share: number) => random() < share
  const [first, ...others] = who
  const chosen = [...(first === undefined ? [] : [first]), ...others.filter(() => isChosen(0.4))]
  const failures = answers.slice(2)
  const answered: MintAnswer[] = [
    'a token',
    // The wait for an expiry takes as long as ten other steps.
    ...(isChosen(0.2) ? (['a token that soon expires'] as const) : []),
    ...listOf(oneOf(failures), fewestFailures, mostFailures)(random),
  ]
  const reacted: MintReaction[] = [
    ...answered,
    ...(isChosen(0.3) ? (['one 503, then tokens'] as const) : []),
    ...(isChosen(0.5) ? (['nothing yet'] as const) : []),
  ]
  const single = listOf(oneOf(chosen), 1, 1)
  const several = listOf(oneOf(chosen), 2, mostAtOnce)
  const ask = record({
    does: always('ask'),
    who: isChosen(0.4) ? anyOf([single, single, several]) : single,
    mint: oneOf(reacted),
  })
  const answer = record({
    does: always('answer'),
    which: between(0, mostHeld - 1),
    mint: oneOf(answered),
  })
  const expire = always({ does: 'expire' })
  const signOut = record({ does: always('sign out'), who: oneOf(users) })
  const signIn = record({ does: always('sign in'), who: oneOf(users) })
  // Steps are drawn evenly: what finds the most is named more often.
  return [
    ...[ask, ask, ask, ask, ask],
    ...(reacted.includes('nothing yet') ? [answer, answer, answer] : []),
    ...(answered.includes('a token that soon expires') ? [expire] : []),
    ...(canSignOut && isChosen(0.25) ? [signOut, signIn] : []),
    ...(isChosen(0.15) ? [pauses] : []),
  ]
}

/** One caller, and a mint that answers. */
export function makePlain(step: BackendStep): BackendStep {
  if (step.does === 'ask') return { ...step, who: step.who.slice(0, 1), mint: 'a token' }
  return step.does === 'answer' ? { ...step, which: 0, mint: 'a token' } : step
}
