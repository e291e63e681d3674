import { type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Duplex } from 'node:stream'
import { type ClientOptions, type RawData, WebSocket, WebSocketServer } from 'ws'
import { pairsOf } from '../../../base/http/incoming.ts'
import { secureOptions } from '../../../base/http/network.ts'
import { omitUndefined } from '../../../base/omit-undefined.ts'
import { corsHeaders, isPreflight } from './cors.ts'
import { isThisMachine, lookupElsewhere, notReached } from './other-machines.ts'

export interface ForwardedResponse {
  readonly status: number
  readonly contentType: string
  readonly headers: readonly (readonly [string, string])[]
  /** At most `keptBytes` of it. */
  readonly text: string
}

const keptBytes = 8 * 1024 * 1024
const hopByHop = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  // Names a way round the proxy: HTTP/3.
  'alt-svc',
])

/** Forwards requests to where the client sent them; this machine is out of reach for those that are fenced. */
export function createForwardProxy(
  ca: readonly string[] | undefined,
  isFenced: (url: URL) => boolean = () => false,
) {
  const failures = new Map<string, string>()
  const secure = ({ hostname }: URL) => secureOptions(ca === undefined ? {} : { ca }, hostname)
  const fence = (url: URL) => (isFenced(url) ? { lookup: lookupElsewhere } : {})
  const isRefused = (url: URL) => isFenced(url) && isThisMachine(url.hostname.replace(/^\[|\]$/g, ''))

  const ask = (url: URL, method: string, headers: Record<string, string | string[]>, body: Buffer) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const isSecure = url.protocol === 'https:'
      const options = { method, headers, ...fence(url), ...secure(url) }
      // An address is not looked up.
      if (isRefused(url)) return reject(new Error(notReached))
      const asked = (isSecure ? requestHttps : requestHttp)(url, options, resolve)
      asked.once('error', reject)
      return asked.end(body)
    })

  return {
    /** Why a page could not be had, by its origin. */
    failureOf: (origin: string) => failures.get(origin),
    /** Resolves with the whole response; with null where there was none, and `failureOf` says why. */
    async forwardRequest(
      url: URL,
      request: IncomingMessage,
      response: ServerResponse,
      body: Buffer,
    ): Promise<ForwardedResponse | null> {
      // Unencoded, so that what is loaded can be searched; a response that is compressed all the same is forwarded unchanged.
      const headers = { ...dropHopByHop(request.rawHeaders), 'accept-encoding': 'identity' }
      try {
        const answer = await ask(url, request.method ?? 'GET', headers, body)
        response.once('close', () => answer.destroy())
        const status = answer.statusCode ?? 502
        const passed = pairsOf(answer.rawHeaders).filter(([name]) => !hopByHop.has(name))
        response.writeHead(status, answer.statusMessage, passed.flat())
        answer.pipe(response)
        answer.once('error', () => response.destroy())
        const text = await collectText(answer)
        return {
          status,
          contentType: answer.headers['content-type'] ?? '',
          headers: passed,
          text,
        }
      } catch (error) {
        failures.set(url.origin, error instanceof Error ? error.message || String(error) : String(error))
        // A host that this machine cannot reach may be reachable elsewhere. The suite must see the requests
        // that a page would send to it.
        if (isPreflight(request)) response.writeHead(204, corsHeaders(request)).end()
        else request.socket.destroy()
        return null
      }
    },
    /** Relays a WebSocket, and tells what the client sent on it. */
    relaySocket(
      url: URL,
      request: IncomingMessage,
      stream: Duplex,
      head: Buffer,
      onSent: (text: string) => void,
    ): void {
      if (isRefused(url)) return void stream.destroy()
      const { cookie, origin, authorization } = request.headers
      const options = {
        headers: omitUndefined({ cookie, origin, authorization }),
        ...fence(url),
        ...secure(url),
      }
      bridgeSocket(url, request, stream, head, options, (client, service) => {
        relay(service, client, () => undefined)
        relay(client, service, onSent)
      })
    },
    /** Resolves to the answer to a GET, as text; null where it is not 2xx. */
    async fetchText(url: URL): Promise<string | null> {
      const answer = await ask(url, 'GET', { 'accept-encoding': 'identity' }, Buffer.alloc(0)).catch(
        () => null,
      )
      if (answer === null) return null
      const text = await collectText(answer)
      return answer.statusCode !== undefined && answer.statusCode < 300 ? text : null
    },
  }
}

/** Bytes that one end may send ahead of the other; beyond that the socket is cut, to keep the memory of the suite. */
export const mostAheadBytes = 16 * 1_048_576

/** Connects to where a client wanted a WebSocket, and then lets the client in. Either end ends with the other. */
export function bridgeSocket(
  url: URL,
  request: IncomingMessage,
  stream: Duplex,
  head: Buffer,
  options: ClientOptions,
  join: (client: WebSocket, service: WebSocket) => void,
): WebSocket {
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((part) => part.trim())
  const maxPayload = mostAheadBytes
  const service = new WebSocket(
    url,
    offered.filter((part) => part !== ''),
    { maxPayload, ...options },
  )
  service.on('error', () => stream.destroy())
  stream.once('close', () => service.terminate())
  service.once('open', () => {
    const handleProtocols = () => service.protocol || false
    const server = new WebSocketServer({ noServer: true, maxPayload, handleProtocols })
    server.handleUpgrade(request, stream, head, (client) => join(client, service))
  })
  return service
}

function relay(from: WebSocket, to: WebSocket, onText: (text: string) => void): void {
  from.on('message', (data: RawData, isBinary: boolean) => {
    onText(String(data))
    to.send(data, { binary: isBinary })
    if (to.bufferedAmount > mostAheadBytes) from.terminate()
  })
  from.on('close', () => to.terminate())
  from.on('error', () => to.terminate())
}

function dropHopByHop(raw: readonly string[]): Record<string, string | string[]> {
  const headers: Record<string, string[]> = {}
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase()
    if (hopByHop.has(name)) continue
    headers[name] = [...(headers[name] ?? []), raw[index + 1] ?? '']
  }
  return Object.fromEntries(
    Object.entries(headers).map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  )
}

function collectText(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve) => {
    answer.on('data', (chunk: Buffer) => {
      if (size < keptBytes) chunks.push(chunk)
      size += chunk.byteLength
    })
    answer.once('close', () => resolve(Buffer.concat(chunks).toString('utf8')))
  })
}
