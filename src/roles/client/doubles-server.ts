import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ControlLost } from '../../base/inconclusive.ts'
import { type CertificateAuthority, createAuthority } from '../../base/tls/certificates.ts'
import type { TrafficHandler } from './intercepting-proxy.ts'

/** The doubles at addresses of their own, for clients that are told where to go instead of being led there. */
export interface DoublesServer extends AsyncDisposable {
  readonly backendUrl: string
  readonly signalingUrl: string
  /** What a client has to trust; null without TLS. */
  readonly caFile: string | null
  /** The same as variables for a program, with what common runtimes read of an authority. */
  readonly environment: Readonly<Record<string, string>>
}

export interface DoublesServerOptions {
  readonly trafficHandler: TrafficHandler
  readonly tls: boolean
  readonly host?: string
  /** 0: any free port. */
  readonly port?: number
  /** The same for every opening, where a device has to trust it; one of its own where absent. */
  readonly authority?: CertificateAuthority
}

export const doublesPaths = { backend: '/calling/token', signaling: '/signaling' } as const

/** @throws ControlLost where the address cannot be had */
export async function startDoublesServer({
  trafficHandler,
  tls,
  host = '127.0.0.1',
  port = 0,
  authority: given,
}: DoublesServerOptions): Promise<DoublesServer> {
  await using stack = new AsyncDisposableStack()
  const authority = tls ? (given ?? createAuthority()) : null
  let caFile: string | null = null
  if (authority !== null) {
    const folder = stack.adopt(await mkdtemp(join(tmpdir(), 'twotoken-client-')), (path) =>
      rm(path, { recursive: true, force: true }),
    )
    caFile = join(folder, 'ca.pem')
    await writeFile(caFile, authority.certificate)
  }
  const names = [...new Set([host, '127.0.0.1', 'localhost'])]
  const server = authority === null ? createServer() : createTlsServer(authority.issue({ names }))
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new ControlLost(`the doubles of the client cannot listen on ${host}:${port} (${error.message})`),
      ),
    )
    server.listen(port, host, resolve)
  })
  const shown = host.includes(':') ? `[${host}]` : host
  const place = `${shown}:${(server.address() as AddressInfo).port}`
  const [http, ws] = tls ? ['https', 'wss'] : ['http', 'ws']
  server.on('request', (request: IncomingMessage, response: ServerResponse) =>
    trafficHandler.request(new URL(request.url ?? '/', `${http}://${place}`), request, response),
  )
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    trafficHandler.upgrade(new URL(request.url ?? '/', `${ws}://${place}`), request, socket, head)
  })
  stack.defer(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const backendUrl = `${http}://${place}${doublesPaths.backend}`
  const signalingUrl = `${ws}://${place}${doublesPaths.signaling}`
  const parts = stack.move()
  return {
    backendUrl,
    signalingUrl,
    caFile,
    environment: {
      TWOTOKEN_BACKEND_URL: backendUrl,
      TWOTOKEN_SIGNALING_URL: signalingUrl,
      ...(caFile === null
        ? {}
        : { TWOTOKEN_CA_FILE: caFile, NODE_EXTRA_CA_CERTS: caFile, SSL_CERT_FILE: caFile }),
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}
