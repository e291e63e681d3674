import type { FakeMintConfiguration } from '../mint/types.ts'

export interface BackendConfiguration {
  readonly url: string
  readonly method: 'POST' | 'GET'
  readonly sessions: {
    readonly alice?: UserSession
    readonly aliceSecondDevice?: UserSession
    readonly bob?: UserSession
    readonly expired?: { readonly token: string }
    readonly signedOut?: { readonly token: string }
  }
  /** A URL, or the absolute path of a file. */
  readonly sessionJwks?: string
  readonly fakeMint?: FakeMintConfiguration
}

export interface UserSession {
  readonly token: string
  readonly userId: string
}
