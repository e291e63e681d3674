import * as z from 'zod'
import { always, between, type Draw, oneOf, record } from '../engine/draw.ts'

export const users = ['alice', 'bob'] as const
export type User = (typeof users)[number]

/** How the backend answers a call of the token route. */
const answers = [
  'a token',
  "another user's token",
  '401',
  '500',
  'success without a token',
  'a closed connection',
] as const
export type BackendAnswerKind = (typeof answers)[number]

/** Reactions to calls of the token route; `nothing yet` keeps them waiting for a later step. */
const backendReactions = [...answers, 'nothing yet'] as const
export type BackendReactionKind = (typeof backendReactions)[number]

/** Reactions to handshakes. `accepts` refuses tokens that have expired, or were refused before. */
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

/** Kinds of steps, as far as their order is counted. */
export const commands: readonly string[] = schemas.map(({ shape }) => shape.does.value)

export const clientSteps = z.array(z.discriminatedUnion('does', schemas))
export type ClientStep = z.infer<typeof clientSteps>[number]

export interface MakeOptions {
  readonly hasBob: boolean
  /** A program's waits are real ones. */
  readonly canDriveClock: boolean
}

/** A subject of a story: a kind of step, or a reaction of backend or signaling. */
type Theme =
  | 'drop'
  | 'refuse'
  | 'disconnect'
  | 'switch user'
  | 'expire'
  | 'wait'
  | 'twice'
  | 'backend waits'
  | 'backend fails'
  | 'backend errs'
  | 'signaling fails'

/** Themes that meet in one story. The stories take them in turns, so that none is left to chance. */
const plots: readonly (readonly Theme[])[] = [
  ['drop', 'refuse'],
  ['refuse', 'backend fails'],
  ['refuse', 'disconnect', 'backend waits'],
  ['drop', 'disconnect', 'expire'],
  ['drop', 'switch user'],
  ['drop', 'refuse', 'backend fails'],
  ['refuse', 'switch user', 'backend errs'],
  ['drop', 'switch user', 'backend waits'],
  ['drop', 'disconnect', 'signaling fails', 'twice'],
  ['drop', 'refuse', 'backend fails', 'signaling fails'],
]
/** So often a story has a theme that is none of its plot. */
const strayShare = 0.1

/**
 * Steps of a story. Each draws on a few kinds of steps and reactions only, so that the same things happen again and again.
 */
export function makeSteps(
  { hasBob, canDriveClock }: MakeOptions,
  round: number,
  random: () => number,
): Draw<ClientStep>[] {
  const plot = plots[round % plots.length] ?? []
  const has = (theme: Theme) => plot.includes(theme) || random() < strayShare
  const pick = <T>(from: readonly T[]): T[] => {
    const one = from[Math.floor(random() * from.length)]
    return one === undefined ? [] : [one]
  }
  const holds = has('backend waits')
  const failures = [
    ...(has('backend fails') ? pick(answers.slice(2)) : []),
    ...(has('backend errs') ? (["another user's token"] as const) : []),
  ]
  const troubles = has('signaling fails')
    ? pick(['refuses', 'refuses', 'refuses', 'drops', '503'] as const)
    : []
  const backend = oneOf<BackendReactionKind>([
    ...(['a token', 'a token'] as const),
    ...failures,
    ...(holds ? (['nothing yet'] as const) : []),
  ])
  const signaling = oneOf<SignalingReactionKind>(['accepts', 'accepts', ...troubles])
  const reacting = { backend, signaling }
  const connect = record({
    does: always('connect'),
    times: oneOf(has('twice') ? [1, 2] : [1]),
    ...reacting,
  })
  const drop = record({ does: always('drop'), ...reacting })
  const refuse = record({ does: always('refuse'), ...reacting })
  const answer = record({
    does: always('answer'),
    which: between(0, mostHeld - 1),
    with: oneOf<BackendAnswerKind>(['a token', 'a token', ...failures]),
    signaling,
  })
  const disconnect = always({ does: 'disconnect' })
  const signOut = always({ does: 'sign out' })
  const signIn = record({
    does: always('sign in'),
    who: oneOf(hasBob ? users : users.slice(0, 1)),
    ...reacting,
  })
  const switchUser = record({ does: always('switch user'), ...reacting })
  const wait = record({
    does: always('wait'),
    seconds: oneOf(canDriveClock ? waits : waits.slice(0, 1)),
    ...reacting,
  })
  const expire = always({ does: 'expire' })

  // Steps are drawn evenly: what finds the most is named more often.
  return [
    ...[connect, connect, signIn],
    ...(has('drop') ? [drop, drop, drop] : []),
    ...(has('refuse') ? [refuse, refuse, refuse] : []),
    ...(has('disconnect') ? [disconnect, disconnect] : []),
    ...(has('switch user') ? [hasBob ? switchUser : signOut, signOut] : []),
    ...(holds ? [answer, answer] : []),
    ...(canDriveClock && has('expire') ? [expire] : []),
    ...(has('wait') ? [wait] : []),
  ]
}

/** Backend and signaling that accept everything. */
export function makePlain(step: ClientStep): ClientStep {
  if (step.does === 'answer') return { ...step, which: 0, with: 'a token', signaling: 'accepts' }
  if (!('backend' in step)) return step
  const plain = { ...step, backend: 'a token', signaling: 'accepts' } as const
  return plain.does === 'connect' ? { ...plain, times: 1 } : plain
}
