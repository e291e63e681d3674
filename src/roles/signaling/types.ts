import type { Carriage } from './carriages/registry.ts'
import type { DeclaredUser } from './declared-users/registry.ts'
import type { FailureSign, SuccessSign } from './signs.ts'

export interface SignalingConfiguration {
  readonly url: string
  readonly allowInsecureTransport: boolean
  /** An http address at which the service reaches a port of this machine. */
  readonly callbackUrl?: string | undefined
  /** Absent: nothing says how to tell success from failure. */
  readonly access?: SignalingAccess
}

/** How the suite joins: as a profile says, or through the user's module, an absolute path. */
export type SignalingAccess = { readonly profile: SignalingProfile } | { readonly adapter: string }

/** A request that exchanges the calling token for what then travels in its place. */
export interface TicketExchange {
  readonly url: string
  readonly method: 'POST' | 'GET'
  /** Carries the calling token: as a bearer token in `Authorization`, else as it is. */
  readonly header: string
  /** JSONPath (RFC 9535) of the ticket in the response. */
  readonly token: string
}

/** How a signaling service does what the specification leaves open. */
export interface SignalingProfile {
  readonly carriage: Carriage
  /** Offered in every attempt, before those of the carriage. */
  readonly subprotocols?: readonly string[] | undefined
  /** Appended to that of the address; `{random}` is another text in every attempt. */
  readonly path?: string
  /** Sent in every upgrade, unless an attempt sends its own. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as soon as the socket is open. */
  readonly opening?: readonly string[] | undefined
  /** Sends a token on an open socket; absent: the messages of the carriage do. */
  readonly again?: string
  /** Frames are binary, and every message of the profile is base64 of its bytes; absent: frames are text. */
  readonly binary?: 'base64'
  /** Absent: the calling token itself travels. */
  readonly ticket?: TicketExchange
  readonly declaredUser: DeclaredUser
  readonly success: readonly SuccessSign[]
  readonly failure: readonly FailureSign[]
  readonly unauthorized: readonly FailureSign[]
  readonly samples: {
    readonly greeting?: string
    readonly success?: string
    readonly unauthorized?: string
  }
  readonly timeoutMs: number
  readonly settleMs: number
}
