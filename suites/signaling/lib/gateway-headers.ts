import type { Headers } from '../../../src/base/http/headers.ts'
import type { Signaling } from '../../../src/roles/signaling/driver.ts'

/** In which gateways tell the services behind them whom they have authenticated. Any client can send them as well. */
const userHeaders = [
  'X-User',
  'X-User-Id',
  'X-Auth-User',
  'X-Authenticated-User',
  'X-Forwarded-User',
  'X-Remote-User',
  'Remote-User',
]

/** In which gateways tell where a request comes from, all of which say that it comes from the machine itself. */
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
