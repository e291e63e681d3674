import type { FakeMintConfiguration } from '../mint/types.ts'

export interface BackendConfiguration {
  readonly url: string
  readonly method: 'POST' | 'GET'
  readonly sessions: {
    readonly alice?: ConfiguredSession
    readonly aliceSecondDevice?: ConfiguredSession
    readonly bob?: ConfiguredSession
    readonly expired?: FormerSession
    readonly signedOut?: FormerSession
    readonly otherApp?: { readonly token: string }
    readonly idToken?: { readonly token: string }
    readonly refreshToken?: { readonly token: string }
    /** Users whose ids are easily spelled wrong. */
    readonly odd?: readonly ConfiguredSession[]
  }
  readonly request?: FixedRequest | undefined
  /** A JSONPath: where the app reads the token, if not at `token`. */
  readonly tokenField?: string | undefined
  /** Permits as many requests of one session within a minute as may lock its account. */
  readonly recordRateLimit?: boolean | undefined
  /** A URL, or the absolute path of a file. */
  readonly sessionJwks?: string | undefined
  readonly fakeMint?: FakeMintConfiguration | undefined
}

/** Every session of a configuration, those of odd users too. */
export function listSessions({ odd = [], ...others }: BackendConfiguration['sessions']) {
  return [...Object.values(others), ...odd]
}

/** A session as the configuration gives it. */
export interface ConfiguredSession {
  readonly token: string
  readonly userId: string
  /** The same login as `name=value` of a cookie, which the backend takes besides the bearer. */
  readonly cookie?: string | undefined
  readonly renewal?: SessionRenewal | undefined
}

/** A session that has ended. */
export interface FormerSession {
  readonly token: string
  /** A shell command that prints one, where the configuration has it: a backend that starts anew may have forgotten the last. */
  readonly command?: string | undefined
}

/** How the token of a session that ends within a run is got again. */
export interface SessionRenewal {
  /** A shell command that prints it. */
  readonly command: string
  readonly everySeconds: number
  /** When the command that printed the first one was started, in milliseconds since 1970. */
  readonly obtainedAt: number
}

/** A user that is logged in, for as long as a run takes. */
export interface UserSession {
  /** The sessionToken as it is now. Where it is renewed, it may end soon: `Backend.exactSession` gives one that does not. */
  readonly token: string
  readonly userId: string
  readonly cookie?: string | undefined
  /**
   * The sessionToken, obtained anew where it is older than these seconds (by default than `freshEverySeconds`); absent where
   * the session outlives the run. Throws `ControlLost` where the command fails.
   */
  readonly renew?: ((olderThanSeconds?: number) => Promise<string>) | undefined
  readonly everySeconds?: number | undefined
}

/**
 * Parts of every call of the token route apart from the session: a CSRF token, a tenant, a content type.
 */
export interface FixedRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** The fields of a JSON body; none is sent by GET. */
  readonly json?: Readonly<Record<string, unknown>> | undefined
  /** The values among them that no report may show. */
  readonly secrets: readonly string[]
}
