import type { Carriage } from './carriages/registry.ts'
import type { DeclaredUser } from './declared-users/registry.ts'
import type { FailureSign, SuccessSign } from './signs.ts'

export interface SignalingConfiguration {
  readonly url: string
  readonly allowInsecureTransport: boolean
  /** An http address at which the service reaches a port of this machine. */
  readonly callbackUrl?: string
  /** Absent: nothing says how to tell success from failure. */
  readonly access?: SignalingAccess
}

/** How the suite joins: as a profile says, or through the user's module, an absolute path. */
export type SignalingAccess = { readonly profile: SignalingProfile } | { readonly adapter: string }

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
