import type { Policies } from '../../../src/requirement/define.ts'

type Backend = Policies['backend']
type Answer = Parameters<Backend['answer']>[0]
type Headers = Parameters<Backend['answer']>[1]['headers']

/** A router that knows the route by its beginning, decoded. */
const isTokenRoute: Backend['isTokenRoute'] = ({ pathname }, path) => {
  const [folder = '', last = ''] = path.slice(1).split('/')
  const decoded = decodeURIComponent(pathname)
  return decoded.startsWith(path) || (decoded.startsWith(`/${folder}/`) && decoded.endsWith(`/..;/${last}`))
}

/** A backend that serves the route in any spelling, and checks the session at some of them only. */
export function guardOnly(
  isGuarded: (path: string, method: string) => boolean,
): Pick<Backend, 'isTokenRoute' | 'callingToken'> {
  return {
    isTokenRoute,
    callingToken: async ({ url, method }, { authenticate, mint, userId }) =>
      mint(isGuarded(url.pathname, method) ? userId(await authenticate()) : 'guest'),
  }
}

/** A backend behind a cache that knows responses to GET again by their path alone. */
export function cacheByName(
  isCached: (path: string, headers: Headers) => boolean,
): Pick<Backend, 'isTokenRoute' | 'answer'> {
  const stored = new Map<string, Answer>()
  return {
    isTokenRoute,
    answer(usual, { method, url, headers }) {
      if (method !== 'GET' || !isCached(url.pathname, headers)) return usual
      const known = stored.get(url.href)
      if (known === undefined && usual.status === 200) stored.set(url.href, usual)
      return known ?? usual
    },
  }
}

/** A backend that serves the route in any spelling to valid sessions; null leaves Cache-Control out. */
export function serveSpellings(
  cacheControlAt: (path: string) => string | null,
): Pick<Backend, 'isTokenRoute' | 'answer'> {
  return {
    isTokenRoute,
    answer(usual, { url }) {
      const { 'cache-control': _, ...headers } = usual.headers
      const cacheControl = cacheControlAt(url.pathname)
      return {
        ...usual,
        headers: cacheControl === null ? headers : { ...headers, 'cache-control': cacheControl },
      }
    },
  }
}
