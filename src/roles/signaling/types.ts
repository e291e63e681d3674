import type { Headers } from '../../base/http/headers.ts'

/** One try to join hosted signaling. */
export interface AttemptRequest {
  /** Null: no credential at all. */
  readonly token: string | null
  /** The userId that the client states, for `{userId}` and the declaredUser of the profile. */
  readonly declaredUser?: string
  /** Sent with the upgrade in addition, such as Origin. */
  readonly headers?: Headers
  /** Overrides the time that the profile gives the service to decide. */
  readonly deadlineMs?: number
  /** Says nothing once the socket is open, whatever the profile would have it say. */
  readonly silent?: boolean
}

export interface SignalingConfiguration {
  readonly url: string
  readonly allowInsecureTransport: boolean
  /** Absent: nothing says how to tell success from failure. */
  readonly access?: { readonly profile: SignalingProfile } | { readonly adapter: string }
}

/** How a signaling service does what the specification leaves open. */
export interface SignalingProfile {
  readonly carriage: Carriage
  /** Offered in every attempt, before those of the carriage. */
  readonly subprotocols?: readonly string[]
  readonly declaredUser: DeclaredUser
  readonly success: readonly SuccessSign[]
  readonly failure: readonly FailureSign[]
  readonly unauthorized: readonly FailureSign[]
  readonly samples: { readonly success?: string; readonly unauthorized?: string }
  readonly timeoutMs: number
  readonly settleMs: number
}

export type Carriage =
  | { readonly in: 'header'; readonly name: string; readonly template: string }
  | { readonly in: 'subprotocol'; readonly protocols: readonly string[] }
  | { readonly in: 'query'; readonly name: string }
  | { readonly in: 'cookie'; readonly name: string }
  | { readonly in: 'message'; readonly template: string; readonly after: 'open' | MessageSign }

export type DeclaredUser =
  | { readonly in: 'none' }
  | { readonly in: 'carriage' }
  | { readonly in: 'query'; readonly name: string }
  | { readonly in: 'header'; readonly name: string }
  | { readonly in: 'message'; readonly template: string }

export type SuccessSign = MessageSign | { readonly quietOpenMs: number }

export type FailureSign =
  | MessageSign
  | { readonly http: readonly number[] }
  | { readonly close: readonly number[] }

export type MessageSign = FrameSign | TextSign

/** A frame that begins with this text: for protocols that do not speak JSON. */
export interface TextSign {
  readonly text: { readonly startsWith: string }
}

/** A frame whose JSON has, at `path` (RFC 9535), a value equal in type and value to `equals`. */
export interface FrameSign {
  readonly frame: { readonly path: string; readonly equals: string | number | boolean | null }
}
