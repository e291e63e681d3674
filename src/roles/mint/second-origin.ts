import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import type { Clock } from '../../base/clock.ts'
import type { Journal } from '../../base/evidence/exchange.ts'
import { bodyOf, pairsOf } from '../../base/http/incoming.ts'
import { startListening } from '../../base/http/listening.ts'
import type { ServerCertificate } from '../../base/tls/certificates.ts'
import { listen } from './listen.ts'

/** Request that arrived at an origin that the mint double redirected to. */
export interface StrayRequest {
  /** Request line, headers and body. */
  readonly text: string
  readonly exchange: string
}

/** An origin that is not the mint's: it answers 404, and records. With a certificate it also speaks plain http. */
export interface SecondOrigin extends AsyncDisposable {
  readonly port: number
  readonly isSecure: boolean
  requests(): readonly StrayRequest[]
  /** Connections of which no request need have come, as where a client expects TLS. */
  connections(): number
}

interface SecondOriginOptions {
  readonly host: string
  readonly certificate: ServerCertificate | undefined
  readonly journal: Journal
  readonly clock: Clock
  readonly bodyBytes: number
}

/** Addresses that the name localhost may stand for. */
const loopbacks = ['127.0.0.1', '::1']

/** The first byte of a connection that begins with TLS. */
const tlsHandshake = 0x16

/** So many requests say as much as more. */
const mostRequests = 200

/** Has another origin listen beside the mint double. @throws TwotokenError where it cannot listen */
export async function startSecondOrigin({
  host,
  certificate,
  journal,
  clock,
  bodyBytes,
}: SecondOriginOptions): Promise<SecondOrigin> {
  const requests: StrayRequest[] = []
  let connections = 0
  const answer = { status: 404, statusText: 'Not Found', headers: [], body: '' } as const
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const at = clock.monotonic()
    const record = async () => {
      const body = await bodyOf(request, bodyBytes)
      const { method = '', url = '' } = request
      const headers = pairsOf(request.rawHeaders)
      const exchange = journal.record({
        kind: 'http',
        from: 'backend',
        to: 'listener',
        ...journal.timesFrom(at),
        request: { method, url, headers, body },
        response: answer,
      })
      const lines = headers.map(([name, value]) => `${name}: ${value}`)
      if (requests.length < mostRequests)
        requests.push({ text: [`${method} ${url}`, ...lines, body].join('\n'), exchange })
      response.writeHead(answer.status).end()
    }
    record().catch(() => response.destroy())
  }
  const open = createServer(serve)
  const secure = certificate === undefined ? null : createTlsServer(certificate, serve)
  const create = () =>
    createTcpServer((socket) => {
      connections += 1
      socket.on('error', () => socket.destroy())
      socket.once('readable', () => {
        const first = socket.read(1) as Buffer | null
        if (first === null) return socket.destroy()
        socket.unshift(first)
        return (first[0] === tlsHandshake && secure !== null ? secure : open).emit('connection', socket)
      })
    })
  await using stack = new AsyncDisposableStack()
  const { port } = stack.use(await listen(create(), host, 0))
  // A machine without one of the families, or an address that the first one covers, leaves the name reachable all the same.
  for (const loopback of loopbacks.filter((one) => one !== host)) {
    const beside = await startListening(create(), { host: loopback, port }).catch(() => null)
    stack.use(beside)
  }
  const opened = stack.move()
  return {
    port,
    isSecure: certificate !== undefined,
    requests: () => requests,
    connections: () => connections,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
