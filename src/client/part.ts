import type { Configuration, SignalingProfile } from '../configuration/configuration.ts'
import type { Client, ClientApp, OpenOptions } from '../parts/client.ts'
import type { SigningKey } from '../tokens/signing-key.ts'
import type { Actor } from './actor.ts'
import { createApp } from './app.ts'
import type { BrowserSource } from './browser.ts'
import { type Driver, loadDriver } from './driver.ts'
import { openPage } from './page.ts'
import type { TimelineOptions } from './timeline.ts'
import { createWorld, type World } from './world.ts'

export interface ClientPartOptions extends TimelineOptions {
  readonly configuration: Configuration
  readonly testKey: SigningKey | null
  readonly ca: readonly string[] | undefined
  readonly browsers: BrowserSource
}

/** The client that the configuration describes; undefined where it describes none. */
export function createClientPart(options: ClientPartOptions): Client | undefined {
  const { client } = options.configuration
  if (client === undefined) return undefined
  if (client.url !== undefined && client.driver !== undefined)
    return pages(options, { url: client.url, driver: client.driver })
  return undefined
}

/** The profile that the doubles speak; an adapter alone has none. */
export function spokenProfile({ signaling }: Configuration): SignalingProfile | null {
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
      return await opened(options, open, { seesStatus: false }, async (world) => {
        const context = await options.browsers.context(world.counterpart)
        try {
          return await openPage({ world, opened: context, driver: loaded, url: page.url, open })
        } catch (error) {
          await context[Symbol.asyncDispose]()
          throw error
        }
      })
    },
  }
}

async function opened(
  options: ClientPartOptions,
  open: OpenOptions,
  sight: { readonly seesStatus: boolean },
  actorIn: (world: World) => Promise<Actor>,
): Promise<ClientApp> {
  const { configuration } = options
  const world = createWorld({ ...options, profile: spokenProfile(configuration), open, ...sight })
  try {
    return createApp(world, await actorIn(world), configuration)
  } catch (error) {
    world.end()
    throw error
  }
}
