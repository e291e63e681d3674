import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { rows } from '../lib/broken-rows.ts'
import { type Backend, guarding } from './lib/variants.ts'

/** A router that knows the route by its beginning, decoded. */
const isTokenRoute: Backend['isTokenRoute'] = ({ pathname }, path) => {
  const [folder = '', last = ''] = path.slice(1).split('/')
  const decoded = decodeURIComponent(pathname)
  return decoded.startsWith(path) || (decoded.startsWith(`/${folder}/`) && decoded.endsWith(`/..;/${last}`))
}

export const broken: BrokenVariants = {
  'checks no session below the route': guardOnly((path) => !path.startsWith('/calling/token/')),
  ...rows(
    {
      'checks no session where the path has a semicolon in it': ';',
      'checks no session where the path has a percent sign in it': '%',
      'checks no session where the path has a step to a parent in it': '/..;/',
    },
    (part) => guardOnly((path) => !path.includes(part)),
  ),
  'serves a guest by GET only, below the route': guardOnly(
    (path, method) => method !== 'GET' || !path.startsWith('/calling/token/'),
  ),
  'caches what looks like a style sheet, for everyone': cacheByName((path) => path.endsWith('.css')),
  'caches what has an ending, for those who are signed in': cacheByName(
    (path, { authorization }) => path.includes('.') && authorization !== undefined,
  ),
  'lets caches keep what looks like a file': serveSpellings((path) =>
    path.includes('.') ? 'public, max-age=3600' : 'no-store',
  ),
  'says nothing about caches below the route': {
    ...serveSpellings((path) => (path.includes('/token/') ? null : 'no-store')),
    as: 'warn',
  },
}

type Answer = Parameters<Backend['answer']>[0]
type Headers = Parameters<Backend['answer']>[1]['headers']

/** A backend that serves the route in any spelling, and checks the session at some of them only. */
function guardOnly(isGuarded: (path: string, method: string) => boolean): Catch {
  return { backend: { isTokenRoute, ...guarding(({ url, method }) => isGuarded(url.pathname, method)) } }
}

/** A backend behind a cache that knows responses to GET again by their path alone. */
function cacheByName(isCached: (path: string, headers: Headers) => boolean): Catch {
  const stored = new Map<string, Answer>()
  return {
    backend: {
      isTokenRoute,
      answer(usual, { method, url, headers }) {
        if (method !== 'GET' || !isCached(url.pathname, headers)) return usual
        const known = stored.get(url.href)
        if (known === undefined && usual.status === 200) stored.set(url.href, usual)
        return known ?? usual
      },
    },
  }
}

/** A backend that serves the route in any spelling to valid sessions; null leaves Cache-Control out. */
function serveSpellings(cacheControlAt: (path: string) => string | null): Catch {
  return {
    backend: {
      isTokenRoute,
      answer({ headers: { 'cache-control': _, ...headers }, ...usual }, { url }) {
        const cacheControl = cacheControlAt(url.pathname)
        return {
          ...usual,
          headers: cacheControl === null ? headers : { ...headers, 'cache-control': cacheControl },
        }
      },
    },
  }
}
