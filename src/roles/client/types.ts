import type { IssuedToken, SeenRequest, Tap } from './capture-types.ts'
import type { BackendCall, BackendDouble, Dial, SignalingDouble } from './double-types.ts'

/**
 * The client under test, with every counterpart of it played by doubles. Each `open` is a world of its own: a fresh
 * browser context (or process), a backend double, a signaling double, and a journal of all that the client did.
 */
export interface Client {
  /** A web page in a real browser, a program that speaks the line protocol, or a device in somebody's hand. */
  readonly kind: 'page' | 'program' | 'observed'
  /**
   * Whether all traffic is seen, wherever it goes. Of a program or a device only what reaches the doubles is: where a
   * requirement speaks of other hosts, nothing found is then `untested`, never `pass`.
   */
  readonly seesEverything: boolean
  /** Throws `ControlLost` where the page does not load, or the program does not start. */
  open(options?: OpenOptions): Promise<ClientApp>
}

/** `drivenClock` is what `open({ drivenClock })` needs; pages have it. */
export type OptionalAction = 'disconnect' | 'configure' | 'state' | 'drivenClock'
export type UserName = 'alice' | 'bob'

export interface OpenOptions {
  /**
   * The client's timers and wall clock are the suite's to run ahead (`pump`, `passTime`), and the wall clock is wrong by
   * this much from the start. Absent: the client's clock is left alone.
   */
  readonly drivenClock?: { readonly offsetMs: number }
  /** Every socket that leaves the page's own origin is taken for signaling, whatever address it dials. */
  readonly everySocketIsSignaling?: boolean
}

/** One opened client. Everything of it ends when it is disposed of. Instants are monotonic milliseconds of the suite. */
export interface ClientApp extends AsyncDisposable {
  readonly backend: BackendDouble
  readonly signaling: SignalingDouble
  /** Throws `Untested` ("needs driver.configure") where the client cannot be asked for one of these. */
  demand(...actions: readonly OptionalAction[]): void
  can(action: OptionalAction): boolean

  // What the client is asked to do. All throw `ControlLost` with a sentence that names the step where it cannot.
  /** Signs a user in as the app does; alice where nobody is named. */
  signIn(name?: UserName): Promise<SignedIn>
  signOut(): Promise<void>
  /** Asks for a connection, and does not wait for one. */
  connect(): Promise<void>
  disconnect(): Promise<void>
  /** Changes a field of the SDK's configuration, or with `undefined` leaves it out. */
  configure(patch: Readonly<Record<string, unknown>>): Promise<void>
  /** What the client says of itself; null where it cannot be asked. */
  state(): Promise<ClientState | null>
  /**
   * The control of most cases: signs in, connects, and waits until the signaling double has accepted a token that the
   * backend double gave. Throws `ControlLost` saying how far it came.
   */
  join(name?: UserName): Promise<Joined>
  /** The same for a user who has signed in already. */
  establish(): Promise<Established>
  /**
   * Waits for the first call of the token route behind the first `after` ones, or for the first such dial. Throws
   * `ControlLost`, or `Untested` where the token came from a place that `client.backendUrl` does not match.
   */
  backendAsked(after?: number): Promise<BackendCall>
  dialled(after?: number): Promise<Dial>

  // Waiting. The probe is asked at once and whenever something happened; anything but null, undefined and false ends it.
  /** Null where it has not come true after so many real seconds. */
  wait<T>(probe: Probe<T>, seconds?: number): Promise<T | null>
  /** Until the client has begun nothing new for a moment, so that what it sends on the side has been seen. */
  quiet(): Promise<void>
  /**
   * The same in seconds of the client's own clock. Where that is driven, it stands still from now on but for what is
   * pumped, until the client is asked to do something again: minutes pass in a second, and delays show exactly.
   * Elsewhere it waits as long as it takes.
   */
  pump<T>(probe: Probe<T>, seconds: number): Promise<T | null>
  /** Whether `pump` runs the client's clock ahead. Timers of a worker cannot be driven. */
  isClockDriven(): boolean
  /** Milliseconds on the client's clock since it was opened: real ones, and those that it was run ahead. */
  clientNow(): number
  /**
   * So much time passes at once, as for a machine that slept, and for the doubles' idea of an expired token too; needs
   * `drivenClock`.
   */
  passTime(seconds: number): Promise<void>

  // What was seen.
  /** Every request that was no call of the token route and no socket: to the page's own origin, and to any other. */
  requests(): readonly SeenRequest[]
  /** Everything of the client in which a secret can stand, at this moment: its traffic, storage, scripts, console. */
  taps(): Promise<readonly Tap[]>
  /** Every calling JWT that the backend double has given, in order. */
  issued(): readonly IssuedToken[]
}

export type Probe<T> = () => T | null | undefined | false | Promise<T | null | undefined | false>

export type ClientState = 'idle' | 'connecting' | 'connected' | 'disconnected' | 'failed'

/** What is known of a user who has signed in: what the driver said, else what the configuration says. */
export interface SignedIn {
  readonly name: UserName
  readonly userId: string
  /**
   * The sessionToken; null where neither the driver nor `client.users` says it. What the client then sends as its
   * bearer at the token route is all there is.
   */
  readonly sessionToken: string | null
}

export interface Joined extends Established {
  readonly user: SignedIn
}

export interface Established {
  /** The call that got the token, and the dial that was accepted with it. */
  readonly call: BackendCall
  readonly dial: Dial
}
