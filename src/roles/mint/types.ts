import type { UserIds } from './user-ids.ts'

export interface MintConfiguration {
  /** `{base_url}` without a trailing slash; the suite appends the mint path. */
  readonly url: string
  readonly apiKey: string
  readonly otherProjectKey?: string | undefined
  readonly keys: {
    readonly trialEnded?: StateKey | undefined
    readonly suspended?: StateKey | undefined
    readonly capped?: StateKey | undefined
  }
  /** The shortest lifetime in seconds that the service grants. */
  readonly minTtlSeconds: number
  /** Prints a test token of the console for the userId in TWOTOKEN_USER_ID. */
  readonly consoleToken?: { readonly command: string } | undefined
  /** Absent: it issues tokens for any id. */
  readonly userIds?: UserIds | undefined
}

/** A key whose account is in a state that cannot be provoked from outside. */
export interface StateKey {
  readonly key: string
  /** The operator vouches for the state: a token issued is then a violation, not a wrong precondition. */
  readonly attested: boolean
}

/** Where the suite's mint double listens, and the key that the backend under test was given. */
export interface FakeMintConfiguration {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly apiKey: string
}
