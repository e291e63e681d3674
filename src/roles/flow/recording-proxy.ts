import { createServer, type IncomingMessage, request as requestPlain, type ServerResponse } from 'node:http'
import { request as requestTls } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates } from 'node:tls'
import type { Party } from '../../base/evidence/exchange.ts'

/** A request from one part to another, and its answer, whole and with secrets. */
export interface RecordedHop {
  /** Counts over all proxies of a process. */
  readonly number: number
  readonly from: Party
  readonly to: Party
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly requestHeaders: readonly (readonly [name: string, value: string])[]
  readonly requestBody: string
  /** 0 where there was no answer. */
  readonly status: number
  readonly responseHeaders: readonly (readonly [name: string, value: string])[]
  readonly responseBody: string
}

export interface RecordingProxy extends AsyncDisposable {
  readonly port: number
  /** Where it forwards requests to, and whom it trusts there in addition; until it is told, it answers 503. */
  forwardTo(origin: string, ca?: readonly string[]): void
  hops(): readonly RecordedHop[]
}

const keptBytes = 1_048_576
const keptExchanges = 2_000
let count = 0

/** A proxy between two parts: it forwards every HTTP request unchanged, and records it. */
export async function startRecordingProxy({
  from,
  to,
  host,
}: {
  readonly from: Party
  readonly to: Party
  /** Where it listens, at any free port. */
  readonly host: string
}): Promise<RecordingProxy> {
  const seen: RecordedHop[] = []
  let aim: Target | null = null
  const server = createServer((request, response) => {
    forward(request, response, aim)
      .then((exchange) => {
        if (seen.length < keptExchanges) seen.push({ number: ++count, from, to, ...exchange })
      })
      .catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    forwardTo(origin, ca = []) {
      aim = { origin, ca }
    },
    hops: () => seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Target {
  readonly origin: string
  readonly ca: readonly string[]
}

async function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  aim: Target | null,
): Promise<Omit<RecordedHop, 'number' | 'from' | 'to'>> {
  const { method = 'GET', url = '/', rawHeaders } = incoming
  const body = await readBody(incoming)
  const answer = aim === null ? null : await send(aim, { method, url, rawHeaders, body })
  const { status, headers, bytes } = answer ?? { status: 0, headers: [], bytes: Buffer.alloc(0) }
  response.writeHead(status === 0 ? 503 : status, headers).end(bytes)
  return {
    method,
    target: url,
    requestHeaders: pairHeaders(rawHeaders),
    requestBody: body.subarray(0, keptBytes).toString('utf8'),
    status,
    responseHeaders: pairHeaders(headers),
    responseBody: bytes.subarray(0, keptBytes).toString('utf8'),
  }
}

interface Answered {
  readonly status: number
  readonly headers: string[]
  readonly bytes: Buffer
}

interface Asking {
  readonly method: string
  /** As it stood in the request line. */
  readonly url: string
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

/** Null without an answer. */
function send(
  { origin, ca }: Target,
  { method, url: target, rawHeaders, body }: Asking,
): Promise<Answered | null> {
  const url = new URL(target, origin)
  const isSecure = url.protocol === 'https:'
  // An answer that is not compressed can be searched.
  const headers = pairHeaders(rawHeaders).flatMap(([name, value]) => {
    const key = name.toLowerCase()
    return key === 'accept-encoding' ? [] : [name, key === 'host' ? url.host : value]
  })
  const request = isSecure ? requestTls : requestPlain
  const trust = isSecure && ca.length > 0 ? { ca: [...getCACertificates(), ...ca] } : {}
  return new Promise((resolve) => {
    const outgoing = request(url, { method, headers, ...trust }, (incoming) => {
      readBody(incoming).then(
        (bytes) =>
          resolve({ status: incoming.statusCode ?? 0, headers: dropFraming(incoming.rawHeaders), bytes }),
        () => resolve(null),
      )
    })
    outgoing.once('error', () => resolve(null))
    outgoing.end(body)
  })
}

/** The body is forwarded whole, so that it is framed anew. */
function dropFraming(rawHeaders: readonly string[]): string[] {
  const framing = new Set(['transfer-encoding', 'connection', 'keep-alive'])
  return pairHeaders(rawHeaders).flatMap(([name, value]) =>
    framing.has(name.toLowerCase()) ? [] : [name, value],
  )
}

function pairHeaders(raw: readonly string[]): [string, string][] {
  const list: [string, string][] = []
  for (let index = 0; index + 1 < raw.length; index += 2) list.push([raw[index] ?? '', raw[index + 1] ?? ''])
  return list
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}
