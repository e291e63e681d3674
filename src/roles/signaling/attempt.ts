import { createSecureContext, getCACertificates } from 'node:tls'
import type { Clock } from '../../base/clock.ts'
import type { Journal } from '../../base/evidence/exchange.ts'
import type { Redactor } from '../../base/evidence/redact.ts'
import { createRecorder } from './attempt-recorder.ts'
import { connect } from './connection.ts'
import { decide } from './decide-outcome.ts'
import type { SignalingEvent } from './event-log.ts'
import { type Offer, offerOf } from './offer.ts'
import { checkProfile, declaresUser } from './profile.ts'
import type { AttemptRequest, SignalingProfile } from './types.ts'

export type Attempt = Accepted | Refused | Untestable

interface Base {
  readonly exchange: string
  /** Some event matched the profile's `unauthorized`: what happened is reported as 401. */
  readonly unauthorized: boolean
  /** A clause that completes "signaling …": "closed with 1008". Holds no secret. */
  readonly summary: string
  readonly events: readonly SignalingEvent[]
  /** Monotonic milliseconds, like `decidedAt`: when the sign that decided was seen. */
  readonly startedAt: number
  readonly decidedAt: number
}

export interface Accepted extends Base {
  readonly outcome: 'accepted'
  /** Still open; the caller disposes of it. */
  readonly socket: OpenSocket
}

interface Refused extends Base {
  readonly outcome: 'refused'
  /** False: refused in a way that the profile does not name. */
  readonly named: boolean
  /** No connection, no name, no TLS that holds, or a limit on the rate: the service did not judge the attempt. */
  readonly unreachable?: boolean
}

interface Untestable extends Base {
  readonly outcome: 'untestable'
  /** Why this could not be sent where the profile puts it, as a clause. */
  readonly reason: string
}

export interface OpenSocket extends AsyncDisposable {
  /** Grows while the socket is open. */
  readonly events: readonly SignalingEvent[]
  /** How the connection ended; never rejects. */
  readonly ended: Promise<SignalingEvent>
  /** False where nothing can be sent: the connection is over, or an adapter holds it. */
  send(text: string): boolean
  /**
   * The first event since acceptance, or since the last event returned, that satisfies the predicate; null at the
   * deadline or when the connection has ended without one.
   */
  next(predicate: (event: SignalingEvent) => boolean, deadlineMs: number): Promise<SignalingEvent | null>
}

export interface Signaling {
  /** Resolves within the deadline, `settleMs` and about two seconds, whatever the service does. */
  attempt(request: AttemptRequest): Promise<Attempt>
  /** The client states its userId besides the token that holds it. */
  readonly declaresUser: boolean
}

export interface SignalingOptions {
  /** A ws or wss address. */
  readonly url: string
  readonly profile: SignalingProfile
  /** PEM certificates to trust besides the system's. */
  readonly ca?: readonly string[]
  readonly journal: Journal
  readonly redactor: Redactor
  readonly clock: Clock
  /** The monotonic instant that recorded times count from; now where absent. */
  readonly runStart?: number
  /** Largest message that is read from the service. */
  readonly frameBytes: number
}

/** A client for any signaling that a profile describes. Throws a TwotokenError where the profile cannot be used. */
export function createSignaling(options: SignalingOptions): Signaling {
  const { url, profile, clock, ca, frameBytes } = options
  checkProfile(url, profile)
  const trust =
    ca === undefined ? {} : { secureContext: createSecureContext({ ca: [...getCACertificates(), ...ca] }) }
  const record = createRecorder({ ...options, runStart: options.runStart ?? clock.monotonic() })

  const carryOut = async (offer: Offer, deadlineMs: number): Promise<Attempt> => {
    const startedAt = clock.monotonic()
    const connection = connect(offer, { ...trust, frameBytes, deadlineMs, clock })
    const decided = await decide(connection, offer, { profile, clock, deadlineMs })
    const { unauthorized, summary, decidedAt } = decided
    const exchange = record({ offer, startedAt, events: connection.log.events, verdict: summary })
    const base = { exchange, unauthorized, summary, startedAt, decidedAt }
    if (decided.isAccepted) return { ...base, outcome: 'accepted', ...handedOver(connection) }
    const events = [...connection.log.events]
    await connection[Symbol.asyncDispose]()
    const { named, unreachable } = decided
    return { ...base, outcome: 'refused', events, named, ...(unreachable ? { unreachable } : {}) }
  }

  return {
    declaresUser: declaresUser(profile),
    async attempt(request) {
      const offer = offerOf(url, profile, request)
      if (!('untestable' in offer)) return carryOut(offer, request.deadlineMs ?? profile.timeoutMs)
      const now = clock.monotonic()
      const summary = `was not asked: ${offer.untestable}`
      const nothing = { url, headers: [], protocols: [] }
      const exchange = record({ offer: nothing, startedAt: now, events: [], verdict: summary })
      const base = { exchange, unauthorized: false, summary, events: [], startedAt: now, decidedAt: now }
      return { ...base, outcome: 'untestable', reason: offer.untestable }
    },
  }
}

function handedOver(connection: ReturnType<typeof connect>): {
  socket: OpenSocket
  events: readonly SignalingEvent[]
} {
  const { log, send } = connection
  log.skipSeen()
  const { events, ended, next } = log
  return {
    events,
    socket: { events, ended, next, send, [Symbol.asyncDispose]: connection[Symbol.asyncDispose] },
  }
}
