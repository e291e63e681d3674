import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request as requestPlain,
  type ServerResponse,
} from 'node:http'
import { request as requestTls } from 'node:https'
import type { Party } from '../../base/evidence/exchange.ts'
import { startListening } from '../../base/http/listening.ts'
import { secureOptions } from '../../base/http/network.ts'
import { refuseTarget } from '../../base/http/requested-address.ts'
import { type Bounds, keepExchanges, type OpenExchange } from './kept-exchanges.ts'

export type RecordingProxy = Awaited<ReturnType<typeof startRecordingProxy>>

/**
 * A proxy between two parts: it forwards every HTTP request to one origin, unchanged and while it is sent, and keeps what
 * passes up to a bound.
 */
export async function startRecordingProxy({
  from,
  to,
  host,
  bounds,
}: {
  readonly from: Party
  readonly to: Party
  /** Where it listens, at any free port. */
  readonly host: string
  readonly bounds?: Bounds
}) {
  const kept = keepExchanges(from, to, bounds)
  let aim: Target | null = null
  const server = createServer((incoming, response) => {
    const { method = 'GET', url: target = '', rawHeaders } = incoming
    // Any other form of target names a server, and there is only one to forward to.
    if (!target.startsWith('/')) return refuseTarget(response)
    const exchange = kept.begin({ method, target, requestHeaders: pairHeaders(rawHeaders) })
    incoming.on('data', exchange.keepRequest)
    incoming.on('error', () => response.destroy())
    if (aim === null) incoming.once('end', () => giveUp(exchange, response))
    else forward(incoming, response, aim, exchange)
  })
  const listening = await startListening(server, { host, port: 0 })
  return {
    port: listening.port,
    /** Sets the one origin to which it forwards, and the authorities that it trusts there besides. It answers 503 before. */
    forwardTo(origin: string, ca: readonly string[] = []): void {
      aim = { origin: new URL(origin), ca }
    },
    hops: kept.hops,
    /** Exchanges that were forwarded whole, but are not kept whole. */
    cut: kept.cut,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
}

interface Target {
  readonly origin: URL
  readonly ca: readonly string[]
}

function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  { origin, ca }: Target,
  exchange: OpenExchange,
): void {
  const { method, url: path, rawHeaders } = incoming
  const isSecure = origin.protocol === 'https:'
  const trust = isSecure && ca.length > 0 ? secureOptions({ ca }, origin.hostname) : {}
  const headers = requestHeaders(rawHeaders, origin.host)
  const outgoing = sendOrNull(() =>
    (isSecure ? requestTls : requestPlain)(origin, { method, path, headers, ...trust }),
  )
  if (outgoing === null) {
    refuseTarget(response)
    return
  }
  outgoing.once('response', (answer) => {
    const { statusCode = 0, rawHeaders: raw } = answer
    const answered = dropHopByHop(raw, framing)
    // Kept before it is forwarded: what the client has read is in the record.
    exchange.answer(statusCode, pairHeaders(answered))
    try {
      response.writeHead(statusCode, answered)
    } catch {
      // A status or a header that no server may send.
      answer.destroy()
      response.destroy()
      return
    }
    answer.on('data', exchange.keepResponse)
    answer.once('error', () => response.destroy())
    answer.pipe(response)
  })
  outgoing.once('close', () => giveUp(exchange, response))
  outgoing.on('error', () => giveUp(exchange, response))
  response.once('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
}

/** Null for a target or a header that no client may send. */
function sendOrNull(send: () => ClientRequest): ClientRequest | null {
  try {
    return send()
  } catch {
    return null
  }
}

/** Answers 503 where no answer has begun. */
function giveUp(exchange: OpenExchange, response: ServerResponse): void {
  exchange.answer(0, [])
  if (response.headersSent || response.destroyed) return
  response.writeHead(503).end()
}

const hopByHop = new Set(['connection', 'proxy-connection', 'keep-alive', 'upgrade', 'te', 'trailer'])
/** The body is framed anew. */
const framing = new Set(['transfer-encoding'])

/** An answer that is not compressed can be searched. */
const compression = new Set(['accept-encoding'])

function requestHeaders(raw: readonly string[], host: string): string[] {
  return pairHeaders(dropHopByHop(raw, compression)).flatMap(([name, value]) => [
    name,
    name.toLowerCase() === 'host' ? host : value,
  ])
}

function dropHopByHop(raw: readonly string[], further: ReadonlySet<string>): string[] {
  return pairHeaders(raw).flatMap(([name, value]) => {
    const key = name.toLowerCase()
    return hopByHop.has(key) || further.has(key) ? [] : [name, value]
  })
}

function pairHeaders(raw: readonly string[]): [string, string][] {
  const list: [string, string][] = []
  for (let index = 0; index + 1 < raw.length; index += 2) list.push([raw[index] ?? '', raw[index + 1] ?? ''])
  return list
}
