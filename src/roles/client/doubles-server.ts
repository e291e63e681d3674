import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { startListening } from '../../base/http/listening.ts'
import {
  addressBelow,
  isOutsideDns,
  namedHost,
  refuseHost,
  refuseTarget,
  refuseUpgrade,
} from '../../base/http/requested-address.ts'
import { ControlLost } from '../../base/inconclusive.ts'
import { openTempFolder } from '../../base/temp-folder.ts'
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
    caFile = join(stack.use(await openTempFolder()).path, 'ca.pem')
    await writeFile(caFile, authority.certificate)
  }
  const names = [...new Set([host, '127.0.0.1', 'localhost'])]
  const server = authority === null ? createServer() : createTlsServer(authority.issue({ names }))
  const listening = stack.use(
    await startListening(server, { host, port }).catch((error: Error) => {
      throw new ControlLost(`the doubles of the client cannot listen on ${host}:${port} (${error.message})`)
    }),
  )
  const shown = host.includes(':') ? `[${host}]` : host
  const place = `${shown}:${listening.port}`
  const [http, ws] = tls ? ['https', 'wss'] : ['http', 'ws']
  // A page of another site can lead a name of its own here, and would read the tokens of the doubles.
  const isNamed = (request: IncomingMessage) => {
    const name = namedHost(request)?.hostname
    return name !== undefined && (isOutsideDns(name) || name === host.toLowerCase())
  }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const url = addressBelow(`${http}://${place}`, request.url)
    if (url === null) refuseTarget(response)
    else if (!isNamed(request)) refuseHost(response)
    else trafficHandler.request(url, request, response)
  })
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const url = addressBelow(`${ws}://${place}`, request.url)
    if (url === null) refuseUpgrade(socket, 400)
    else if (!isNamed(request)) refuseUpgrade(socket, 421)
    else trafficHandler.upgrade(url, request, socket, head)
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
