import type {
  BackendAnswer,
  BackendCall,
  BackendReaction,
  ClientApp,
  ConnectionAttempt,
  IssuedToken,
  SignalingReaction,
} from '../../roles/client/types.ts'
import { openAttempts } from './model.ts'
import type { BackendAnswerKind, Reactions, SignalingReactionKind } from './steps.ts'

/** The doubles while a story is told: they react as the steps say, and keep calls waiting. */
export interface Surroundings {
  readonly reactions: Reactions
  react(reactions: Partial<Reactions>): void
  /** Calls that wait for an answer, and that the client has not given up. */
  held(): readonly BackendCall[]
  /** Answers a call that was kept waiting. */
  release(which: number, answer: BackendAnswerKind): void
  /** By its own clock, in milliseconds since it was opened, when the token has expired; null where it was not issued here. */
  expiryOf(jwt: string): number | null
  /** The user in whose session the backend gave the token, which may name another. */
  holderOf(token: IssuedToken): string
  /** Calls whose answer brought no token, also those that the client gave up. */
  failedCalls(): readonly BackendCall[]
  /** It was rejected as 401 before it was accepted. */
  isRejected(attempt: ConnectionAttempt): boolean
  /** Rejects the open connections as 401. */
  refuseOpen(): void
  /** Its token was rejected, then or on the open connection, in a way that the client can see. */
  hasSeenRejection(attempt: ConnectionAttempt): boolean
  /** Its token stays rejected, and the client cannot tell that from a failure that passes. */
  isRejectedUnseen(attempt: ConnectionAttempt): boolean
  /** No call is kept waiting, and everything that is valid is accepted. */
  isGood(): boolean
}

interface Waiting {
  readonly call: BackendCall
  readonly ordinary: (userId?: string) => Promise<BackendAnswer>
  readonly answer: PromiseWithResolvers<BackendReaction>
}

/** The lifetime of the tokens of a story. They expire when a step says so, and never before. */
export const lifetimeSeconds = 3600

export interface SurroundingsOptions {
  /** A token that was refused stays refused, as a revoked one does; not where the client cannot see a refusal. */
  readonly remembersRefusals: boolean
  /** How handshakes are rejected as 401. */
  readonly refusal: 'refuse' | 'refuse once open'
  /** Ids of users, as far as they are known before they sign in. */
  readonly userIds: readonly string[]
}

export function surroundClient(
  app: ClientApp,
  { remembersRefusals, refusal, userIds }: SurroundingsOptions,
): Surroundings {
  const waiting: Waiting[] = []
  const expiries = new Map<string, number>()
  const failed = new Set<BackendCall>()
  /** The holders of tokens that name another user. */
  const misgiven = new Map<string, string>()
  const unavailable = new Set<ConnectionAttempt>()
  const refusedOpen = new Set<ConnectionAttempt>()
  let reactions: Reactions = { backend: 'a token', signaling: 'accepts' }

  const answer = async (
    call: BackendCall,
    ordinary: (userId?: string) => Promise<BackendAnswer>,
    how: BackendAnswerKind,
  ): Promise<BackendReaction> => {
    if (how !== 'a token') failed.add(call)
    if (how === 'a closed connection') return 'reset'
    if (how === 'success without a token') return { status: 200, body: '{}' }
    if (how !== 'a token' && how !== "another user's token")
      return { status: Number(how), body: '{"error":"calling is not available"}' }
    let answered = await ordinary()
    if (how !== 'a token') {
      const holder = userOf(call.issued) ?? ''
      const other = userIds.find((id) => id !== holder)
      answered = await ordinary(other)
      if (call.issued !== null) misgiven.set(call.issued, holder)
    }
    if (call.issued !== null) expiries.set(call.issued, app.clientNow() + lifetimeSeconds * 1000)
    return answered
  }
  const userOf = (given: string | null) => app.issued().find(({ jwt }) => jwt === given)?.userId

  const isRejected = (attempt: ConnectionAttempt) =>
    attempt.outcome === 'refused' && !unavailable.has(attempt)
  const hasSeenRejection = (attempt: ConnectionAttempt) =>
    refusedOpen.has(attempt) || (remembersRefusals && isRejected(attempt))
  const isSpent = (jwt: string) =>
    misgiven.has(jwt) ||
    (remembersRefusals &&
      app.signaling.attempts().some((attempt) => attempt.credential === jwt && isRejected(attempt)))
  const reactToHandshake = (attempt: ConnectionAttempt): SignalingReaction => {
    const { signaling } = reactions
    if (signaling === '503') unavailable.add(attempt)
    if (signaling === 'drops') return 'drop'
    if (signaling === '503') return { http: 503 }
    if (signaling === 'refuses') return refusal
    const { credential } = attempt
    return credential !== null && isSpent(credential) ? refusal : 'ordinary'
  }

  app.backend.lifetime(lifetimeSeconds)
  app.backend.answer((call, ordinary) => {
    if (reactions.backend !== 'nothing yet') return answer(call, ordinary, reactions.backend)
    const one: Waiting = { call, ordinary, answer: Promise.withResolvers<BackendReaction>() }
    waiting.push(one)
    app.backend.hold(call, true)
    return one.answer.promise
  })
  app.signaling.answer(reactToHandshake)

  const isWaiting = ({ call }: Waiting) => call.givenUpAt === null
  return {
    get reactions() {
      return reactions
    },
    react(next) {
      reactions = { ...reactions, ...next }
    },
    held: () => waiting.filter(isWaiting).map(({ call }) => call),
    release(which, how) {
      const open = waiting.filter(isWaiting)
      const one = open[which % open.length]
      if (one === undefined) return
      waiting.splice(waiting.indexOf(one), 1)
      app.backend.hold(one.call, false)
      one.answer.resolve(answer(one.call, one.ordinary, how))
    },
    expiryOf: (jwt) => expiries.get(jwt) ?? null,
    holderOf: ({ jwt, userId }) => misgiven.get(jwt) ?? userId,
    isRejected,
    refuseOpen() {
      for (const attempt of openAttempts(app.signaling.attempts()))
        if (attempt.hasReadWelcome) refusedOpen.add(attempt)
      app.signaling.refuseOpen()
    },
    hasSeenRejection,
    isRejectedUnseen: (attempt) =>
      isRejected(attempt) && !hasSeenRejection(attempt) && misgiven.has(attempt.credential ?? ''),
    failedCalls: () => app.backend.calls().filter((call) => failed.has(call) || call.givenUpAt !== null),
    isGood: () =>
      reactions.backend === 'a token' && reactions.signaling === 'accepts' && !waiting.some(isWaiting),
  }
}

/** How a reaction reads after "signaling". */
export const signalingText: Readonly<Record<SignalingReactionKind, string>> = {
  accepts: 'accepts handshakes',
  refuses: 'rejects handshakes as 401',
  drops: 'drops handshakes',
  '503': 'answers handshakes with 503',
}
