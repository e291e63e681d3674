import { createAuthority } from '../../base/tls/certificates.ts'
import type { SigningKey } from '../../base/tokens/signing-key.ts'
import type { BrowserSource } from './browser.ts'
import { createClientApp } from './client-app.ts'
import type { DoublesConfiguration } from './client-configuration.ts'
import { type ClientContext, createClientContext } from './client-context.ts'
import type { ClientDriver } from './client-driver.ts'
import { startDoublesServer, tokenRoutePath } from './doubles-server.ts'
import type { ExchangeRecorderOptions } from './exchange-recorder.ts'
import type { Routes } from './hosts.ts'
import { type DeviceOperator, openManualDevice } from './manual-device.ts'
import { openPage, type PageOptions } from './page.ts'
import { loadPageDriver, type PageDriver } from './page-driver.ts'
import { startProgram } from './program.ts'
import { doublePath } from './signaling-double.ts'
import type { SpokenSignaling } from './spoken-signaling.ts'
import type { Client, ClientApp, OpenOptions } from './types.ts'

export interface ClientOptions extends ExchangeRecorderOptions {
  readonly configuration: DoublesConfiguration
  /** Null where nothing says what the double of signaling has to send. */
  readonly spoken: SpokenSignaling | null
  readonly testKey: SigningKey | null
  readonly ca: readonly string[] | undefined
  readonly browsers: BrowserSource
  /** Keeps what can be seen of each page that is opened. */
  readonly follow: PageOptions['follow']
  readonly holdsSoFar: PageOptions['holdsSoFar']
  /** The person who operates a device; nothing else is then judged. */
  readonly operator?: DeviceOperator
  /** Of the command that starts a program. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** The client that the configuration describes; undefined where it describes none. */
export function createClient(options: ClientOptions): Client | undefined {
  const { client } = options.configuration
  if (client === undefined) return undefined
  if (options.operator !== undefined) return createManualClient(options, options.operator)
  if (client.url !== undefined && client.driver !== undefined)
    return createPageClient(options, { url: client.url, driver: client.driver })
  if (client.command !== undefined) return createProgramClient(options, client.command)
  return undefined
}

function createPageClient(
  options: ClientOptions,
  page: { readonly url: string; readonly driver: string },
): Client {
  let driver: Promise<PageDriver> | undefined
  return {
    kind: 'page',
    seesEverything: true,
    async open(open = {}) {
      driver ??= loadPageDriver(page.driver)
      const loaded = await driver
      return await openApp(options, open, { seesStatus: false, routes: null }, async (context) => {
        const opened = await options.browsers.openContext(context.trafficHandler)
        try {
          return await openPage({ ...options, context, opened, driver: loaded, url: page.url, open })
        } catch (error) {
          await opened[Symbol.asyncDispose]()
          throw error
        }
      })
    },
  }
}

/** Of clients that are told where the doubles are. An adapter's service may use any path of its address, and HTTP. */
function toldRoutes(spoken: SpokenSignaling | null): Routes {
  const isAdapter = spoken !== null && 'serve' in spoken
  return { backend: `**${tokenRoutePath}`, signaling: isAdapter ? '**' : `**${doublePath}` }
}

function createProgramClient(options: ClientOptions, command: string): Client {
  const { configuration, environment } = options
  const tls = configuration.client?.tls ?? false
  return {
    kind: 'program',
    seesEverything: false,
    async open(open = {}) {
      return await openApp(
        options,
        open,
        { seesStatus: true, routes: toldRoutes(options.spoken) },
        async (context) => {
          const { withOtherOrigin = false, untrusted } = open
          const doublesServer = await startDoublesServer({
            trafficHandler: context.trafficHandler,
            signalingPath: context.signaling.path,
            tls,
            withOtherOrigin,
            ...(untrusted === undefined ? {} : { untrusted }),
          })
          return await startProgram({
            context,
            command,
            doublesServer,
            directory: configuration.directory,
            environment,
          })
        },
      )
    },
  }
}

/** There is one device, so that each opening waits until it is free. */
function createManualClient(options: ClientOptions, operator: DeviceOperator): Client {
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
        const app = await openApp(
          options,
          open,
          { seesStatus: true, routes: toldRoutes(options.spoken) },
          async (context) => {
            const doublesServer = await startDoublesServer({
              trafficHandler: context.trafficHandler,
              signalingPath: context.signaling.path,
              tls,
              authority,
              ...observe,
            })
            return await openManualDevice(context, doublesServer, operator)
          },
        )
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

async function openApp(
  options: ClientOptions,
  open: OpenOptions,
  kind: { readonly seesStatus: boolean; readonly routes: Routes | null },
  openDriver: (context: ClientContext) => Promise<ClientDriver>,
): Promise<ClientApp> {
  const { configuration } = options
  const context = await createClientContext({
    ...options,
    open,
    ...kind,
  })
  try {
    return createClientApp(context, await openDriver(context), configuration)
  } catch (error) {
    context.end()
    throw error
  }
}
