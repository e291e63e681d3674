import type { Secrets } from '../../base/evidence/secrets.ts'
import type { SigningKey } from '../../base/tokens/signing-key.ts'
import type { ExchangeRecorderOptions } from './capture/exchange-recorder.ts'
import { createClientApp } from './client-app.ts'
import type { DeviceProxySettings, DeviceSettings, DoublesConfiguration } from './client-configuration.ts'
import { type ClientContext, createClientContext } from './client-context.ts'
import { type ClientDriver, unproxied } from './client-driver.ts'
import { openProgramsProxy } from './device/device-proxy.ts'
import { type Device, type DeviceOperator, openManualDevice } from './device/manual-device.ts'
import { startDoublesServer, tokenRoutePath } from './doubles/doubles-server.ts'
import { doublePath } from './doubles/signaling-double.ts'
import type { SpokenSignaling } from './doubles/spoken-signaling.ts'
import type { BrowserSource } from './page/browser.ts'
import { openPage, type PageOptions } from './page/page.ts'
import { loadPageDriver, type PageDriver } from './page/page-driver.ts'
import { type ProgramAccess, startProgram } from './program.ts'
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
  readonly follow: PageOptions['follow']
  readonly holdsSoFar: PageOptions['holdsSoFar']
  /** A device that a person or a program operates; nothing else is then judged. */
  readonly device?: Device | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** A kind of client: how it meets the doubles, and how it is opened. */
interface Kind extends Pick<Client, 'kind' | 'seesEverything'> {
  readonly meeting: Pick<Parameters<typeof createClientContext>[0], 'seesStatus' | 'routes' | 'isFenced'>
  openDriver(context: ClientContext, open: OpenOptions): Promise<ClientDriver>
}

/** The client that the configuration describes; undefined where it describes none. */
export function createClient(options: ClientOptions): Client | undefined {
  const { device } = options
  const kind = chooseKind(options)
  if (kind === undefined) return undefined
  const open = (opening: OpenOptions = {}) => openApp(options, kind, opening)
  return {
    kind: kind.kind,
    seesEverything: kind.seesEverything,
    open: device ? (opening) => openAlone(device, () => open(opening)) : open,
  }
}

function chooseKind(options: ClientOptions): Kind | undefined {
  const { device, configuration } = options
  if (configuration.client === undefined) return undefined
  const { url, driver, command, observe, tls } = configuration.client
  if (device?.operator != null) return observe && observedKind(options, device, device.operator, observe, tls)
  if (device !== undefined && command !== undefined && observe?.by === 'proxy')
    return operatedKind(options, device, command, observe)
  if (url !== undefined && driver !== undefined) return pageKind(options, url, driver)
  return command === undefined ? undefined : programKind(options, command, tls)
}

function pageKind(options: ClientOptions, url: string, driverFile: string): Kind {
  let loading: Promise<PageDriver> | undefined
  return {
    kind: 'page',
    seesEverything: true,
    meeting: { seesStatus: false, routes: null },
    async openDriver(context, open) {
      loading ??= loadPageDriver(driverFile)
      const driver = await loading
      const opened = await options.browsers.openContext(context.trafficHandler, open)
      try {
        return await openPage({ ...options, context, opened, driver, url, open })
      } catch (error) {
        await opened[Symbol.asyncDispose]()
        throw error
      }
    },
  }
}

/** Routes for clients that are told the doubles' addresses. An adapter's service may use any path, and HTTP. */
function toldRoutes({ spoken }: ClientOptions): Routes {
  const isAdapter = spoken !== null && 'serve' in spoken
  return { backend: `**${tokenRoutePath}`, signaling: isAdapter ? '**' : `**${doublePath}` }
}

function programKind(options: ClientOptions, command: string, tls: boolean): Kind {
  return {
    kind: 'program',
    seesEverything: false,
    meeting: { seesStatus: true, routes: toldRoutes(options) },
    async openDriver(context, open) {
      const { trafficHandler, signaling } = context
      const told = { trafficHandler, signalingPath: signaling.path, tls }
      const doubles = await startDoublesServer({ ...told, ...open })
      const access = { ...unproxied, ...doubles, takesSession: true }
      return await startGivenProgram(options, context, command, access)
    },
  }
}

function observedKind(
  options: ClientOptions,
  device: Device,
  operator: DeviceOperator,
  settings: DeviceSettings,
  tls: boolean,
): Kind {
  const isProxied = settings.by === 'proxy'
  return {
    kind: 'observed',
    seesEverything: isProxied,
    meeting: { seesStatus: true, routes: isProxied ? null : toldRoutes(options), isFenced: isProxied },
    openDriver: (context) => openManualDevice(context, device, operator, settings, tls),
  }
}

/** A device that a program operates: the program is told of the proxy, and sets the device up itself. */
function operatedKind(
  options: ClientOptions,
  device: Device,
  command: string,
  settings: DeviceProxySettings,
): Kind {
  return {
    kind: 'observed',
    seesEverything: true,
    meeting: { seesStatus: true, routes: null, isFenced: true },
    async openDriver(context) {
      const access = await openProgramsProxy(context, device.authority, settings)
      return await startGivenProgram(options, context, command, access)
    },
  }
}

function startGivenProgram(
  { configuration: { directory }, environment }: ClientOptions,
  context: ClientContext,
  command: string,
  access: ProgramAccess,
): Promise<ClientDriver> {
  return startProgram({ context, command, access, directory, environment })
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
  { meeting, openDriver }: Kind,
  open: OpenOptions,
): Promise<ClientApp> {
  const context = await createClientContext({ ...options, open, ...meeting })
  try {
    return createClientApp(context, await openDriver(context, open), options.configuration)
  } catch (error) {
    context.end()
    throw error
  }
}
