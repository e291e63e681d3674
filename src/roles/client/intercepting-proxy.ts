import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls'
import type { CertificateAuthority } from '../../base/tls/certificates.ts'

/** Answers a client's traffic. */
export interface TrafficHandler {
  /** A connection is on its way, whatever will come of it. */
  connecting(): void
  /** `url` is the absolute address that was asked for. */
  request(url: URL, request: IncomingMessage, response: ServerResponse): void
  /** `url` has the scheme ws or wss. */
  upgrade(url: URL, request: IncomingMessage, socket: Duplex, head: Buffer): void
}

interface StartedProxy extends AsyncDisposable {
  /** As a browser is told: `http://127.0.0.1:<port>`. */
  readonly address: string
}

/** Certificates for the hosts that are asked for, each made once. The chain includes the authority, for pinning. */
export type Identities = (host: string) => SecureContext

export function createIdentities(authority: CertificateAuthority): Identities {
  const made = new Map<string, SecureContext>()
  return (host) => {
    const known = made.get(host)
    if (known !== undefined) return known
    const { cert, key } = authority.issue({ names: [host] })
    const context = createSecureContext({ cert: cert + authority.certificate, key })
    made.set(host, context)
    return context
  }
}

const tlsHandshake = 0x16

/**
 * An HTTP proxy that answers everything itself, TLS and WebSockets included. No library's: what a double has to do with
 * an upgrade (a status, silence, a reset, a close much later) is decided per connection while it runs.
 */
export async function startProxy(
  identities: Identities,
  trafficHandler: TrafficHandler,
): Promise<StartedProxy> {
  const sockets = new Set<Duplex>()
  const origins = new WeakMap<Duplex, string>()
  const addressOf = (request: IncomingMessage): URL | null => {
    const base = origins.get(request.socket)
    const target = request.url ?? '/'
    const whole = base === undefined || /^[a-z]+:\/\//i.test(target) ? target : base + target
    return URL.canParse(whole) ? new URL(whole) : null
  }
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const url = addressOf(request)
    if (url === null) response.writeHead(400).end()
    else trafficHandler.request(url, request, response)
  }
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const url = addressOf(request)
    if (url === null) return socket.destroy()
    url.protocol = url.protocol === 'https:' || url.protocol === 'wss:' ? 'wss:' : 'ws:'
    return trafficHandler.upgrade(url, request, socket, head)
  }
  const inner = serving(answer, upgrade)
  const outer = serving(answer, upgrade)

  const enter = (host: string, port: string, socket: Duplex, first: Buffer) => {
    socket.unshift(first)
    const isSecure = first[0] === tlsHandshake
    const entered = isSecure
      ? new TLSSocket(socket as TLSSocket, {
          isServer: true,
          secureContext: identities(host.replace(/^\[|\]$/g, '')),
          ALPNProtocols: ['http/1.1'],
        })
      : socket
    entered.on('error', () => entered.destroy())
    const standard = isSecure ? '443' : '80'
    origins.set(entered, `${isSecure ? 'https' : 'http'}://${host}${port === standard ? '' : `:${port}`}`)
    inner.emit('connection', entered)
  }
  outer.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const [, host, port] = /^(.*):(\d+)$/.exec(request.url ?? '') ?? []
    if (host === undefined || port === undefined) return socket.destroy()
    trafficHandler.connecting()
    socket.on('error', () => socket.destroy())
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    if (head.length > 0) return enter(host, port, socket, head)
    // Read, not listened to: what flows already cannot be handed to TLS.
    return socket.once('readable', () => {
      const first: Buffer | null = socket.read()
      if (first === null) socket.destroy()
      else enter(host, port, socket, first)
    })
  })
  outer.on('connection', (socket: Duplex) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  await new Promise<void>((resolve) => outer.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(outer.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => outer.close(resolve))
    },
  }
}

function serving(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
): Server {
  const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0, headersTimeout: 0 }, answer)
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    upgrade(request, socket, head)
  })
  server.on('clientError', (_error: Error, socket: Duplex) => socket.destroy())
  return server
}
