import { isRecord } from '../../../src/base/tokens/decode.ts'
import type { Signaling } from '../../../src/roles/signaling/driver.ts'
import { splitEmbeddedJson } from '../../../src/roles/signaling/frame-leaves.ts'
import { profileOf } from '../../lib/profile-of.ts'

/** Fields in which protocols state the kind of a message, and the user. */
const kinds = ['type', 'event', 'op', 'action', 'cmd']
const userFields = ['userId', 'user_id', 'user', 'uid']

/** Names under which protocols of events take a credential: `42["auth",{…}]`. */
const eventNames = 'auth authenticate authorize login identify register join refresh token'.split(' ')

/** Ends each message of SignalR. */
const separator = '\u001e'

/** How a protocol states events: behind a text, as Socket.IO does, or as invocations of SignalR. */
export type EventForm = { readonly prefix: string } | 'invocations'

/** The event that a frame of such a protocol states; null for any other frame. */
export function readEvent(text: string): { readonly form: EventForm; readonly name: string } | null {
  if (text.endsWith(separator)) {
    const messages = text.split(separator).map((message) => splitEmbeddedJson(message)?.json)
    const calls = messages.filter(isRecord)
    // The first method that the service calls; an empty name where a frame of SignalR calls none.
    const name = calls.map(({ target }) => target).find((target) => typeof target === 'string') ?? ''
    return calls.length === 0 ? null : { form: 'invocations', name }
  }
  const { prefix = '', json } = splitEmbeddedJson(text) ?? {}
  return prefix !== '' && Array.isArray(json) && typeof json[0] === 'string'
    ? { form: { prefix }, name: json[0] }
    : null
}

interface Guessed {
  readonly token: string | null
  readonly target: string
}

/** Messages that many services take for a credential; none where an adapter or bytes are sent. */
export function guessMessages(
  guessed: Guessed,
  own: { readonly paths: readonly string[]; readonly events: { readonly form: EventForm | null } },
  { configuration: { access } }: Signaling,
): readonly string[] {
  const profile = profileOf(access)
  if (profile === null || profile.binary !== undefined) return []
  const { declaredUser } = profile
  const declared = 'name' in declaredUser ? [declaredUser.name] : []
  const named = [...userFields, ...declared, ...own.paths.flatMap((path) => path.split("'").at(-2) ?? [])]
  const { token, target } = guessed
  const fields = {
    ...Object.fromEntries(named.map((name) => [name, target])),
    ...Object.fromEntries(kinds.map((name) => [name, 'auth'])),
    token: token ?? '',
    jwt: token ?? '',
  }
  const { form } = own.events
  if (form === null) return [JSON.stringify(fields)]
  if (form === 'invocations') return eventNames.flatMap((name) => invoke(name, guessed, fields))
  return eventNames.map((name) => form.prefix + JSON.stringify([name, fields]))
}

/** Methods take a fixed number of arguments, in an order of their own. */
function invoke(name: string, { token, target }: Guessed, fields: object): string[] {
  const lists = token === null ? [[target]] : [[token], [token, target], [target, token]]
  return [...lists, [fields]].map((list, place) => {
    const call = {
      type: 1,
      invocationId: `${name}-${place}`,
      target: name.charAt(0).toUpperCase() + name.slice(1),
      arguments: list,
    }
    return JSON.stringify(call) + separator
  })
}
