import type { Clock } from '../../base/clock.ts'
import type { Secrets } from '../../base/evidence/secrets.ts'
import { away, type Limiter, retryAfterSeconds, type TooSoon } from '../../base/http/limiter.ts'
import { BanOver, ControlLost, Untested } from '../../base/inconclusive.ts'
import { overloadSeconds } from '../../base/times.ts'
import type { CallingTokens } from '../backend/calling-tokens.ts'
import type { Accepted, Attempt, AttemptRequest, OpenSocket, Refused, SignalingConnector } from './attempt.ts'
import type { SignalingConfiguration } from './configuration.ts'

export type Signaling = ReturnType<typeof createSignalingDriver>

interface UsersToken {
  readonly jwt: string
  readonly userId: string
}

export interface SignalingDriverOptions {
  readonly signaling: SignalingConfiguration
  readonly connector: SignalingConnector
  readonly tokens: CallingTokens | null
  readonly secrets: Secrets
  readonly clock: Clock
  readonly limiter: Limiter
}

/** Shorter than any token: garbage such as "undefined" is no secret, and would blank the word in every report. */
const shortestToken = 40

/** A forgery may be JSON, or two tokens: the signs between its parts are no secret, and records keep their syntax. */
function hideForged(secrets: Secrets, token: string | null): void {
  const parts = (token ?? '').split(/[^A-Za-z0-9._-]/)
  for (const part of parts) if (part.length >= shortestToken) secrets.register('forged-jwt', part)
}

/** Hosted signaling as a client sees it. Sockets are closed before an attempt is returned, unless it is held. */
export function createSignalingDriver({
  signaling,
  connector,
  tokens,
  secrets,
  clock,
  limiter,
}: SignalingDriverOptions) {
  const attempt = async (request: AttemptRequest): Promise<Attempt> => {
    hideForged(secrets, request.token)
    const send = () => connector.attempt(request)
    const made = await limiter.send(send, limitOf, isGenuine(secrets, request.token))
    const limit = limitOf(made)
    return made.outcome === 'refused' && limit !== null && limit !== away && limit.isSure
      ? { ...made, unreachable: true, summary: `${made.summary} (${paceHint})` }
      : made
  }
  // One node of many, or a network, breaks an attempt off.
  const hold = async (request: AttemptRequest): Promise<Attempt> => {
    const made = await attempt(request)
    return isBrokenOff(made) ? await attempt(request) : made
  }
  const joining = new Map<string, Promise<unknown>>()
  const joined = new Set<string>()
  const hasServed = () => joined.size > 0
  const join = ({ jwt, userId }: UsersToken): Promise<Attempt> => {
    const before = joining.get(userId) ?? Promise.resolve()
    const made = before.then(async () => await closed(await hold({ token: jwt, declaredUser: userId })))
    void made.then(
      ({ outcome }) => outcome === 'accepted' && joined.add(userId),
      () => undefined,
    )
    joining.set(
      userId,
      made.catch(() => undefined),
    )
    return made
  }
  const accepted = async (token: UsersToken): Promise<Accepted> => {
    const made = await join(token)
    if (hasServed() && isRejected(made) && (await limiter.outlastBan(isServing)))
      throw new BanOver(`signaling rejected every client for a while: it ${made.summary}`, [made.exchange])
    return assertAccepted(made)
  }
  const fresh = async () => {
    if (tokens === null)
      throw new Untested('needs a calling token for the control: configure mint, or backend with a real mint')
    return await tokens.fresh()
  }
  const isServing = async () => (await join(await fresh())).outcome === 'accepted'
  return {
    url: signaling.url,
    configuration: signaling,
    clock,
    /** True where the protocol lets a client state its userId. */
    declaresUser: connector.declaresUser,
    /** One attempt; an accepted socket is closed at once. */
    attempt: async (request: AttemptRequest) => await closed(await attempt(request)),
    /** An attempt that is made once more where it is broken off, which decides nothing. */
    decide: async (request: AttemptRequest) => await closed(await hold(request)),
    /** As `decide`, but its socket stays open when it is accepted: dispose of `socket`. */
    hold,
    /** As `decide`, with a token that should do; in turn for a user, who may have one connection only. */
    join,
    /** An attempt that must succeed; throws `ControlLost` when it does not, and `BanOver` behind a ban that is over. The socket is closed. */
    accepted,
    /** Says whether the service itself has issued a token in this run: to offer it is no forgery. */
    isGenuine: (token: string) => isGenuine(secrets, token),
    hasJoined: (userId: string) => joined.has(userId),
    hasServed,
    /** The sign that the profile takes the event for; null where it says nothing about it. */
    signOf: connector.signOf,
    unauthenticated: () => connector.open({ token: null, case: 'a client without a credential' }),
    /** Sends a credential once more on a socket that is open; false where the protocol has no message for it. */
    sendAgain(socket: OpenSocket, request: AttemptRequest & { readonly declaredUser: string }): boolean {
      hideForged(secrets, request.token)
      if (socket.resend !== undefined) {
        socket.resend({ token: request.token, userId: request.declaredUser })
        return true
      }
      const messages = connector.composeMessages(request)
      return messages.length > 0 && messages.map((message) => socket.send(message)).every((sent) => sent)
    },
    /** A control: a fresh token, of a new user where users can be chosen, is accepted. */
    async control(): Promise<void> {
      await accepted(await fresh())
    },
    /**
     * After a rejection of a genuine token: the seconds until an ordinary client is served, 0 where one is at once; null where none
     * ever was. A ban may have ended just before, so only a second rejection counts, before a `control`. Throws `ControlLost`
     * where a ban outlasts the patience.
     */
    async outlastBan(): Promise<number | null> {
      if (!hasServed()) return null
      const begun = clock.monotonic()
      const made = await join(await fresh())
      if (made.outcome === 'accepted') return 0
      const isOver = await limiter.outlastBan(isServing)
      const seconds = Math.max(1, Math.round((clock.monotonic() - begun) / 1000))
      if (isOver) return seconds
      const hint = isRejected(made) ? banHint : ''
      throw new ControlLost(
        `signaling served no client for ${seconds} s, after it had served some: it ${made.summary}${hint}`,
        [made.exchange],
      )
    },
    /** A user who stays online, with a fresh token; throws `ControlLost` where it is not accepted. */
    async witness(): Promise<OpenSocket & { readonly userId: string }> {
      const { jwt, userId } = await fresh()
      const { socket } = assertAccepted(await hold({ token: jwt, declaredUser: userId }))
      return { ...socket, userId }
    },
  }
}

function isGenuine(secrets: Secrets, token: string | null): boolean {
  return token !== null && secrets.kindOf(token) === 'calling-jwt'
}

/** A decision of the service, and no fault, no limit and no silence. */
export function isRejected(made: Attempt): made is Refused {
  return made.outcome === 'refused' && made.undecided !== true && made.unreachable !== true
}

async function closed(made: Attempt): Promise<Attempt> {
  if (made.outcome === 'accepted') await made.socket[Symbol.asyncDispose]()
  return made
}

function assertAccepted(made: Attempt): Accepted {
  if (made.outcome === 'accepted') return made
  const what = made.outcome === 'untestable' ? `could not be sent: ${made.reason}` : made.summary
  throw new ControlLost(`signaling should have accepted a fresh calling token, but it ${what}`, [
    made.exchange,
  ])
}

const banHint =
  ': if it bans this machine for a while after rejections, raise limits.patienceSeconds, or set limits.pace.signaling'
const paceHint = 'set limits.pace.signaling to what its rate limit allows'

/** Overloads, restarts of a node and limits on the rate look alike: 503, 1013 (try again later) and 4429. */
const unsureCodes: readonly number[] = [503, 1013, 4429]

/** Refused for coming too often, not for what it sent. */
function limitOf(made: Attempt): TooSoon | null {
  if (made.outcome !== 'refused' || made.named) return null
  const { type, code = 0, retryAfter, unavailable } = made.events.at(-1) ?? {}
  if (unavailable === 'refusing') return away
  if (type === 'http' && code === 429) return { seconds: retryAfterSeconds(retryAfter), isSure: true }
  const isUnsure = (type === 'http' || type === 'close') && unsureCodes.includes(code)
  const seconds = retryAfter === undefined ? overloadSeconds : retryAfterSeconds(retryAfter)
  return isUnsure ? { seconds, isSure: false } : null
}

/** The service failed at once; one that is silent would only cost its time again. */
export function isBrokenOff(made: Attempt): made is Refused {
  return (
    made.outcome === 'refused' &&
    made.undecided === true &&
    made.unreachable !== true &&
    made.events.at(-1)?.type !== 'timeout'
  )
}
