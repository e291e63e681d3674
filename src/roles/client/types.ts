/**
 * The client under test, with a double in place of each of its counterparts. Each `open` has a context of its own: a fresh
 * browser context (or process), a backend double, a signaling double, and a journal of all that the client did.
 */
export interface Client {
  /** A web page in a real browser, a program that speaks the line protocol, or a device that a person or a program operates. */
  readonly kind: 'page' | 'program' | 'observed'
  /**
   * True where all traffic is seen, wherever it goes, except to `unreadHosts`. For a program, or a device
   * without the proxy, only traffic to the doubles is seen. A requirement about other hosts that finds
   * nothing is then `untested`, never `pass`.
   */
  readonly seesEverything: boolean
  /** Throws `ControlLost` where the page does not load, or the program does not start. */
  open(options?: OpenOptions): Promise<ClientApp>
}

/** `drivenClock` is what `open({ drivenClock })` needs; pages have it. */
export type OptionalAction = 'disconnect' | 'configure' | 'state' | 'drivenClock'
export type UserName = 'alice' | 'bob'
export type DoubledPart = 'backend' | 'signaling'

export interface OpenOptions {
  /** The suite drives the client's clock, which is wrong by this much from the start. Absent: it is left alone. */
  readonly drivenClock?: { readonly offsetMs: number }
  /** Every socket that leaves the page's own origin is taken for signaling, whatever its address. */
  readonly everySocketIsSignaling?: boolean
  /** The page's Content-Security-Policy is not enforced: it forbids hosts that only the suite knows. */
  readonly withoutContentPolicy?: boolean
  /** A double may redirect the client to `otherOrigin`. */
  readonly withOtherOrigin?: boolean
  /** This double shows a certificate of an authority that the client does not know: of a program with `client.tls` only. */
  readonly untrusted?: DoubledPart
}

/** One opened client. Everything of it ends when it is disposed of. Instants are monotonic milliseconds of the suite. */
export interface ClientApp extends AsyncDisposable {
  readonly backend: BackendDouble
  readonly signaling: SignalingDouble
  /** Throws `Untested` ("needs driver.configure") where the client cannot be asked for one of these. */
  demand(...actions: readonly OptionalAction[]): void
  can(action: OptionalAction): boolean

  // Actions that the client is asked to take. All throw `ControlLost` where it cannot, with a sentence that
  // names the step.
  /** Signs a user in as the app does; alice where no user is named. */
  signIn(name?: UserName): Promise<SignedIn>
  signOut(): Promise<void>
  /** Asks for a connection, and does not wait for one. */
  connect(): Promise<void>
  disconnect(): Promise<void>
  /** Changes a field of the SDK's configuration, or with `undefined` leaves it out. */
  configure(patch: Readonly<Record<string, unknown>>): Promise<void>
  /** Resolves to the state that the client reports; null where it cannot be asked. */
  state(): Promise<ClientState | null>
  /** Signs in, connects and waits until signaling has accepted the backend's token. Throws `ControlLost`: how far it came. */
  join(name?: UserName): Promise<Joined>
  /** The same for a user who has signed in already. */
  establish(): Promise<Established>
  /** The error for a client that was to be accepted and was not: it names how far the client came, and what it offered. */
  explainNotJoined(): Promise<Error>
  /**
   * Waits for the first call of the token route behind the first `after` ones, or for the first such attempt. Throws
   * `ControlLost`, or `Untested` where the token came from a place that `client.backendUrl` does not match.
   */
  waitForTokenCall(after?: number): Promise<BackendCall>
  waitForAttempt(after?: number): Promise<ConnectionAttempt>

  // Waiting. The probe is asked at once and whenever something happened; anything but null, undefined and false ends it.
  /** Null where it has not come true after so many real seconds. */
  waitFor<T>(probe: Probe<T>, seconds?: number): Promise<T | null>
  /** Until the client has begun nothing new for a moment, so that what it sends on the side has been seen. */
  waitForQuiet(): Promise<void>
  /**
   * The same in seconds of the client's own clock. Where that is driven, it stands still from now on but for what is
   * pumped, until the client is asked to do something again: minutes pass in a second, and delays show exactly.
   * Elsewhere it waits as long as it takes.
   */
  waitOnClientClock<T>(probe: Probe<T>, seconds: number): Promise<T | null>
  /** Says whether `pump` runs the client's clock ahead. Timers of a worker cannot be driven. */
  isClockDriven(): boolean
  /** Milliseconds on the client's clock since it was opened: real ones, and those that it was run ahead. */
  clientNow(): number
  /** So much time passes at once, for expiry too, as for a machine that slept; needs `drivenClock`. */
  passTime(seconds: number): Promise<void>
  /** The same for a page that is hidden meanwhile. Resolves to the number of attempts before it is shown again. */
  passTimeHidden(seconds: number): Promise<number>

  // Observations.
  /** Every request that was no call of the token route and no socket: to the page's own origin, and to any other. */
  requests(): readonly SeenRequest[]
  /** Every text of the client that can include a secret, at this moment: its traffic, storage, scripts, console. */
  capture(): Promise<readonly CapturedText[]>
  issued(): readonly IssuedToken[]
  /** An http or https address of a host that is no part's, where the suite sees all; null where it can offer none. */
  readonly otherOrigin: string | null
  /** Hosts to which the client sent, or tried to send, what the suite could not read. */
  unreadHosts(): readonly UnreadHost[]
  /** Hosts to which `client.observe.forwardUnread` let traffic pass unread. */
  forwardedUnread(): readonly string[]
  /** Connections that the client made to the double whose certificate it cannot trust, with or without a request. */
  untrustedConnections(): ConnectionCount
}

export interface UnreadHost {
  /** With its port, where that is not 443. */
  readonly host: string
  /** A clause about the device. */
  readonly reason: string
}

export interface ConnectionCount {
  readonly made: number
  /** Those of them that have not ended. */
  readonly open: number
}

export type Probe<T> = () => T | null | undefined | false | Promise<T | null | undefined | false>

export type ClientState = 'idle' | 'connecting' | 'connected' | 'disconnected' | 'failed'

/** Facts about a user who has signed in: those of the driver, else those of the configuration. */
export interface SignedIn {
  readonly name: UserName
  readonly userId: string
  /** Null where neither the driver nor `client.users` says it: then only the bearer at the token route shows it. */
  readonly sessionToken: string | null
}

export interface Joined extends Established {
  readonly user: SignedIn
}

export interface Established {
  /** The call that got the token, and the attempt that was accepted with it. */
  readonly call: BackendCall
  readonly attempt: ConnectionAttempt
}

/** The customer's token route. Unscripted it answers 200 with `{ token }`, a new JWT of the user who is signed in. */
export interface BackendDouble {
  /** Every call but CORS preflights, in order of arrival. */
  calls(): readonly BackendCall[]
  /** Decides about the calls from now on; `null` goes back to the ordinary answer. A call waits until a promise is settled. */
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
  readonly bearer: string | null
  readonly status: number | null
  readonly issued: string | null
  /** When the client gave the call up without an answer, or what followed a redirect; null where it did not, as far as is seen. */
  readonly givenUpAt: number | null
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

/** Signaling as the profile has it. Unscripted it accepts unexpired JWTs of the backend double, and refuses all else as 401. */
export interface SignalingDouble {
  /** How a refusal as 401 looks to this client; `needs: ['signalingDouble']` gives the same before anything is open. */
  readonly refusals: Refusals
  attempts(): readonly ConnectionAttempt[]
  /**
   * Decides about the attempts from now on, once their credential is there; `null` goes back to the ordinary behaviour. A script
   * that is asked `at the upgrade` reads no credential that comes by message.
   */
  answer(script: SignalingScript | null, asked?: 'at the upgrade'): void
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

/** Known before a client is opened; whether an adapter can refuse in mid-session shows only at the opening. */
export interface DoubledSignaling extends Refusals {
  /** The client states its userId to signaling, besides its token. */
  readonly declaresUser: boolean
}

/** Asked once for each attempt. */
export type SignalingScript = (attempt: ConnectionAttempt) => SignalingReaction | Promise<SignalingReaction>
/**
 * `ordinary` is what the double does unscripted; `accept`, `refuse` (as 401), `refuse once open` (as 401 by what the profile
 * names for an open socket), `drop` (the connection is cut), `hang` (nothing is ever answered), or an HTTP status, with a
 * Location, in place of the upgrade: a socket that is open already is cut.
 */
export type SignalingReaction =
  | 'ordinary'
  | 'accept'
  | 'refuse'
  | 'refuse once open'
  | 'drop'
  | 'hang'
  | { readonly http: number; readonly location?: string }

export interface ConnectionAttempt {
  readonly at: number
  readonly clientAt: number
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** What was sent where the profile has the credential, a JWT or not; null before it came, and without one. */
  readonly credential: string | null
  readonly declaredUser: string | null
  readonly sent: readonly string[]
  /** Outcome of the attempt: null while it is undecided. */
  readonly outcome: 'accepted' | 'refused' | 'dropped' | 'failed' | null
  /** True where an accepted client has answered the ping behind its welcome: it has then received everything before. */
  readonly hasReadWelcome: boolean
  /** When the connection was over, from whichever side; null while it is not. */
  readonly closedAt: number | null
  readonly exchange: string
}

export interface IssuedToken {
  readonly jwt: string
  readonly userId: string
  readonly at: number
  /** Seconds since 1970. */
  readonly expiresAt: number
}

/** A request of the client, as it was: for comparing by value only. */
export interface SeenRequest {
  readonly at: number
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  /** A `related` host shares a domain with the customer's own: its owner is not known. */
  readonly host: HostKind
  /** It was sent on to where it went; otherwise the suite answered it, so that no secret leaves the machine. */
  readonly isForwarded: boolean
  readonly exchange: string
}

export type HostKind = 'own' | 'related' | 'mint' | 'elsewhere'

/** A place in which something was seen, with all of its text; empty texts are left out. */
export interface CapturedText {
  readonly place: Place
  /** Which one, for the reader: an address, a key of a storage, a script's name. */
  readonly name: string
  readonly text: string
  /** Empty where it was no traffic. */
  readonly exchange: string
}

/** Requests by what they are and where they go. One that a client was about to send has no exchange. */
const requestPlaces = [
  'token route: Authorization',
  'token route: elsewhere in the request',
  'signaling: credential',
  'signaling: elsewhere',
  'own hosts: headers and body',
  'own hosts: URL',
  'mint host',
  'related hosts',
  'other hosts',
] as const

/** The columns of the secret × place table. */
export const places = [
  ...requestPlaces,
  'page or script',
  'worker script',
  'source map',
  'localStorage',
  'sessionStorage',
  'IndexedDB',
  'cache',
  'cookie',
  'console',
] as const
export type Place = (typeof places)[number]

export function isOfRequest(place: Place): boolean {
  return requestPlaces.some((one) => one === place)
}
