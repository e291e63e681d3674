import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls'
import { type Address, startListening } from '../../../base/http/listening.ts'
import { addressBelow, refuseTarget, refuseUpgrade } from '../../../base/http/requested-address.ts'
import { onWebSocket } from '../../../base/http/websocket-upgrades.ts'
import type { CertificateAuthority } from '../../../base/tls/certificates.ts'

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
  readonly port: number
}

/** Learns what comes of each tunnel. `host` is without a port, where that is 443. */
export interface TunnelWatcher {
  /** Takes over a tunnel that is not to be read; false leaves it to the proxy. `authority` is host and port. */
  passUnread(authority: string, socket: Duplex, head: Buffer): boolean
  /** A request came that could be read. */
  read(host: string): void
  /** The client broke the handshake off, or sent something else than HTTP. */
  unreadable(host: string, error: NodeJS.ErrnoException): void
  /** The client closed the connection before a request. */
  closedUnused(host: string): void
}

export interface ProxyOptions {
  readonly address?: Address
  /** The origin of what is asked of the proxy itself, as of a web server; refused where absent. */
  readonly ownOrigin?: string
  readonly tunnelWatcher?: TunnelWatcher
}

/** Certificates for the hosts that are asked for, each made once. The chain includes the authority, for pinning. */
export type Identities = (host: string) => SecureContext

const mostIdentities = 1_000

export function createIdentities(authority: CertificateAuthority): Identities {
  const made = new Map<string, SecureContext>()
  return (host) => {
    const known = made.get(host)
    if (known !== undefined) return known
    const { cert, key } = authority.issue({ names: [host] })
    const context = createSecureContext({ cert: cert + authority.certificate, key })
    if (made.size >= mostIdentities) made.clear()
    made.set(host, context)
    return context
  }
}

const tlsHandshake = 0x16

/** An HTTP proxy that answers everything itself. No library's: a double decides about each upgrade while it runs. */
export async function startProxy(
  identities: Identities,
  trafficHandler: TrafficHandler,
  { address = { host: '127.0.0.1', port: 0 }, ownOrigin, tunnelWatcher }: ProxyOptions = {},
): Promise<StartedProxy> {
  const origins = new WeakMap<Duplex, string>()
  /** The host of a tunnel, as the watcher is told. */
  const hosts = new WeakMap<Duplex, string>()
  const readSockets = new WeakSet<Duplex>()
  const hostOf = (socket: Duplex) => hosts.get(socket) ?? ''
  /** Inside a tunnel a path below its origin, outside the absolute address of a web server. */
  const addressOf = ({ socket, url: target = '' }: IncomingMessage): URL | null => {
    const base = origins.get(socket)
    if (base !== undefined) {
      readSockets.add(socket)
      tunnelWatcher?.read(hostOf(socket))
      return addressBelow(base, target)
    }
    if (ownOrigin !== undefined && target.startsWith('/')) return addressBelow(ownOrigin, target)
    return /^(?:https?|wss?):\/\//i.test(target) ? URL.parse(target) : null
  }
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const url = addressOf(request)
    if (url === null) refuseTarget(response)
    else trafficHandler.request(url, request, response)
  }
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const url = addressOf(request)
    if (url === null) return refuseUpgrade(socket, 400)
    url.protocol = url.protocol === 'https:' || url.protocol === 'wss:' ? 'wss:' : 'ws:'
    return trafficHandler.upgrade(url, request, socket, head)
  }
  const notUnderstood = (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (hosts.has(socket) && error.code?.startsWith('HPE_') === true)
      tunnelWatcher?.unreadable(hostOf(socket), error)
  }
  const inner = serving(answer, upgrade, notUnderstood)
  const outer = serving(answer, upgrade, notUnderstood)

  const enter = (authority: string, socket: Duplex, first: Buffer) => {
    const isSecure = first[0] === tlsHandshake
    const place = URL.parse(`${isSecure ? 'https' : 'http'}://${authority}`)
    const secureContext = place !== null && isSecure ? identityOf(place.hostname, identities) : null
    if (place === null || (isSecure && secureContext === null)) return void socket.destroy()
    socket.unshift(first)
    const entered =
      secureContext === null
        ? socket
        : new TLSSocket(socket as TLSSocket, { isServer: true, secureContext, ALPNProtocols: ['http/1.1'] })
    entered.on('error', (error: NodeJS.ErrnoException) => {
      // Afterwards a connection may break for any reason.
      if (!readSockets.has(entered)) tunnelWatcher?.unreadable(hostOf(entered), error)
      entered.destroy()
    })
    entered.once('close', () => {
      if (!readSockets.has(entered)) tunnelWatcher?.closedUnused(hostOf(entered))
    })
    origins.set(entered, place.origin)
    hosts.set(entered, authority.replace(/:443$/, '').toLowerCase())
    inner.emit('connection', entered)
  }
  outer.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const authority = request.url ?? ''
    if (!/^[^/?#@]+:\d+$/.test(authority) || !URL.canParse(`http://${authority}`))
      return refuseUpgrade(socket, 400)
    trafficHandler.connecting()
    socket.on('error', () => socket.destroy())
    if (tunnelWatcher?.passUnread(authority, socket, head) === true) return
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    if (head.length > 0) return enter(authority, socket, head)
    // Read, not listened to: what flows already cannot be handed to TLS.
    return socket.once('readable', () => {
      const first: Buffer | null = socket.read()
      if (first === null) socket.destroy()
      else enter(authority, socket, first)
    })
  })

  const listening = await startListening(outer, address)
  return {
    address: `http://127.0.0.1:${listening.port}`,
    port: listening.port,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
}

/** Null for a host that no certificate can name. */
function identityOf(hostname: string, identities: Identities): SecureContext | null {
  try {
    return identities(hostname.replace(/^\[|\]$/g, ''))
  } catch {
    return null
  }
}

function serving(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
  notUnderstood: (error: NodeJS.ErrnoException, socket: Duplex) => void,
): Server {
  const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0, headersTimeout: 0 }, answer)
  onWebSocket(server, upgrade)
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    notUnderstood(error, socket)
    socket.destroy()
  })
  return server
}
