import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { renderUnicodeCompact } from 'uqr'
import { openTempFolder } from '../../../base/temp-folder.ts'
import { type CertificateAuthority, createAuthority } from '../../../base/tls/certificates.ts'
import type { DeviceProxySettings, DeviceSettings } from '../client-configuration.ts'
import type { ClientContext } from '../client-context.ts'
import { noConnection } from '../client-driver.ts'
import { startDoublesServer } from '../doubles/doubles-server.ts'
import type { ProgramAccess } from '../program.ts'
import type { UnreadHost } from '../types.ts'
import { setUpHost } from './device-page.ts'
import { startDeviceProxy } from './device-proxy.ts'

/** The person who operates the device. */
export interface DeviceOperator {
  /** Shows an instruction; resolves when it has been followed, at the latest when `seen` has. */
  ask(instruction: string, seen?: Promise<unknown>): Promise<void>
  tell(text: string): void
}

/** The device of a run: what it was told stays set from one requirement to the next. */
export interface Device {
  /** Null where a program operates it, which sets it up as well. */
  readonly operator: DeviceOperator | null
  /** Authority that the device is asked to trust. Its key is in memory only. */
  readonly authority: CertificateAuthority
  /** True once the person has been led through the set-up. */
  isSetUp: boolean
  /** Resolves once no other client is open on the device, with what ends this one's turn. */
  takeTurn(): Promise<() => void>
}

/** How the device reaches the doubles while a client is open. */
export interface DeviceAccess extends AsyncDisposable {
  readonly isProxied: boolean
  readonly otherOrigin: string | null
  unreadHosts(): readonly UnreadHost[]
  forwardedUnread(): readonly string[]
}

/** Asks until the person says so, or it is seen; nothing goes on waiting afterwards. */
export async function askUntil(
  operator: DeviceOperator,
  instruction: string,
  { changeSignal }: Pick<ClientContext, 'changeSignal'>,
  isSeen: () => boolean,
  deadlineMs: number,
): Promise<void> {
  let isOver = false
  const seen = changeSignal.waitFor(() => isOver || isSeen(), deadlineMs)
  seen.catch(() => undefined)
  try {
    await operator.ask(instruction, seen)
  } finally {
    isOver = true
    changeSignal.notify()
  }
}

export function createDevice(operator: DeviceOperator | null): Device {
  let free: Promise<void> = Promise.resolve()
  return {
    operator,
    authority: createAuthority(),
    isSetUp: false,
    async takeTurn() {
      const { promise, resolve } = Promise.withResolvers<void>()
      const before = free
      free = promise
      await before
      return resolve
    },
  }
}

export interface AccessOptions {
  readonly context: ClientContext
  readonly device: Device
  readonly operator: DeviceOperator
  readonly settings: DeviceSettings
  /** The doubles at addresses speak https and wss. */
  readonly tls: boolean
}

/**
 * Lets the device in, and has the person set it up where that was not done.
 * @throws ControlLost where the address cannot be had
 */
export async function openDeviceAccess({
  context,
  device,
  operator,
  settings,
  tls,
}: AccessOptions): Promise<DeviceAccess> {
  const { authority } = device
  if (settings.by === 'addresses') {
    const { host, port } = settings
    const { trafficHandler } = context
    const signalingPath = context.signaling.path
    const doubles = await startDoublesServer({ trafficHandler, signalingPath, tls, authority, host, port })
    operator.tell(
      [
        'Set in the app:',
        `  token route  ${doubles.backendUrl}`,
        `  signalingUrl ${doubles.signalingUrl}`,
        ...(doubles.caFile === null ? [] : [`  trust        ${doubles.caFile}`]),
      ].join('\n'),
    )
    return {
      isProxied: false,
      otherOrigin: null,
      unreadHosts: () => [],
      forwardedUnread: () => [],
      [Symbol.asyncDispose]: () => doubles[Symbol.asyncDispose](),
    }
  }
  const proxy = await startDeviceProxy(context, settings, authority)
  try {
    if (!device.isSetUp) {
      operator.tell(describeSetUp(proxy.addresses))
      await askUntil(operator, 'Set the device up.', context, proxy.isTrusted, setUpMs)
      operator.tell(
        proxy.isTrusted()
          ? 'The device uses the proxy and trusts the authority.'
          : `http://${setUpHost} was not opened with the authority installed: hosts whose certificate the app rejects are named in the results.`,
      )
      device.isSetUp = true
    }
    proxy.beginJudging()
  } catch (error) {
    await proxy[Symbol.asyncDispose]()
    throw error
  }
  return {
    isProxied: true,
    otherOrigin: proxiedOtherOrigin,
    unreadHosts: proxy.unreadHosts,
    forwardedUnread: proxy.forwardedUnread,
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  }
}

/** Opens the proxy for a device that a program operates, with what tells the program of it. */
export async function openProgramsProxy(
  context: ClientContext,
  { authority }: Device,
  settings: DeviceProxySettings,
): Promise<ProgramAccess> {
  await using stack = new AsyncDisposableStack()
  const caFile = join(stack.use(await openTempFolder()).path, 'ca.pem')
  await writeFile(caFile, authority.certificate)
  const { addresses, unreadHosts, forwardedUnread } = stack.use(
    await startDeviceProxy(context, settings, authority),
  )
  const opened = stack.move()
  return {
    environment: { TWOTOKEN_PROXY: addresses[0] ?? '', TWOTOKEN_CA_FILE: caFile },
    isProxied: true,
    otherOrigin: proxiedOtherOrigin,
    untrustedConnections: () => noConnection,
    // The app has a login of its own.
    takesSession: false,
    unreadHosts,
    forwardedUnread,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** No host of the network: the proxy answers for it. */
const proxiedOtherOrigin = `https://other-origin.${setUpHost}`

/** A phone may have to be unlocked, updated, and searched for a setting. */
const setUpMs = 1_800_000

function describeSetUp(addresses: readonly string[]): string {
  const [first = ''] = addresses
  return [
    'Set up the device:',
    ...addresses.map((address) => `  HTTP proxy (Wi-Fi settings, manual)  ${address}`),
    `  then open                            http://${setUpHost}`,
    '  and install the certificate authority that it shows.',
    `The steps are at http://${first}, before the proxy is set as well:`,
    '',
    renderUnicodeCompact(`http://${first}`, { border: 2 }),
  ].join('\n')
}
