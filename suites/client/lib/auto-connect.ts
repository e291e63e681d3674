import type { Clock } from '../../../src/base/clock.ts'
import type { Client, ClientApp, OpenOptions } from '../../../src/roles/client/types.ts'

/** A slow app, or one on a busy machine, takes this long until it connects. */
export const patientSeconds = 30

const leastSeconds = 1.5
/** An app that fetches a token before it is told to connect may only prefetch it. */
const connectSeconds = 3

/** Signs a user in and returns whether the app then connects on its own. */
export async function detectAutoConnect(app: ClientApp, clock: Clock): Promise<boolean> {
  const startedAt = clock.monotonic()
  await app.signIn()
  const signInSeconds = (clock.monotonic() - startedAt) / 1000
  const { backend, signaling } = app
  const hasConnected = () => signaling.attempts().length > 0
  await app.waitFor(() => hasConnected() || backend.calls().length > 0, Math.max(leastSeconds, signInSeconds))
  if (!hasConnected() && backend.calls().length === 0) return false
  return (await app.waitFor(hasConnected, Math.max(connectSeconds, signInSeconds))) !== null
}

/** Signs a user in and leaves them disconnected; `byItself` is the result of `detectAutoConnect`. */
export async function signInDisconnected(app: ClientApp, byItself: boolean): Promise<void> {
  await app.signIn()
  if (byItself) await undoAutoConnect(app)
}

/** Disconnects an app that connects on its own. */
export async function undoAutoConnect(app: ClientApp): Promise<void> {
  app.demand('disconnect')
  await app.waitForAttempt()
  await app.disconnect()
}

/** The control: with its own configuration the app connects. Returns whether it does so on its own. */
export async function connects(client: Client, clock: Clock, options: OpenOptions = {}): Promise<boolean> {
  await using app = await client.open(options)
  if (await detectAutoConnect(app, clock)) return true
  await app.connect()
  await app.waitForAttempt()
  return false
}
