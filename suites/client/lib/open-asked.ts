import { ControlLost } from '../../../src/base/inconclusive.ts'
import type { Client, ClientApp, ConnectionAttempt, OpenOptions } from '../../../src/roles/client/types.ts'

/** A client that can be told to connect again does so within this time. */
const againSeconds = 3

/** Opens the client, prepares its doubles, and tells it to connect; it has called its token route then. */
export async function openAsked(
  client: Client,
  options: OpenOptions,
  prepare: (app: ClientApp) => void,
): Promise<ClientApp> {
  const app = await client.open(options)
  try {
    prepare(app)
    await app.signIn()
    await app.connect()
    await app.waitForTokenCall()
    return app
  } catch (error) {
    await app[Symbol.asyncDispose]()
    throw error
  }
}

/** Says whether the client calls its token route again, by itself or when told to connect. */
export async function asksAgain(app: ClientApp, prepare: (app: ClientApp) => void): Promise<boolean> {
  const before = app.backend.calls().length
  prepare(app)
  try {
    if ((await app.state()) !== 'connecting') await app.connect()
  } catch (error) {
    if (error instanceof ControlLost) return false
    throw error
  }
  return (await app.waitFor(() => app.backend.calls().length > before, againSeconds)) !== null
}

/** The control: the client joins with its own configuration. */
export async function joinOnce(client: Client): Promise<void> {
  await using app = await client.open()
  await app.join()
}

/** Accepted, and not over. */
export function isOpen({ outcome, closedAt }: ConnectionAttempt): boolean {
  return outcome === 'accepted' && closedAt === null
}
