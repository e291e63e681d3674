import type { DriverUser } from './page/page-driver.ts'
import type { CapturedText, ClientState, ConnectionCount, OptionalAction, UnreadHost } from './types.ts'

/** A client rejected an action itself, and said so: that is its behaviour, and no lost control. */
export class RejectedByClient extends Error {}

export const noConnection: ConnectionCount = { made: 0, open: 0 }

/** A client that can be told what to do: a page with its driver, a program, or a person with a device. */
export interface ClientDriver extends AsyncDisposable {
  /** "driver.", "the program's " or nothing: what precedes an action in a sentence. */
  readonly prefix: string
  readonly can: ReadonlySet<OptionalAction>
  readonly isPerson: boolean
  /** Its traffic comes through a proxy that it may ignore. */
  readonly isProxied: boolean
  /** See `ClientApp`. */
  readonly otherOrigin: string | null
  untrustedConnections(): ConnectionCount
  /** See `ClientApp`. */
  unreadHosts(): readonly UnreadHost[]
  forwardedUnread(): readonly string[]
  /** It has no login of its own: the suite makes up the session of a user, where `client.users` names none. */
  readonly takesSession: boolean
  /** Resolves to the facts that the driver reports about the signed-in user, if any. */
  signIn(user: DriverUser): Promise<unknown>
  /** @throws RejectedByClient where a program answers with an error */
  connect(): Promise<unknown>
  signOut(): Promise<unknown>
  disconnect(): Promise<unknown>
  configure(patch: Readonly<Record<string, unknown>>): Promise<unknown>
  state(): Promise<ClientState | null>
  /** Captures the texts that the client stores and prints, apart from its traffic. */
  capture(): Promise<readonly CapturedText[]>
  /** Says whether the client's timers can be driven; a worker's cannot. */
  isClockDriven(): boolean
  /** From now on time passes by `runClock` alone, until it is released. */
  holdClock(): Promise<void>
  releaseClock(): Promise<void>
  /** Fires the timers that are due within this time, in their order. */
  runClock(ms: number): Promise<void>
  /** Waits until messages between client and doubles have arrived, as far as that can be seen. */
  waitForNetworkIdle(): Promise<void>
  /** Waits until the requests that the client has begun have arrived. Resolves to true where that took any waiting. */
  waitForSentRequests(): Promise<boolean>
  /** As on a machine that slept: timers that are due fire once. */
  passTime(ms: number): Promise<void>
  /** Tells the page's scripts that it is hidden, or shown again. */
  setVisible(isVisible: boolean): Promise<void>
}

/** Members of a client without a proxy. */
export const unproxied = {
  isPerson: false,
  isProxied: false,
  otherOrigin: null,
  untrustedConnections: () => noConnection,
  unreadHosts: () => [],
  forwardedUnread: () => [],
  takesSession: false,
} satisfies Partial<ClientDriver>

/** The members for a client that runs by the clock of its machine. */
export const ownClock = {
  isClockDriven: () => false,
  holdClock: () => Promise.resolve(),
  releaseClock: () => Promise.resolve(),
  runClock: () => Promise.resolve(),
  waitForNetworkIdle: () => Promise.resolve(),
  waitForSentRequests: () => Promise.resolve(false),
  passTime: () => Promise.resolve(),
  setVisible: () => Promise.resolve(),
} satisfies Partial<ClientDriver>
