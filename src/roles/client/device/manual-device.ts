import type { ClientContext } from '../client-context.ts'
import { type ClientDriver, noConnection, ownClock } from '../client-driver.ts'
import type { DriverUser } from '../page/page-driver.ts'
import type { OptionalAction } from '../types.ts'
import { askUntil, type DeviceAccess, type DeviceOperator } from './device.ts'

const connectDeadlineMs = 600_000

/** A client that only a person can operate: the person is told what to do next, and the traffic alone is judged. */
export async function openManualDevice(
  context: ClientContext,
  access: DeviceAccess,
  operator: DeviceOperator,
): Promise<ClientDriver> {
  const { backend, signaling } = context
  await operator.ask('Restart the app, signed out.')
  const traffic = () => backend.calls().length + signaling.attempts().length
  const connect = async () => {
    const before = traffic()
    await askUntil(operator, 'Connect now.', context, () => traffic() > before, connectDeadlineMs)
  }
  const can: ReadonlySet<OptionalAction> = new Set(['disconnect'])
  return {
    prefix: 'not supported with client.observe: ',
    isPerson: true,
    isProxied: access.isProxied,
    otherOrigin: access.otherOrigin,
    untrustedConnections: () => noConnection,
    unreadHosts: access.unreadHosts,
    forwardedUnread: access.forwardedUnread,
    takesSession: false,
    can,
    signIn: (user) => operator.ask(`Sign in as ${describeUser(user)}, but do not connect yet.`),
    connect,
    signOut: () => operator.ask('Sign out now.'),
    disconnect: () => operator.ask('Disconnect now, but stay signed in.'),
    configure: () => Promise.resolve(),
    state: () => Promise.resolve(null),
    capture: () => Promise.resolve([]),
    ...ownClock,
    [Symbol.asyncDispose]: () => access[Symbol.asyncDispose](),
  }
}

function describeUser({ name, userId }: DriverUser): string {
  return typeof userId === 'string' && userId !== name ? `${name} (userId ${userId})` : name
}
