import { mintContract } from '../../../contract/mint.ts'
import type { DoublesConfiguration } from '../client-configuration.ts'
import type { HostKind } from '../types.ts'

/** The path at `otherOrigin` by which the suite knows what it has redirected. */
export const otherOriginPath = '/twotoken-other-origin'

export interface Routes {
  readonly backend: string
  readonly signaling: string
}

/** The token route where the configuration names none: the path of the specification's example. */
const exampleRoute = '**/calling/token'

/** Tells whose an address is. `routes` are globs of a client that is told where the doubles are. */
export function classifyHosts(
  { client, backend, signaling, mint, bundle }: DoublesConfiguration,
  routes: Routes | null,
) {
  const own = new Set<string>()
  for (const address of [client?.url, backend?.url])
    if (address !== undefined) own.add(normaliseHost(new URL(address)))
  const declared = client?.ownHosts ?? []
  const services = client?.serviceHosts ?? []
  const mintHosts = [mint === undefined ? undefined : withPort(new URL(mint.url)), bundle?.mintHost].filter(
    (host) => host !== undefined,
  )
  const route = routes?.backend ?? client?.backendUrl ?? backend?.url ?? exampleRoute
  const signalingUrl = routes?.signaling ?? client?.signalingUrl ?? signaling?.url

  const signalingOrigin = signalingUrl === undefined ? null : httpOriginOf(signalingUrl)

  const isOwn = (url: URL) => own.has(normaliseHost(url)) || declared.some((host) => matchesHost(host, url))
  const isMints = (url: URL) =>
    mintHosts.some((host) => host === url.hostname || host === withPort(url)) &&
    (!isOwn(url) || url.pathname.endsWith(mintContract.path))
  /** `orders.shop.example` beside `www.shop.example`: the same owner, or the same provider. */
  const isRelated = (url: URL) =>
    [...own].some((place) => {
      const parent = /^[^.:]+\.([^:]*[^.:\d][^:]*\.[^.:\d]+)(?::\d+)?$/.exec(place)?.[1]
      const below = place.replace(/:\d+$/, '')
      if (/[a-z]$/i.test(below) && url.hostname.endsWith(`.${below}`)) return true
      return parent !== undefined && (url.hostname === parent || url.hostname.endsWith(`.${parent}`))
    })
  return {
    kindOf: (url: URL): HostKind => {
      if (isMints(url)) return 'mint'
      if (isOwn(url)) return 'own'
      return isRelated(url) ? 'related' : 'elsewhere'
    },
    /** The customer's token route, which the backend double answers. */
    isTokenRoute: (url: URL) =>
      !isOtherOrigin(url) && (routes !== null || !isMints(url)) && matchesGlob(route, url),
    isOtherOrigin,
    /** The address that the configuration gives for signaling. */
    isSignaling: (url: URL) =>
      !isOtherOrigin(url) && signalingUrl !== undefined && matchesGlob(signalingUrl, url),
    /** A request to where signaling is, before or beside its socket, or to another host of the service: some libraries begin with HTTP. */
    isSignalingHttp: (url: URL) =>
      (url.origin === signalingOrigin && !isOwn(url)) ||
      (services.some((host) => matchesHost(host, url)) && !url.pathname.endsWith(mintContract.path)),
  }
}

/** The origin of a socket's address or of a glob for it, as that of an http address; null where the glob leaves it open. */
function httpOriginOf(signalingUrl: string): string | null {
  const [, secure, host] = /^ws(s?):\/\/([^/?#*]+)/.exec(signalingUrl) ?? []
  return host === undefined ? null : (URL.parse(`http${secure}://${host}`)?.origin ?? null)
}

/** Where a double redirects to: no part's, and the suite answers. */
function isOtherOrigin({ pathname }: URL): boolean {
  return pathname === otherOriginPath
}

/** Host and port; this machine is the same by each of its names. */
function normaliseHost({ host }: URL): string {
  return host.replace(/^(?:127\.0\.0\.1|\[::1\])(?=:|$)/, 'localhost')
}

function withPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port === '' ? (/^(?:https|wss):$/.test(protocol) ? '443' : '80') : port}`
}

/** Says whether an address fits a glob without its query. `*` matches within a segment, `**` across them, `{a,b}` either. */
export function matchesGlob(glob: string, url: URL): boolean {
  const bare = withoutQuery(url.href)
  return [glob, normaliseGlob(glob)].some((form) => compileGlob(withoutQuery(form)).test(bare))
}

/** Says whether a host fits such a glob; where the glob names no port, any port does. */
export function matchesHost(glob: string, { host, hostname }: URL): boolean {
  return [host, hostname].some((name) => compileGlob(glob).test(name))
}

function withoutQuery(address: string): string {
  return address.replace(/[?#].*$/s, '')
}

function normaliseGlob(glob: string): string {
  return /^[a-z]+:\/\/[^*{]+(?:\/|$)/i.test(glob) && URL.canParse(glob)
    ? decodeURI(new URL(glob).href).replace(/\/$/, glob.endsWith('/') ? '/' : '{,/}')
    : glob
}

function compileGlob(glob: string): RegExp {
  let depth = 0
  const source = glob.replace(/\*\*\/?|\*|[{},]|[.+^$()|[\]\\?]/g, (part) => {
    if (part === '**/') return '(?:.*/)?'
    if (part === '**') return '.*'
    if (part === '*') return '[^/]*'
    if (part === ',') return depth > 0 ? '|' : ','
    if (part === '{') depth += 1
    if (part === '}') depth -= 1
    if (part === '{') return '(?:'
    return part === '}' ? ')' : `\\${part}`
  })
  try {
    return new RegExp(`^${source}$`, 'i')
  } catch {
    return /^(?!)/
  }
}
