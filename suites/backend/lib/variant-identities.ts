import type { Policies } from '../../../src/requirement/define.ts'

type Backend = Policies['backend']
type Request = Parameters<Backend['presentedSession']>[0]

/** A backend that looks for the session elsewhere first. */
export function presenting(
  find: (request: Request) => string | undefined,
): Pick<Backend, 'presentedSession'> {
  return { presentedSession: (request) => find(request) ?? bearerOf(request) }
}

/** A backend that mints for the users of all sessions in the Authorization header and the cookie, as `name` says. */
export function minting(name: (users: readonly string[]) => string): Pick<Backend, 'callingToken'> {
  return {
    async callingToken(request, { authenticate, mint, userId, records }) {
      const text = `${request.headers.authorization ?? ''} ${request.headers['cookie'] ?? ''}`
      const known = [...records.byToken].filter(
        ([token, { expiresAt, id }]) =>
          text.includes(token) && expiresAt > Date.now() && !records.signedOut.has(id),
      )
      const users = known.map(([, session]) => userId(session))
      if (users.length < 2) return await mint(userId(await authenticate()))
      return await mint(name([...new Set(users)]))
    },
  }
}

function bearerOf({ headers }: Request): string | null {
  const [scheme, token] = (headers.authorization ?? '').split(' ')
  return scheme?.toLowerCase() === 'bearer' && token !== undefined ? token : null
}
