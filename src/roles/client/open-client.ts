import { createAuthority } from '../../base/tls/certificates.ts'
import type { SigningKey } from '../../base/tokens/signing-key.ts'
import type { SignalingProfile } from '../signaling/types.ts'
import type { BrowserSource } from './browser.ts'
import { createApp } from './client-app.ts'
import type { ClientSurroundings } from './client-configuration.ts'
import type { Actor } from './client-driver.ts'
import { createWorld, type World } from './client-world.ts'
import { frontPaths, openFrontDoor } from './doubles-server.ts'
import type { TimelineOptions } from './exchange-recorder.ts'
import type { Routes } from './hosts.ts'
import { type Observer, observeDevice } from './manual-device.ts'
import { openPage, type PageOptions } from './page.ts'
import { type Driver, loadDriver } from './page-driver.ts'
import { startProgram } from './program.ts'
import type { Client, ClientApp, OpenOptions } from './types.ts'

export interface ClientPartOptions extends TimelineOptions {
  readonly configuration: ClientSurroundings
  readonly testKey: SigningKey | null
  readonly ca: readonly string[] | undefined
  readonly browsers: BrowserSource
  /** Keeps what can be seen of each page that is opened. */
  readonly follow: PageOptions['follow']
  readonly holdsSoFar: PageOptions['holdsSoFar']
  /** Somebody operates a device; nothing else is then judged. */
  readonly observer?: Observer
  /** Of the command that starts a program. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** The client that the configuration describes; undefined where it describes none. */
export function createClientPart(options: ClientPartOptions): Client | undefined {
  const { client } = options.configuration
  if (client === undefined) return undefined
  if (options.observer !== undefined) return observed(options, options.observer)
  if (client.url !== undefined && client.driver !== undefined)
    return pages(options, { url: client.url, driver: client.driver })
  if (client.command !== undefined) return programs(options, client.command)
  return undefined
}

/** The profile that the doubles speak; an adapter alone has none. */
export function spokenProfile({ signaling }: ClientSurroundings): SignalingProfile | null {
  const access = signaling?.access
  return access !== undefined && 'profile' in access ? access.profile : null
}

function pages(options: ClientPartOptions, page: { readonly url: string; readonly driver: string }): Client {
  let driver: Promise<Driver> | undefined
  return {
    kind: 'page',
    seesEverything: true,
    async open(open = {}) {
      driver ??= loadDriver(page.driver)
      const loaded = await driver
      return await opened(options, open, { seesStatus: false, routes: null }, async (world) => {
        const context = await options.browsers.context(world.counterpart)
        try {
          return await openPage({ ...options, world, opened: context, driver: loaded, url: page.url, open })
        } catch (error) {
          await context[Symbol.asyncDispose]()
          throw error
        }
      })
    },
  }
}

/** Clients that are told where the doubles are. */
const routes = { backend: `**${frontPaths.backend}`, signaling: `**${frontPaths.signaling}` }

function programs(options: ClientPartOptions, command: string): Client {
  const { configuration, environment } = options
  const tls = configuration.client?.tls ?? false
  return {
    kind: 'program',
    seesEverything: false,
    async open(open = {}) {
      return await opened(options, open, { seesStatus: true, routes }, async (world) => {
        const door = await openFrontDoor({ counterpart: world.counterpart, tls })
        return await startProgram({ world, command, door, directory: configuration.directory, environment })
      })
    },
  }
}

/** One device, so that whoever opens it waits until it is free. */
function observed(options: ClientPartOptions, observer: Observer): Client {
  const { tls = false, observe } = options.configuration.client ?? {}
  const authority = createAuthority()
  let free: Promise<unknown> = Promise.resolve()
  return {
    kind: 'observed',
    seesEverything: false,
    async open(open = {}) {
      const { promise, resolve: release } = Promise.withResolvers<void>()
      const before = free
      free = promise
      await before
      try {
        const app = await opened(options, open, { seesStatus: true, routes }, async (world) => {
          const door = await openFrontDoor({ counterpart: world.counterpart, tls, authority, ...observe })
          return await observeDevice(world, door, observer)
        })
        return {
          ...app,
          async [Symbol.asyncDispose]() {
            try {
              await app[Symbol.asyncDispose]()
            } finally {
              release()
            }
          },
        }
      } catch (error) {
        release()
        throw error
      }
    },
  }
}

async function opened(
  options: ClientPartOptions,
  open: OpenOptions,
  kind: { readonly seesStatus: boolean; readonly routes: Routes | null },
  actorIn: (world: World) => Promise<Actor>,
): Promise<ClientApp> {
  const { configuration } = options
  const world = createWorld({ ...options, profile: spokenProfile(configuration), open, ...kind })
  try {
    return createApp(world, await actorIn(world), configuration)
  } catch (error) {
    world.end()
    throw error
  }
}
