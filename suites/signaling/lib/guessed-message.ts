import type { DeclaredUser } from '../../../src/roles/signaling/declared-users/registry.ts'

/** Fields in which protocols state the kind of a message, and the user. */
const kinds = ['type', 'event', 'op', 'action', 'cmd']
const userFields = ['userId', 'user_id', 'user', 'uid']

/**
 * A message that many services would take for a credential: it names the user under usual names, and under those that this service
 * uses itself.
 * @param own where its frames name the user, and where a client declares one
 */
export function guessMessage(
  { token, target }: { readonly token: string | null; readonly target: string },
  own: { readonly paths: readonly string[]; readonly declaredUser: DeclaredUser },
): string {
  const declared = 'name' in own.declaredUser ? [own.declaredUser.name] : []
  const named = [...userFields, ...declared, ...own.paths.flatMap((path) => path.split("'").at(-2) ?? [])]
  return JSON.stringify({
    ...Object.fromEntries(named.map((name) => [name, target])),
    ...Object.fromEntries(kinds.map((name) => [name, 'auth'])),
    token: token ?? '',
    jwt: token ?? '',
  })
}
