import { type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Duplex } from 'node:stream'
import { type RawData, WebSocket, WebSocketServer } from 'ws'
import { secureOptions } from '../../../base/http/network.ts'
import { corsHeaders, isPreflight } from './cors.ts'
import { isThisMachine, lookupElsewhere, notReached } from './other-machines.ts'

/** Forwards requests to where the client sent them. */
export interface ForwardProxy {
  /** Resolves with the whole response; with null where there was none, and `failureOf` says why. */
  forwardRequest(
    url: URL,
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
  ): Promise<ForwardedResponse | null>
  /** Relays a WebSocket, and tells what the client sent on it. */
  relaySocket(
    url: URL,
    request: IncomingMessage,
    stream: Duplex,
    head: Buffer,
    onSent: (text: string) => void,
  ): void
  /** Resolves to the answer to a GET, as text; null where it is not 2xx. */
  fetchText(url: URL): Promise<string | null>
  /** Why a page could not be had, by its origin. */
  failureOf(origin: string): string | undefined
}

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

/** @param isFenced whether a request may not get to this machine, as one that comes from another machine */
export function createForwardProxy(
  ca: readonly string[] | undefined,
  isFenced: (url: URL) => boolean = () => false,
): ForwardProxy {
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

  const forwardProxy: ForwardProxy = {
    failureOf: (origin) => failures.get(origin),
    async forwardRequest(url, request, response, body) {
      // Unencoded, so that what is loaded can be searched; a response that is compressed all the same is forwarded unchanged.
      const headers = { ...dropHopByHop(request.rawHeaders), 'accept-encoding': 'identity' }
      try {
        const answer = await ask(url, request.method ?? 'GET', headers, body)
        response.once('close', () => answer.destroy())
        const status = answer.statusCode ?? 502
        response.writeHead(status, answer.statusMessage, flattenHeaders(dropHopByHop(answer.rawHeaders)))
        const text = await pipeThrough(answer, response)
        return {
          status,
          contentType: answer.headers['content-type'] ?? '',
          headers: Object.entries(dropHopByHop(answer.rawHeaders)).map(([name, value]) => [
            name,
            String(value),
          ]),
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
    relaySocket(url, request, stream, head, onSent) {
      if (isRefused(url)) return void stream.destroy()
      const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((part) => part.trim())
      const { cookie, origin, authorization } = request.headers
      const carried = { cookie, origin, authorization }
      const given = Object.fromEntries(Object.entries(carried).filter(([, value]) => value !== undefined))
      const upstream = new WebSocket(
        url,
        offered.filter((part) => part !== ''),
        {
          headers: given as Record<string, string>,
          maxPayload: mostAheadBytes,
          ...fence(url),
          ...secure(url),
        },
      )
      upstream.once('error', () => stream.destroy())
      stream.once('close', () => upstream.terminate())
      upstream.once('open', () => {
        const server = new WebSocketServer({
          noServer: true,
          maxPayload: mostAheadBytes,
          handleProtocols: () => upstream.protocol || false,
        })
        server.handleUpgrade(request, stream, head, (socket) => {
          relay(upstream, socket, () => undefined)
          relay(socket, upstream, onSent)
        })
      })
    },
    async fetchText(url) {
      const answer = await ask(url, 'GET', { 'accept-encoding': 'identity' }, Buffer.alloc(0)).catch(
        () => null,
      )
      if (answer === null) return null
      const text = await collectText(answer)
      return answer.statusCode !== undefined && answer.statusCode < 300 ? text : null
    },
  }
  return forwardProxy
}

/**
 * Bytes that one end may send ahead of the other. Beyond that the socket is cut, since it would fill the
 * memory of the suite.
 */
const mostAheadBytes = 16 * 1_048_576

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

function flattenHeaders(headers: Record<string, string | string[]>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => [value].flat().flatMap((one) => [name, one]))
}

async function pipeThrough(answer: IncomingMessage, response: ServerResponse): Promise<string> {
  answer.pipe(response)
  answer.once('error', () => response.destroy())
  return await collectText(answer)
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
