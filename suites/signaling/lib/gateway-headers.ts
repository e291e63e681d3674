import type { Headers } from '../../../src/base/http/headers.ts'
import type { Signaling } from '../../../src/roles/signaling/driver.ts'
import { profileOf } from '../../lib/profile-of.ts'
import { userHeaders } from '../../lib/user-headers.ts'

/** Headers in which gateways state the source of a request. All of them say that it comes from the machine itself. */
export const loopbackHeaders: Headers = [
  ...['X-Forwarded-For', 'X-Real-IP', 'X-Client-IP'].map((name) => [name, '127.0.0.1'] as const),
  ['Forwarded', 'for=127.0.0.1'],
]

/** Names by which services take a user from the query or a message, often left over from development. */
export const userParameters = ['userId', 'user_id', 'user', 'uid']

/** The user in every such header, but for those that the profile has a use for. */
export function statedUser(signaling: Signaling, userId: string): Headers {
  return unused(userHeaders, signaling).map((name) => [name, userId] as const)
}

/** The user in the query under every such name, but for those that the profile has a use for. */
export function statedInQuery(
  signaling: Signaling,
  userId: string,
): readonly (readonly [name: string, value: string])[] {
  return unused(userParameters, signaling).map((name) => [name, userId] as const)
}

/** The user beside the token in the message that carries it, under every such name; empty where no message does. */
export function statedInMessage(signaling: Signaling, userId: string): Readonly<Record<string, string>> {
  const isMessage = profileOf(signaling.configuration.access)?.carriage.in === 'message'
  return isMessage ? Object.fromEntries(unused(userParameters, signaling).map((name) => [name, userId])) : {}
}

function unused(names: readonly string[], { url, configuration: { access } }: Signaling): readonly string[] {
  const { carriage, declaredUser, headers } = profileOf(access) ?? {}
  const used = JSON.stringify([...new URL(url).searchParams.keys(), carriage, declaredUser, headers])
  return names.filter((name) => !used.toLowerCase().includes(`"${name.toLowerCase()}"`))
}
