import type { DeclaredUser } from '../../../src/roles/signaling/declared-users/registry.ts'
import { splitEmbeddedJson } from '../../../src/roles/signaling/frame-leaves.ts'

/** Fields in which protocols state the kind of a message, and the user. */
const kinds = ['type', 'event', 'op', 'action', 'cmd']
const userFields = ['userId', 'user_id', 'user', 'uid']

/** Names under which protocols of events take a credential: `42["auth",{…}]`. */
const eventNames = [
  'auth',
  'authenticate',
  'authorize',
  'login',
  'identify',
  'register',
  'join',
  'refresh',
  'token',
]

/** The event that a frame of such a protocol states, as Socket.IO does; null for any other frame. */
export function readEvent(text: string): { readonly prefix: string; readonly name: string } | null {
  const { prefix = '', json } = splitEmbeddedJson(text) ?? {}
  return prefix !== '' && Array.isArray(json) && typeof json[0] === 'string'
    ? { prefix, name: json[0] }
    : null
}

/**
 * A message that many services would take for a credential: it names the user under usual names, and under those that this service
 * uses itself.
 * @param own where its frames name the user, what stands before its events, and where a client declares a user
 * @returns one message, or one for each usual event
 */
export function guessMessages(
  { token, target }: { readonly token: string | null; readonly target: string },
  own: {
    readonly paths: readonly string[]
    readonly eventPrefix: string | null
    readonly declaredUser: DeclaredUser
  },
): readonly string[] {
  const declared = 'name' in own.declaredUser ? [own.declaredUser.name] : []
  const named = [...userFields, ...declared, ...own.paths.flatMap((path) => path.split("'").at(-2) ?? [])]
  const { eventPrefix } = own
  const fields = {
    ...Object.fromEntries(named.map((name) => [name, target])),
    ...Object.fromEntries(kinds.map((name) => [name, 'auth'])),
    token: token ?? '',
    jwt: token ?? '',
  }
  return eventPrefix === null
    ? [JSON.stringify(fields)]
    : eventNames.map((name) => eventPrefix + JSON.stringify([name, fields]))
}
