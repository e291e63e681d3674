import type {
  BackendCall,
  CapturedText,
  Client,
  IssuedToken,
  OpenOptions,
  SeenRequest,
  SignedIn,
  UnreadHost,
} from './types.ts'

/** All that was seen of one client that was opened, signed in and asked to connect. It is closed. */
export interface Journey {
  readonly user: SignedIn
  /** Why no call of the token route was seen; null where one came. A client that failed to connect may have asked before. */
  readonly notAsked: Error | null
  /** The same of a connection attempt. */
  readonly notAttempted: Error | null
  readonly calls: readonly BackendCall[]
  readonly issued: readonly IssuedToken[]
  readonly requests: readonly SeenRequest[]
  readonly captured: readonly CapturedText[]
  readonly unreadHosts: readonly UnreadHost[]
  readonly forwardedUnread: readonly string[]
}

/** Throws `ControlLost` or `Untested` where the client does not open, sign in or become quiet. */
export async function goOnJourney(client: Client, options?: OpenOptions): Promise<Journey> {
  await using app = await client.open(options)
  const user = await app.signIn()
  const notConnected = await lossOf(app.connect())
  const notAsked = notConnected ?? (await lossOf(app.waitForTokenCall()))
  const notAttempted = notConnected ?? (await lossOf(app.waitForAttempt()))
  await app.waitFor(() => app.backend.calls()[0]?.status !== null)
  await app.waitForQuiet()
  const captured = await app.capture()
  return {
    user,
    notAsked,
    notAttempted,
    captured,
    calls: app.backend.calls().map((call) => ({ ...call })),
    // A copy asks each request for its exchange, which is recorded only while the client is open.
    requests: app.requests().map((request) => ({ ...request })),
    issued: [...app.issued()],
    unreadHosts: app.unreadHosts(),
    forwardedUnread: app.forwardedUnread(),
  }
}

/** The error of a step that not every requirement needs; what was seen is judged all the same. */
async function lossOf(step: Promise<unknown>): Promise<Error | null> {
  return await step.then(
    () => null,
    (error: Error) => error,
  )
}
