/** The customer's token route. Unscripted it answers 200 with `{ token }`, a new JWT of the user who is signed in. */
export interface BackendDouble {
  /** Every call but CORS preflights, in order of arrival. */
  calls(): readonly BackendCall[]
  /**
   * Decides about the calls from now on; `null` goes back to the ordinary answer. A promise delays or reorders: the
   * call waits until it is settled.
   */
  answer(script: BackendScript | null): void
  /** The lifetime in seconds of the tokens from now on; 900 at first. */
  lifetime(seconds: number): void
}

export interface BackendCall {
  readonly at: number
  /** On the client's clock (see `clientNow`). */
  readonly clientAt: number
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  /** What stands behind `Bearer` in the Authorization header. */
  readonly bearer: string | null
  /** The status that was answered, once it was. */
  readonly status: number | null
  /** The token that was given, once it was. */
  readonly issued: string | null
  /** When the client gave the call up without an answer; null where it did not. */
  readonly givenUpAt: number | null
  /** The exchange that shows it. */
  readonly exchange: string
}

/** `ordinary` is how the double would answer unscripted, for the user who is signed in or for another. */
export type BackendScript = (
  call: BackendCall,
  ordinary: (userId?: string) => Promise<BackendAnswer>,
) => BackendReaction | Promise<BackendReaction>
export type BackendReaction = BackendAnswer | 'hang' | 'reset'
export interface BackendAnswer {
  readonly status: number
  /** `content-type` is JSON where it is not named. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Hosted signaling as the profile describes it. Unscripted it accepts the JWTs that the backend double gave and that
 * have not expired, and refuses everything else as 401.
 */
export interface SignalingDouble {
  /** How a refusal as 401 looks to this client; `needs: ['signalingDouble']` gives the same before anything is open. */
  readonly refusals: Refusals
  dials(): readonly Dial[]
  /** Decides about the dials from now on; `null` goes back to the ordinary behaviour. */
  answer(script: SignalingScript | null): void
  /** Refuses every open socket as 401. Throws `Untested` where the profile has no way to in mid-session. */
  refuseOpen(): void
  /** Cuts every open socket without a close frame. */
  dropOpen(): void
}

/** How the double says 401, chosen from `unauthorized` (else `failure`) of the profile so that the client can see it. */
export interface Refusals {
  /** A page cannot see an HTTP status: `http` only where the profile names nothing else. */
  readonly atConnect: 'close' | 'frame' | 'http'
  /** Null where the profile names neither a close code nor a frame. */
  readonly inSession: 'close' | 'frame' | null
}

/** Asked at the upgrade: a credential that comes by message is not there yet. */
export type SignalingScript = (dial: Dial) => SignalingReaction | Promise<SignalingReaction>
/**
 * `ordinary` is what the double does unscripted; `accept`, `refuse` (as 401), `drop` (the connection is cut before it
 * is upgraded), `hang` (nothing is ever answered), or an HTTP status in place of the upgrade.
 */
export type SignalingReaction = 'ordinary' | 'accept' | 'refuse' | 'drop' | 'hang' | { readonly http: number }

export interface Dial {
  readonly at: number
  readonly clientAt: number
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /**
   * The credential that stood where the profile says, once it came; null where there is none (yet). What stood there
   * is not always a JWT.
   */
  readonly credential: string | null
  /** The userId that the client stated besides. */
  readonly declaredUser: string | null
  /** Frames that the client sent, as text. */
  readonly sent: readonly string[]
  /** What became of it: null while it is undecided. */
  readonly outcome: 'accepted' | 'refused' | 'dropped' | 'failed' | null
  /** When the connection was over, from whichever side; null while it is not. */
  readonly closedAt: number | null
  readonly exchange: string
}
