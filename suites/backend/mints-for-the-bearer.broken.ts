import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { warning } from '../lib/broken-rows.ts'
import { keepFirst } from './lib/variant-caches.ts'
import { alsoWithoutDouble, inCookie, inHeader, inJson, inQuery, presenting } from './lib/variants.ts'

export const broken: BrokenVariants = {
  ...warning({
    ...alsoWithoutDouble({ 'prefers the session in a cookie': { backend: presenting(inCookie('session')) } }),
    'prefers the header X-Auth-Token': { backend: presenting(inHeader('x-auth-token')) },
    'prefers access_token of the query': { backend: presenting(inQuery('access_token')) },
    'prefers sessionToken of the body': { backend: presenting(inJson('sessionToken')) },
    'takes a session from the query where there is no bearer': {
      backend: presenting((request) =>
        request.headers.authorization === undefined ? inQuery('token')(request) : undefined,
      ),
    },
  }),
  'keeps one token for everyone': { backend: keepFirst(() => ''), as: 'untested' },
  'mints for everyone under one id': { backend: { userId: () => 'app' }, as: 'untested' },
  'mints for a guest where there is no session': {
    backend: {
      callingToken: async ({ headers }, { authenticate, mint, userId }) =>
        headers.authorization === undefined ? await mint('guest') : await mint(userId(await authenticate())),
    },
    as: 'untested',
  },
  'mints for both users in one': minting((users) => users.join(',')),
  ...alsoWithoutDouble({
    'mints for a guest where two users are named': minting(([first = 'guest', ...others]) =>
      others.length > 0 ? 'guest' : first,
    ),
  }),
  'mints for the bearer within the account of the cookie': minting(([first = '', second]) =>
    second === undefined ? first : `${second}/${first}`,
  ),
}

/** A backend that mints for the users of all sessions in the Authorization header and the cookie, as `name` says. */
function minting(name: (users: readonly string[]) => string): Catch {
  return {
    backend: {
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
    },
  }
}
