import fc from 'fast-check'
import * as z from 'zod'

export const users = ['alice', 'bob'] as const
export type User = (typeof users)[number]

/** How the backend answers a call of the token route. */
const answers = ['a token', '401', '500', 'success without a token', 'a closed connection'] as const
export type BackendAnswerKind = (typeof answers)[number]

/** What happens to calls of the token route; `nothing yet` keeps them waiting for a later step. */
const backendReactions = [...answers, 'nothing yet'] as const
export type BackendReactionKind = (typeof backendReactions)[number]

/** What happens to handshakes. `accepts` refuses tokens that have expired, or were refused before. */
const signalingReactions = ['accepts', 'refuses', 'drops', '503'] as const
export type SignalingReactionKind = (typeof signalingReactions)[number]

const mostHeld = 3
const waits = [2, 20, 90] as const

/** How backend and signaling react from this step on, until another says otherwise. */
const reactions = { backend: z.enum(backendReactions), signaling: z.enum(signalingReactions) }
export type Reactions = Readonly<z.infer<z.ZodObject<typeof reactions>>>

const schemas = [
  z.strictObject({ does: z.literal('sign in'), who: z.enum(users), ...reactions }),
  z.strictObject({ does: z.literal('sign out') }),
  z.strictObject({ does: z.literal('switch user'), ...reactions }),
  z.strictObject({ does: z.literal('connect'), times: z.int().min(1).max(3), ...reactions }),
  z.strictObject({ does: z.literal('disconnect') }),
  z.strictObject({ does: z.literal('refuse'), ...reactions }),
  z.strictObject({ does: z.literal('drop'), ...reactions }),
  z.strictObject({
    does: z.literal('answer'),
    which: z.int().min(0).max(mostHeld),
    with: z.enum(answers),
    signaling: z.enum(signalingReactions),
  }),
  z.strictObject({ does: z.literal('expire') }),
  z.strictObject({ does: z.literal('wait'), seconds: z.number().min(0).max(120), ...reactions }),
] as const

export const clientSteps = z.array(z.discriminatedUnion('does', schemas))
export type ClientStep = z.infer<typeof clientSteps>[number]

export interface MakeOptions {
  readonly hasBob: boolean
  /** A program's waits are real ones. */
  readonly canDriveClock: boolean
}

/**
 * Steps of a round of stories. Each round draws on a few reactions only, so that the same things happen again and again;
 * the simplest come first, since a story is made shorter towards them.
 */
export function makeSteps(
  { hasBob, canDriveClock }: MakeOptions,
  random: () => number,
): fc.Arbitrary<ClientStep>[] {
  const isChosen = (share: number) => random() < share
  const pick = <T>(from: readonly T[]): T[] => {
    const one = from[Math.floor(random() * from.length)]
    return one === undefined ? [] : [one]
  }
  const failures = isChosen(0.6) ? pick(answers.slice(1)) : []
  const holds = isChosen(0.5) ? (['nothing yet'] as const) : []
  const troubles = isChosen(0.6) ? pick(['refuses', 'refuses', 'drops', 'drops', '503'] as const) : []
  const backend = fc.constantFrom<BackendReactionKind>('a token', ...failures, ...holds)
  const signaling = fc.constantFrom<SignalingReactionKind>('accepts', ...troubles)
  const reacting = { backend, signaling }
  const always = <T extends string>(value: T) => fc.constant(value)
  const connect = fc.record({
    does: always('connect' as const),
    times: fc.constantFrom(1, 1, 1, 2),
    ...reacting,
  })
  const drop = fc.record({ does: always('drop' as const), ...reacting })
  const refuse = fc.record({ does: always('refuse' as const), ...reacting })
  const answer = fc.record({
    does: always('answer' as const),
    which: fc.nat({ max: mostHeld - 1 }),
    with: fc.constantFrom<BackendAnswerKind>('a token', 'a token', ...failures),
    signaling,
  })
  const disconnect = fc.constant({ does: 'disconnect' as const })
  const signOut = fc.constant({ does: 'sign out' as const })
  const signIn = fc.record({
    does: always('sign in' as const),
    who: fc.constantFrom(...(hasBob ? users : users.slice(0, 1))),
    ...reacting,
  })
  const switchUser = fc.record({ does: always('switch user' as const), ...reacting })
  const wait = fc.record({
    does: always('wait' as const),
    seconds: fc.constantFrom(...(canDriveClock ? waits : waits.slice(0, 1))),
    ...reacting,
  })
  const changes = isChosen(0.5)
  // Commands are drawn evenly: what finds the most is named more often.
  return [
    ...[connect, connect, drop, drop],
    ...(isChosen(0.5) ? [refuse, refuse] : []),
    ...(isChosen(0.7) ? [disconnect, disconnect] : []),
    ...(holds.length > 0 ? [answer, answer, answer] : []),
    ...(changes ? [signOut, signIn] : []),
    ...(changes && hasBob ? [switchUser] : []),
    ...(canDriveClock && isChosen(0.5) ? [fc.constant({ does: 'expire' as const })] : []),
    ...(isChosen(0.3) ? [wait] : []),
  ]
}
