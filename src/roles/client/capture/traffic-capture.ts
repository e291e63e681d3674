import type { Request } from '@playwright/test'
import type { ClientContext } from '../client-context.ts'
import type { CapturedText, Place, SeenRequest } from '../types.ts'

type Pair = readonly [name: string, value: string]

/** Everything that the client sent and loaded, sorted into places. */
export function captureTraffic(context: ClientContext): CapturedText[] {
  const { backend, signaling, otherTraffic, hosts } = context
  const captured: CapturedText[] = []
  const add = (place: Place, name: string, text: string, exchange = '') => {
    if (text !== '') captured.push({ place, name, text, exchange })
  }
  for (const { url, headers, body, exchange } of backend.calls()) {
    const isBearer = ([name]: Pair) => name === 'authorization'
    add('token route: Authorization', withoutQuery(url), joinHeaders(headers.filter(isBearer)), exchange)
    const rest = [url, joinHeaders(headers.filter((pair) => !isBearer(pair))), body].join('\n')
    add('token route: elsewhere in the request', withoutQuery(url), rest, exchange)
  }
  for (const { isCredential, url, text, exchange } of signaling.texts())
    add(isCredential ? 'signaling: credential' : 'signaling: elsewhere', withoutQuery(url), text, exchange)
  for (const request of otherTraffic.requests()) {
    const { url, headers, body, exchange } = request
    const found = hosts.isSignalingHttp(new URL(url))
      ? [{ place: 'signaling: elsewhere' as const, text: [url, joinHeaders(headers), body].join('\n') }]
      : placesOf(request, joinHeaders(headers), body)
    for (const { place, text } of found) add(place, withoutQuery(url), text, exchange)
  }
  for (const { url, contentType, text } of otherTraffic.loaded())
    add(
      url.pathname.endsWith('.map') ? 'source map' : 'page or script',
      `${withoutQuery(url.href)} (${contentType})`,
      text,
    )
  return captured
}

/** Captures requests that a page was about to send elsewhere than to the doubles, as if they had arrived. */
export function captureUnsent(requests: readonly Request[], { hosts }: ClientContext): CapturedText[] {
  return requests.flatMap((request) => {
    const url = new URL(request.url())
    if (hosts.isTokenRoute(url) || hosts.isSignalingHttp(url)) return []
    const sent = { url: url.href, host: hosts.kindOf(url) }
    const headers = joinHeaders(Object.entries(request.headers()))
    return placesOf(sent, headers, request.postData() ?? '')
      .filter(({ text }) => text !== '')
      .map(({ place, text }) => ({ place, name: withoutQuery(url.href), text, exchange: '' }))
  })
}

function placesOf(
  { host, url }: Pick<SeenRequest, 'host' | 'url'>,
  headers: string,
  body: string,
): { place: Place; text: string }[] {
  if (host === 'mint') return [{ place: 'mint host', text: [url, headers, body].join('\n') }]
  if (host === 'related') return [{ place: 'related hosts', text: [url, headers, body].join('\n') }]
  if (host === 'elsewhere') return [{ place: 'other hosts', text: [url, headers, body].join('\n') }]
  // The Referer of all that a page asks for is the address of the page.
  const others = headers.replace(/^referer: .*$/im, '')
  return [
    { place: 'own hosts: URL', text: url },
    { place: 'own hosts: headers and body', text: [others, body].join('\n') },
  ]
}

function joinHeaders(headers: readonly Pair[]): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n')
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '')
}
