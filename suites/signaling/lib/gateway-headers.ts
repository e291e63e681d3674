import type { Headers } from '../../../src/base/http/headers.ts'
import type { Signaling } from '../../../src/roles/signaling/driver.ts'

/**
 * Headers in which gateways name the authenticated user to the services behind them. Any client can send them
 * as well.
 */
const userHeaders = [
  'X-User',
  'X-User-Id',
  'X-Auth-User',
  'X-Authenticated-User',
  'X-Forwarded-User',
  'X-Remote-User',
  'Remote-User',
]

/**
 * Headers in which gateways state the source of a request. All of them say that it comes from the machine
 * itself.
 */
export const loopbackHeaders: Headers = [
  ['X-Forwarded-For', '127.0.0.1'],
  ['X-Real-IP', '127.0.0.1'],
  ['X-Client-IP', '127.0.0.1'],
  ['Forwarded', 'for=127.0.0.1'],
]

/** The user in every such header, but for those that the profile has a use for. */
export function statedUser({ configuration: { access } }: Signaling, userId: string): Headers {
  const profile = access !== undefined && 'profile' in access ? access.profile : null
  const used = JSON.stringify([profile?.carriage, profile?.declaredUser, profile?.headers]).toLowerCase()
  return userHeaders
    .filter((name) => !used.includes(`"${name.toLowerCase()}"`))
    .map((name) => [name, userId] as const)
}
