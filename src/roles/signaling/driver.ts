import type { AnswerWait } from '../../base/answer-wait.ts'
import type { Clock } from '../../base/clock.ts'
import type { Redactor } from '../../base/evidence/redact.ts'
import { type BlockSigns, createBlockWatch, timesPatience } from '../../base/http/block-watch.ts'
import { BlockOver, ControlLost, Untested } from '../../base/inconclusive.ts'
import { type Limiter, retryAfterSeconds, type TooSoon } from '../../base/limiter.ts'
import { type TellWait, tellingWait } from '../../base/told-wait.ts'
import type { CallingTokens } from '../backend/calling-tokens.ts'
import type {
  Accepted,
  Attempt,
  AttemptRequest,
  NotOpened,
  OpenSocket,
  Refused,
  SignalingConnector,
} from './attempt.ts'
import type { SignalingConfiguration } from './types.ts'

/** Hosted signaling as a client sees it. Sockets are closed before an attempt is returned, unless it is held. */
export interface Signaling {
  readonly url: string
  readonly configuration: SignalingConfiguration
  /** True where the protocol lets a client state its userId. */
  readonly declaresUser: boolean
  /** One attempt; an accepted socket is closed at once. */
  attempt(request: AttemptRequest): Promise<Attempt>
  /** An attempt that is made again, up to five times, while the service fails in a way that decides nothing. */
  decide(request: AttemptRequest): Promise<Attempt>
  /** As `decide`, but its socket stays open when it is accepted: dispose of `socket`. */
  hold(request: AttemptRequest): Promise<Attempt>
  /**
   * An attempt to join with a token that should do, made again as `decide` does. One after the other for a user: a service may let each have one
   * connection only.
   */
  join(token: { readonly jwt: string; readonly userId: string }): Promise<Attempt>
  /** An attempt that must succeed; throws `ControlLost` when it does not. The socket is closed. */
  accepted(token: { readonly jwt: string; readonly userId: string }): Promise<Accepted>
  /** Says whether the service itself has issued a token in this run: to offer it is no forgery. */
  isGenuine(token: string): boolean
  /** Says whether a genuine token of this user was accepted before. */
  hasJoined(userId: string): boolean
  /** Says whether a genuine token of any user was accepted before. */
  hasServed(): boolean
  readonly tellWait: TellWait
  readonly clock: Clock
  /** A control: a fresh token, of a user of its own where users can be chosen, is accepted. */
  control(): Promise<void>
  /**
   * After a rejection of a genuine token: the seconds until an ordinary client is served, 0 where one is at once; null where none
   * ever was. A block may have ended just before, so only a second rejection counts, before a `control`. Throws `ControlLost`
   * where a block outlasts `limits.patienceSeconds`.
   */
  outlastBlock(): Promise<number | null>
  /** Blocks of everyone that are over by now: what was rejected meanwhile may have been in order. */
  blocksOver(): number
  /** A connection without a credential on which nothing was sent. */
  unauthenticated(): Promise<OpenSocket | NotOpened>
  /** Sends a credential once more on a socket that is open; false where the protocol has no message for it. */
  sendAgain(socket: OpenSocket, credential: SentAgain): boolean
  /** The sign that the profile takes the event for; null where it says nothing about it. */
  signOf: SignalingConnector['signOf']
  /** A user who stays online, with a fresh token; throws `ControlLost` where it is not accepted. */
  witness(): Promise<Witness>
}

export interface SentAgain {
  /** Null: the message without a token in it. */
  readonly token: string | null
  readonly declaredUser: string
}

export interface Witness extends AsyncDisposable {
  readonly userId: string
}

export interface SignalingDriverOptions {
  readonly signaling: SignalingConfiguration
  readonly connector: SignalingConnector
  readonly tokens: CallingTokens | null
  readonly redactor: Redactor
  readonly clock: Clock
  readonly limiter: Limiter
  /** How long a block of every client is waited out. */
  readonly patienceSeconds: number
  /** How long a genuine token is waited for; an attack is given all the time that there is. */
  readonly wait: AnswerWait
  /** How long an attempt is waited for as a rule. */
  readonly usualMs: number
  /** How long it stays open without a word where that is its sign of success. */
  readonly quietMs: number
  readonly tellWait: TellWait
}

/** Shorter than any token that could work anywhere. */
const shortestToken = 40
/** A forgery may be JSON, or two tokens: the signs between its parts are no secret, and records keep their syntax. */
function partsOf(token: string): string[] {
  return token.split(/[^A-Za-z0-9._-]/g).filter((part) => part.length >= shortestToken)
}

/** Garbage such as "undefined" is no secret, and would blank the word in every report. */
function hideForged(redactor: Redactor, token: string | null): void {
  for (const part of partsOf(token ?? '')) redactor.register('forged-jwt', part)
}

/** An overload is often over within seconds. */
const unsureSeconds = 0.5
/** So many attempts show that more tries are no use. */
const mostBrokenOff = 2
const retryWaitsMs = [100, 200, 400, 800, 1600] as const
/** Between two looks whether everyone is still rejected. */
const blockedWaitMs = 2_000

export function createSignalingDriver(options: SignalingDriverOptions): Signaling {
  const { signaling, connector, tokens, redactor, clock } = options
  const { attempt: attemptOnce, hold: holdOnce, holdGenuine } = createAttempts(options)
  const joining = new Map<string, Promise<unknown>>()
  const joined = new Set<string>()
  const hasServed = () => joined.size > 0
  const join: Signaling['join'] = ({ jwt, userId }) => {
    const before = joining.get(userId) ?? Promise.resolve()
    const made = before.then(async () => await closed(await holdGenuine({ jwt, userId })))
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
  const accepted: Signaling['accepted'] = async (token) => {
    const made = await join(token)
    if (!hasServed() || !isRejected(made) || !(await outlast(made))) return assertAccepted(made)
    if (attemptSigns.isRefusal(made)) return assertAccepted(await join(token))
    throw new BlockOver(
      `signaling rejected every client for a while, as it rejects a bad token: it ${made.summary}`,
      [made.exchange],
    )
  }
  const fresh = async () => {
    if (tokens === null)
      throw new Untested('needs a calling token for the control: configure mint, or backend with a real mint')
    return await tokens.fresh()
  }
  const joinFresh = async () => await closed(await holdGenuine(await fresh()))
  /** One user may be banned alone. */
  const joinTwo = async () => {
    const made = await joinFresh()
    return isRejected(made) ? await joinFresh() : made
  }
  let blocksOver = 0
  const outlast = async (made: Attempt) => {
    const isOver = await watch.outlast()
    // Attacks that a block of another look refuses are offered again.
    if (isOver && !attemptSigns.isRefusal(made)) blocksOver += 1
    return isOver
  }
  const watch = createBlockWatch({
    signs: attemptSigns,
    clock,
    limits: options,
    tellWait: options.tellWait,
    // Without a token, nothing shows a block.
    askOrdinary: () => (hasServed() ? joinTwo().catch(() => null) : null),
    onOver: options.limiter.noteBlock,
  })
  const attempt = (request: AttemptRequest) => watch.send(() => attemptOnce(request))
  const hold = (request: AttemptRequest) => watch.send(() => holdOnce(request))
  return {
    url: signaling.url,
    configuration: signaling,
    declaresUser: connector.declaresUser,
    clock,
    attempt: async (request) => await closed(await attempt(request)),
    decide: async (request) => await closed(await hold(request)),
    hold,
    join,
    hasJoined: (userId) => joined.has(userId),
    hasServed,
    tellWait: options.tellWait,
    isGenuine: (token) => isGenuine(redactor, token),
    signOf: connector.signOf,
    unauthenticated: () => connector.open({ token: null, case: 'a client without a credential' }),
    sendAgain(socket, request) {
      hideForged(redactor, request.token)
      if (socket.resend !== undefined) {
        socket.resend({ token: request.token, userId: request.declaredUser })
        return true
      }
      const messages = connector.composeMessages(request)
      return messages.length > 0 && messages.map((message) => socket.send(message)).every((sent) => sent)
    },
    accepted,
    async control() {
      await accepted(await fresh())
    },
    blocksOver: () => blocksOver,
    outlastBlock: createBlockWait({
      ...options,
      outlast,
      joinAnew: async () => await join(await fresh()),
      hasServed,
    }),
    async witness() {
      const { jwt, userId } = await fresh()
      const { socket } = assertAccepted(await holdGenuine({ jwt, userId }))
      return { userId, [Symbol.asyncDispose]: socket[Symbol.asyncDispose] }
    },
  }
}

/** Attempts whose sockets stay open where they are accepted. */
interface Attempts {
  attempt(request: AttemptRequest): Promise<Attempt>
  /** Made again, up to five times, while the service fails in a way that decides nothing. */
  hold(request: AttemptRequest): Promise<Attempt>
  holdGenuine(token: { readonly jwt: string; readonly userId: string }): Promise<Attempt>
}

function createAttempts(options: SignalingDriverOptions): Attempts {
  const { connector, redactor, clock, limiter, wait, usualMs, quietMs, tellWait } = options
  const outage = createOutage()
  const attempt = async (request: AttemptRequest): Promise<Attempt> => {
    hideForged(redactor, request.token)
    const made = await limiter.send(
      () =>
        tellingWait(() => connector.attempt(request), {
          what: 'signaling to answer',
          longestMs: request.deadlineMs ?? usualMs,
          tell: tellWait,
        }),
      limitOf,
      isGenuine(redactor, request.token),
    )
    return made.outcome === 'refused' && limitOf(made)?.isSure === true
      ? { ...made, unreachable: true, summary: `${made.summary} (${paceHint})` }
      : made
  }
  const hold = async (request: AttemptRequest): Promise<Attempt> => {
    const startedAt = clock.monotonic()
    let made = await attempt(request)
    for (const waitMs of outage.isOn() ? [] : retryWaitsMs) {
      if (!isBrokenOff(made)) break
      await clock.until(clock.monotonic() + waitMs)
      made = await attempt(request)
    }
    // An attack may be broken off because that is how it is rejected.
    if (isGenuine(redactor, request.token))
      outage.note({ startedAt, endedAt: clock.monotonic(), isServed: !isBrokenOff(made) })
    return made
  }
  const holdGenuine: Attempts['holdGenuine'] = async ({ jwt, userId }) => {
    const made = await hold({
      token: jwt,
      declaredUser: userId,
      case: 'a genuine calling token',
      deadlineMs: wait.deadlineMs(usualMs, quietMs),
    })
    const isSilent = made.outcome === 'refused' && made.events.at(-1)?.type === 'timeout'
    if (made.outcome !== 'untestable')
      wait.note({ startedAt: made.startedAt, endedAt: made.decidedAt, isSilent })
    return made
  }
  return { attempt, hold, holdGenuine }
}

function isGenuine(redactor: Redactor, token: string | null): boolean {
  return token !== null && redactor.kindOf(token) === 'calling-jwt'
}

/** A block shows itself by its status, which other clients get as well. */
const attemptSigns: BlockSigns<Attempt> = {
  isServed: ({ outcome }) => outcome === 'accepted',
  isRejected,
  isRefusal(made) {
    const { type, code } = made.events.at(-1) ?? {}
    return made.outcome === 'refused' && type === 'http' && (code === 403 || code === 429)
  },
  isBlocked: isRejected,
  kindOf: ({ summary }) => summary,
}

/** A decision of the service, and no fault, no limit and no silence. */
export function isRejected(made: Attempt): made is Refused {
  return made.outcome === 'refused' && made.undecided !== true && made.unreachable !== true
}

async function closed(made: Attempt): Promise<Attempt> {
  if (made.outcome === 'accepted') await made.socket[Symbol.asyncDispose]()
  return made
}

interface BlockWaitOptions extends Pick<SignalingDriverOptions, 'clock' | 'patienceSeconds' | 'tellWait'> {
  readonly joinAnew: () => Promise<Attempt>
  /** True where everyone was rejected, and someone is accepted again. */
  readonly outlast: (made: Attempt) => Promise<boolean>
  /** Some genuine token was accepted. */
  readonly hasServed: () => boolean
}

function createBlockWait(options: BlockWaitOptions): Signaling['outlastBlock'] {
  const { clock, patienceSeconds, tellWait, joinAnew, outlast, hasServed } = options
  /** A block that outlasts the patience would cost each who waits as much. */
  let hasStayed = false
  const patienceMs = () => (hasStayed ? 0 : patienceSeconds * 1000 * timesPatience)
  return async () => {
    if (!hasServed()) return null
    const begun = clock.monotonic()
    const end = begun + patienceMs()
    for (let isFirst = true; ; isFirst = false) {
      const made = await joinAnew()
      const seconds = Math.round((clock.monotonic() - begun) / 1000)
      if (made.outcome === 'accepted') {
        hasStayed = false
        return isFirst ? 0 : seconds
      }
      if (isFirst && isRejected(made) && (await outlast(made)))
        return Math.max(1, Math.round((clock.monotonic() - begun) / 1000))
      if (clock.monotonic() >= end) {
        hasStayed = true
        const saw = `signaling has rejected every client for ${seconds} s`
        throw new ControlLost(`${saw}, after it had accepted some: it ${made.summary}`, [made.exchange])
      }
      if (isFirst && patienceMs() > 0)
        tellWait({ what: 'signaling to serve clients again', seconds: Math.ceil(patienceMs() / 1000) })
      await clock.until(clock.monotonic() + blockedWaitMs)
    }
  }
}

/** Genuine attempts, one after the other, of which every try was broken off: then each further one is made once. */
function createOutage() {
  let brokenOff = 0
  let lastEndedAt = Number.NEGATIVE_INFINITY
  return {
    isOn: () => brokenOff >= mostBrokenOff,
    note({ startedAt, endedAt, isServed }: { startedAt: number; endedAt: number; isServed: boolean }) {
      if (isServed) brokenOff = 0
      // Attempts at the same time met the same moment.
      else if (startedAt >= lastEndedAt) {
        brokenOff += 1
        lastEndedAt = endedAt
      }
    },
  }
}

function assertAccepted(made: Attempt): Accepted {
  if (made.outcome === 'accepted') return made
  const what = made.outcome === 'untestable' ? `could not be sent: ${made.reason}` : made.summary
  throw new ControlLost(`signaling should have accepted a fresh calling token, but it ${what}`, [
    made.exchange,
  ])
}

const paceHint = 'set limits.pace.signaling to what its rate limit allows'

/** Overloads, restarts of a node and limits on the rate look alike: 503, 1013 (try again later) and 4429. */
const unsureCodes: readonly number[] = [503, 1013, 4429]

/** Refused for coming too often, not for what it sent. */
function limitOf(made: Attempt): TooSoon | null {
  if (made.outcome !== 'refused' || made.named) return null
  const { type, code = 0, retryAfter } = made.events.at(-1) ?? {}
  if (type === 'http' && code === 429) return { seconds: retryAfterSeconds(retryAfter), isSure: true }
  const isUnsure = (type === 'http' || type === 'close') && unsureCodes.includes(code)
  const seconds = retryAfter === undefined ? unsureSeconds : retryAfterSeconds(retryAfter)
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
