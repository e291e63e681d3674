import type { Secrets } from '../../base/evidence/secrets.ts'
import type { SigningKey } from '../../base/tokens/signing-key.ts'
import type { ExchangeRecorderOptions } from './capture/exchange-recorder.ts'
import { createClientApp } from './client-app.ts'
import type { DeviceProxySettings, DeviceSettings, DoublesConfiguration } from './client-configuration.ts'
import { type ClientContext, createClientContext } from './client-context.ts'
import { type ClientDriver, unproxied } from './client-driver.ts'
import type { Device, DeviceOperator } from './device/device.ts'
import { openProgramsProxy } from './device/device-proxy.ts'
import { openManualDevice } from './device/manual-device.ts'
import { startDoublesServer, tokenRoutePath } from './doubles/doubles-server.ts'
import { doublePath } from './doubles/signaling-double.ts'
import type { SpokenSignaling } from './doubles/spoken-signaling.ts'
import type { BrowserSource } from './page/browser.ts'
import { openPage, type PageOptions } from './page/page.ts'
import { loadPageDriver, type PageDriver } from './page/page-driver.ts'
import { startProgram } from './program.ts'
import type { Routes } from './proxy/hosts.ts'
import type { Client, ClientApp, OpenOptions } from './types.ts'

export interface ClientOptions extends ExchangeRecorderOptions {
  readonly secrets: Secrets
  readonly configuration: DoublesConfiguration
  /** Null where nothing says what the double of signaling has to send. */
  readonly spoken: SpokenSignaling | null
  readonly testKey: SigningKey | null
  readonly ca: readonly string[] | undefined
  readonly browsers: BrowserSource
  /** Keeps what can be seen of each page that is opened. */
  readonly follow: PageOptions['follow']
  readonly holdsSoFar: PageOptions['holdsSoFar']
  /** A device that a person or a program operates; nothing else is then judged. */
  readonly device?: Device | undefined
  /** Environment of the command that starts a program. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** The client that the configuration describes; undefined where it describes none. */
export function createClient(options: ClientOptions): Client | undefined {
  const { device, configuration } = options
  const { client } = configuration
  if (client === undefined) return undefined
  if (device !== undefined) {
    const { observe, command } = client
    if (device.operator !== null)
      return observe && createManualClient(options, device, device.operator, observe)
    if (command !== undefined && observe?.by === 'proxy')
      return createOperatedClient(options, device, command, observe)
  }
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
        const opened = await options.browsers.openContext(context.trafficHandler, open)
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

/**
 * Returns the routes for clients that get the addresses of the doubles. An adapter's service may use any path
 * of its address, and HTTP.
 */
function toldRoutes(spoken: SpokenSignaling | null): Routes {
  const isAdapter = spoken !== null && 'serve' in spoken
  return { backend: `**${tokenRoutePath}`, signaling: isAdapter ? '**' : `**${doublePath}` }
}

function createProgramClient(options: ClientOptions, command: string): Client {
  const { configuration, environment } = options
  const tls = configuration.client?.tls ?? false
  const kind = { seesStatus: true, routes: toldRoutes(options.spoken) }
  return {
    kind: 'program',
    seesEverything: false,
    async open(open = {}) {
      return await openApp(options, open, kind, async (context) => {
        const { withOtherOrigin = false, untrusted } = open
        const doublesServer = await startDoublesServer({
          trafficHandler: context.trafficHandler,
          signalingPath: context.signaling.path,
          tls,
          withOtherOrigin,
          untrusted,
        })
        const access = { ...unproxied, ...doublesServer, takesSession: true }
        const { directory } = configuration
        return await startProgram({ context, command, access, directory, environment })
      })
    },
  }
}

function createManualClient(
  options: ClientOptions,
  device: Device,
  operator: DeviceOperator,
  settings: DeviceSettings,
): Client {
  const { tls = false } = options.configuration.client ?? {}
  const isProxied = settings.by === 'proxy'
  const kind = {
    seesStatus: true,
    routes: isProxied ? null : toldRoutes(options.spoken),
    isFenced: isProxied,
  }
  return {
    kind: 'observed',
    seesEverything: isProxied,
    open: (open = {}) =>
      openAlone(device, () =>
        openApp(options, open, kind, (context) => openManualDevice(context, device, operator, settings, tls)),
      ),
  }
}

/** A device that a program operates: the program is told of the proxy, and sets the device up itself. */
function createOperatedClient(
  options: ClientOptions,
  device: Device,
  command: string,
  settings: DeviceProxySettings,
): Client {
  const { configuration, environment } = options
  const { directory } = configuration
  const kind = { seesStatus: true, routes: null, isFenced: true }
  return {
    kind: 'observed',
    seesEverything: true,
    open: (open = {}) =>
      openAlone(device, () =>
        openApp(options, open, kind, async (context) => {
          const access = await openProgramsProxy(context, device, settings)
          return await startProgram({ context, command, access, directory, environment })
        }),
      ),
  }
}

/** There is one device, so that each opening waits until it is free. */
async function openAlone(device: Device, open: () => Promise<ClientApp>): Promise<ClientApp> {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  const before = device.free
  device.free = promise
  await before
  try {
    const app = await open()
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
}

async function openApp(
  options: ClientOptions,
  open: OpenOptions,
  kind: { readonly seesStatus: boolean; readonly routes: Routes | null; readonly isFenced?: boolean },
  openDriver: (context: ClientContext) => Promise<ClientDriver>,
): Promise<ClientApp> {
  const { configuration } = options
  const context = await createClientContext({ ...options, open, ...kind })
  try {
    return createClientApp(context, await openDriver(context), configuration)
  } catch (error) {
    context.end()
    throw error
  }
}
