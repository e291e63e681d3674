import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { findSecret } from '../../../base/find-secret/find-secret.ts'
import { pairsOf } from '../../../base/http/incoming.ts'
import { readSentBody } from '../../../base/http/inflate.ts'
import { refuseUpgrade } from '../../../base/http/requested-address.ts'
import { mintContract } from '../../../contract/mint.ts'
import { corsHeaders, isPreflight } from '../proxy/cors.ts'
import type { ForwardedResponse } from '../proxy/forward-proxy.ts'
import type { SeenRequest } from '../types.ts'
import type { DoubleContext } from './double-context.ts'

export interface LoadedText {
  readonly url: URL
  readonly contentType: string
  readonly text: string
  /** Where its source map is said to be. */
  readonly sourceMap: URL | null
}

const keyShape = /ac_live_/i
const longestFrame = 16 * 1_048_576
/** Destinations that ordinarily belong to loading a page. They are no separate exchanges in the results. */
const quietDestinations = new Set([
  'document',
  'script',
  'style',
  'image',
  'font',
  'manifest',
  'worker',
  'serviceworker',
])

interface Traffic {
  readonly context: DoubleContext
  readonly requests: SeenRequest[]
  readonly loaded: LoadedText[]
  readonly sinks: WebSocketServer
  readonly streams: Set<Duplex>
  readonly unfinished: Set<() => void>
}

/** All of the web but the doubles. Requests with a secret are forwarded to the customer's own hosts only. */
export function createOtherTraffic(context: DoubleContext) {
  const traffic: Traffic = {
    context,
    requests: [],
    loaded: [],
    sinks: new WebSocketServer({
      noServer: true,
      maxPayload: longestFrame,
      handleProtocols: ([first]) => first ?? false,
    }),
    streams: new Set(),
    unfinished: new Set(),
  }
  return {
    requests: (): readonly SeenRequest[] => traffic.requests,
    loaded: (): readonly LoadedText[] => traffic.loaded,
    request: serveRequest.bind(null, traffic),
    socket: serveSocket.bind(null, traffic),
    end() {
      for (const leave of [...traffic.unfinished]) leave()
      for (const stream of traffic.streams) stream.destroy()
      traffic.sinks.close()
    },
  }
}

async function serveRequest(
  traffic: Traffic,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
): Promise<void> {
  const text = readSentBody(body, request.headers['content-encoding'])
  const { isForwarded, host, finish } = seen(traffic, url, request, text)
  if (isForwarded) {
    const passed = await traffic.context.forwardProxy.forwardRequest(url, request, response, body)
    finish(passed, passed === null ? 'no response' : undefined)
    if (passed === null || !traffic.context.keep(passed.text.length)) return
    traffic.loaded.push({
      url,
      contentType: passed.contentType,
      text: passed.text,
      sourceMap: sourceMapOf(url, passed),
    })
    return
  }
  finish(null, 'answered by the suite, not forwarded')
  // The address serves the two doubles and nothing else.
  if (traffic.context.isTold && !traffic.context.hosts.isOtherOrigin(url))
    response.writeHead(404, corsHeaders(request)).end()
  else if (host === 'mint' && !isPreflight(request) && url.pathname.endsWith(mintContract.path)) {
    const token = await traffic.context.tokenIssuer.issue(traffic.context.userOf(null), 900)
    response.writeHead(200, { 'content-type': 'application/json', ...corsHeaders(request) })
    response.end(JSON.stringify({ token }))
  } else response.writeHead(204, corsHeaders(request)).end()
}

function serveSocket(
  traffic: Traffic,
  url: URL,
  request: IncomingMessage,
  stream: Duplex,
  head: Buffer,
): void {
  const { isForwarded, host, finish } = seen(traffic, url, request, '')
  finish(null, 'a WebSocket other than signaling')
  if (traffic.context.isTold && !traffic.context.hosts.isOtherOrigin(url)) {
    refuseUpgrade(stream, 404)
    return
  }
  const frame = (text: string) => {
    if (!traffic.context.keep(text.length)) return
    const known = traffic.requests.find((one) => one.url === url.href)
    traffic.requests.push({
      at: traffic.context.recorder.now(),
      method: 'frame',
      url: url.href,
      headers: known?.headers ?? [],
      body: text,
      host,
      isForwarded,
      exchange: known?.exchange ?? '',
    })
    traffic.context.changeSignal.notify()
  }
  traffic.streams.add(stream)
  stream.once('close', () => traffic.streams.delete(stream))
  if (host === 'own' || host === 'related')
    traffic.context.forwardProxy.relaySocket(url, request, stream, head, frame)
  else
    traffic.sinks.handleUpgrade(request, stream, head, (socket) => {
      socket.on('message', (data) => frame(String(data)))
      socket.on('error', () => undefined)
    })
}

function holdsSecret(traffic: Traffic, text: string) {
  return keyShape.test(text) || traffic.context.secrets().some((secret) => findSecret(text, secret) !== null)
}

function seen(traffic: Traffic, url: URL, request: IncomingMessage, body: string) {
  const headers = pairsOf(request.rawHeaders)
  const host = traffic.context.hosts.kindOf(url)
  const text = [url.href, ...headers.flat(), body].join('\n')
  const isForwarded =
    !traffic.context.isTold &&
    !traffic.context.hosts.isOtherOrigin(url) &&
    (host === 'own' || host === 'related' || (host === 'elsewhere' && !holdsSecret(traffic, text)))
  const at = traffic.context.recorder.now()
  const told = {
    to: 'web' as const,
    at,
    method: request.method ?? '',
    url: withoutValues(url),
    headers: withoutCredentials(headers),
    body: shownBody(body),
  }
  let id: string | null = null
  let outcome: { response: ForwardedResponse | undefined; failure: string | undefined } | null = null
  const record = () => {
    if (id === null || outcome === null) return
    const { response, failure } = outcome
    traffic.context.recorder.recordHttp(id, {
      ...told,
      response: response && {
        status: response.status,
        headers: withoutCredentials(response.headers),
        body: shownBody(response.text),
      },
      failure,
    })
  }
  const finish = (response: ForwardedResponse | null, failure?: string) => {
    if (outcome !== null) return
    traffic.unfinished.delete(leave)
    outcome = { response: response ?? undefined, failure }
    record()
  }
  const leave = () => finish(null, 'still in progress when the client was closed')
  traffic.unfinished.add(leave)
  traffic.requests.push({
    at,
    method: told.method,
    url: url.href,
    headers,
    body,
    // A host may turn out to be a part of the login only later.
    get host() {
      return (host === 'elsewhere' || host === 'related') && hasHandedOutSession(traffic, url) ? 'own' : host
    },
    isForwarded,
    // Requests that every page makes are recorded only once a finding cites them.
    get exchange() {
      const known = id
      id ??= traffic.context.recorder.begin()
      if (known === null) record()
      return id
    },
  })
  if (host !== 'own' || !quietDestinations.has(String(request.headers['sec-fetch-dest']))) {
    id = traffic.context.recorder.begin()
  }
  traffic.context.changeSignal.notify()
  return { isForwarded, host, finish }
}

/** A host that handed a session out may receive it: it is a part of the customer's login. */
function hasHandedOutSession(traffic: Traffic, { host }: URL) {
  return traffic.loaded.some(
    ({ url, text }) =>
      url.host === host && traffic.context.sessions().some((session) => text.includes(session)),
  )
}

// Messages between an app and its own servers may include unregistered secrets: passwords, refresh tokens.

function shownBody(text: string): string {
  return text === '' ? '' : `(${text.length} characters, not recorded)`
}

const telling =
  /^(?:accept|cache-control|content-|date|host|origin|sec-fetch-|server$|user-agent|access-control-|vary)/

function withoutCredentials(headers: readonly (readonly [string, string])[]) {
  return headers.map(([name, value]) => [name, telling.test(name) ? value : '(not recorded)'] as const)
}

function withoutValues(url: URL): string {
  const names = [...new Set(url.searchParams.keys())]
  return (
    url.origin + url.pathname + (names.length === 0 ? '' : `?${names.map((name) => `${name}=…`).join('&')}`)
  )
}

function sourceMapOf(url: URL, { headers, text, contentType }: ForwardedResponse): URL | null {
  if (!/javascript|css/.test(contentType)) return null
  const header = headers.find(([name]) => name === 'sourcemap' || name === 'x-sourcemap')?.[1]
  const comment = [...text.slice(-4096).matchAll(/[#@]\s*sourceMappingURL=(\S+)/g)].at(-1)?.[1]
  const target = header ?? comment
  return target === undefined || !URL.canParse(target, url.href) ? null : new URL(target, url)
}
