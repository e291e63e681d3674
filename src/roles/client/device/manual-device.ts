import type { CertificateAuthority } from '../../../base/tls/certificates.ts'
import type { DeviceSettings } from '../client-configuration.ts'
import type { ClientContext } from '../client-context.ts'
import { type ClientDriver, ownClock, unproxied } from '../client-driver.ts'
import { startDoublesServer } from '../doubles/doubles-server.ts'
import { authorityPath, type DeviceProxy, startDeviceProxy } from './device-proxy.ts'

/** The person who operates the device: is shown an instruction, and has followed it when the promise resolves. */
export type DeviceOperator = (instruction: string) => Promise<void>

/** The device of a run: what it was told stays set from one requirement to the next. */
export interface Device {
  /** Null where a program operates it, which sets it up as well. */
  readonly operator: DeviceOperator | null
  /** Authority that the device is asked to trust. Its key is in memory only. */
  readonly authority: CertificateAuthority
  /** True once the person was told how to set it up. */
  isSetUp: boolean
  /** Resolves once no client is open on the device. */
  free: Promise<void>
}

/** A client that a person operates by instructions. `tls`: the doubles speak https and wss. Throws `ControlLost`. */
export async function openManualDevice(
  context: ClientContext,
  device: Device,
  operator: DeviceOperator,
  settings: DeviceSettings,
  tls: boolean,
): Promise<ClientDriver> {
  const { signaling, trafficHandler } = context
  await using stack = new AsyncDisposableStack()
  let proxy: DeviceProxy | null = null
  if (settings.by === 'proxy') {
    proxy = stack.use(await startDeviceProxy(context, settings, device.authority))
    const shown = proxy.addresses.map(
      (address) => `\n  HTTP proxy  ${address}\n  authority   http://${address}${authorityPath}`,
    )
    const setUp =
      'On the device, set the HTTP proxy of the network, download the certificate authority and trust it'
    if (!device.isSetUp) await operator(`${setUp}:${shown.join('')}\n`)
    device.isSetUp = true
    proxy.beginJudging()
  } else {
    const { host, port } = settings
    const shown = { trafficHandler, signalingPath: signaling.path, tls, authority: device.authority }
    const doubles = stack.use(await startDoublesServer({ ...shown, host, port }))
    const trust = doubles.caFile === null ? '' : `\n  trust        ${doubles.caFile}`
    const addresses = `\n  token route  ${doubles.backendUrl}\n  signalingUrl ${doubles.signalingUrl}${trust}`
    await operator(`Set in the app:${addresses}\n`)
  }
  await operator('Restart the app, signed out.')
  const opened = stack.move()
  return {
    ...unproxied,
    ...proxy,
    prefix: 'not supported with client.observe: ',
    isPerson: true,
    isProxied: proxy !== null,
    can: new Set(['disconnect'] as const),
    signIn({ name, userId }) {
      const id = typeof userId === 'string' && userId !== name ? ` (userId ${userId})` : ''
      return operator(`Sign in as ${name}${id}, but do not connect yet.`)
    },
    connect: () => operator('Connect now.'),
    signOut: () => operator('Sign out now.'),
    disconnect: () => operator('Disconnect now, but stay signed in.'),
    configure: () => Promise.resolve(),
    state: () => Promise.resolve(null),
    capture: () => Promise.resolve([]),
    ...ownClock,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
