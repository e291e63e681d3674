import type { Headers } from '../../base/http/headers.ts'
import type { EventLog, SentFrames, SignalingEvent, WrittenFrame } from './event-log.ts'

/** One try to join hosted signaling. */
export interface AttemptRequest {
  /** Null: no credential at all. */
  readonly token: string | null
  /** The userId that the client states, for `{userId}` and the declaredUser of the profile. */
  readonly declaredUser?: string | undefined
  /** Sent with the upgrade in addition, such as Origin. */
  readonly headers?: Headers | undefined
  /** Appended to the query of the upgrade. */
  readonly query?: readonly (readonly [name: string, value: string])[] | undefined
  /** Members beside the token in the JSON of its message; none where it travels otherwise, or an adapter sends it. */
  readonly beside?: Readonly<Record<string, string>> | undefined
  /** The case that it is made for, as a noun; what is offered is then shown decoded unless the service issued it. */
  readonly case?: string | undefined
  /** Overrides the time that the profile gives the service to decide. */
  readonly deadlineMs?: number | undefined
  /** Sends no message once the socket is open, whatever the profile has it send. */
  readonly silent?: boolean
  /** Address of this machine to connect from; an adapter decides that itself. */
  readonly localAddress?: string
  /** Offers the service to compress messages; an adapter decides that itself. */
  readonly offersCompression?: boolean
}

export type Attempt = Accepted | Refused | Untestable

export interface AttemptBase {
  readonly exchange: string
  /** Some event matched the profile's `unauthorized`: what happened is reported as 401. */
  readonly unauthorized: boolean
  /** A clause that completes "signaling …": "closed with 1008". Without any secret. */
  readonly summary: string
  readonly events: readonly SignalingEvent[]
  /** Monotonic milliseconds, like `decidedAt`: when the sign that decided was seen. */
  readonly startedAt: number
  readonly decidedAt: number
}

export interface Accepted extends AttemptBase {
  readonly outcome: 'accepted'
  /** As whom the service has let the client in, where an adapter says so. */
  readonly identity?: string | undefined
  /** Still open; the caller disposes of it. */
  readonly socket: OpenSocket
}

export interface Refused extends AttemptBase {
  readonly outcome: 'refused'
  /** False: refused by an event that the profile does not name. */
  readonly named: boolean
  /** Services also fail so (silence, a reset, 502 to 504, an overload), and the profile does not name it. */
  readonly undecided?: boolean
  /** No connection, no name, failed TLS verification, or a rate limit: the service did not judge the attempt. */
  readonly unreachable?: boolean | undefined
  /** The frames from a success sign on that came before the refusal. */
  readonly welcome?: readonly SignalingEvent[] | undefined
}

export interface Untestable extends AttemptBase {
  readonly outcome: 'untestable'
  /** Why this could not be sent where the profile puts it, as a clause. */
  readonly reason: string
}

/** `next` begins behind the acceptance. */
export interface OpenSocket extends Pick<EventLog, 'events' | 'ended' | 'next'>, AsyncDisposable {
  /** False where nothing can be sent: the connection is over, or an adapter owns it. */
  send(text: string): boolean
  /** Sends another credential in the way of an adapter, which owns the connection; absent where it has none. */
  readonly resend?:
    | ((credential: { readonly token: string | null; readonly userId: string }) => void)
    | undefined
  /** Sends frames as they are, and resolves when the peer has read them, at the end or at the deadline; null where an adapter owns it. */
  sendFrames(frames: readonly WrittenFrame[], readByMs: number): Promise<SentFrames | null>
  /** The service has agreed to compressed messages. */
  readonly isCompressed: boolean
  /** Records all that has happened by now as one exchange, and returns its id. */
  evidence(verdict: string): string
}

/** `silent`: the upgrade was not answered. `unsendable`: the profile needs a credential for it, or an adapter owns connections. */
export type NotOpened = 'rejected' | 'silent' | 'unsendable'

/** Makes attempts to join one signaling service, each with a connection of its own. */
export interface SignalingConnector {
  /** Resolves within the deadline, `settleMs` and about two seconds, whatever the service does. */
  attempt(request: AttemptRequest): Promise<Attempt>
  open(request: AttemptRequest): Promise<OpenSocket | NotOpened>
  /** Messages by which a client sends a credential on a socket that is open; none where it travels in the upgrade. */
  composeMessages(request: AttemptRequest): readonly string[]
  /** The sign that the profile takes the event for; null where it says nothing about it. */
  signOf(event: SignalingEvent): 'success' | 'failure' | null
  /** The client states its userId besides the token that has it as a claim. */
  readonly declaresUser: boolean
}
