import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { startListening } from '../../../base/http/listening.ts'
import {
  addressBelow,
  isOutsideDns,
  namedHost,
  refuseHost,
  refuseTarget,
  refuseUpgrade,
} from '../../../base/http/requested-address.ts'
import { onWebSocket } from '../../../base/http/websocket-upgrades.ts'
import { ControlLost } from '../../../base/inconclusive.ts'
import { omitUndefined } from '../../../base/omit-undefined.ts'
import { openTempFolder } from '../../../base/temp-folder.ts'
import { type CertificateAuthority, createAuthority } from '../../../base/tls/certificates.ts'
import { noConnection } from '../client-driver.ts'
import type { TrafficHandler } from '../proxy/intercepting-proxy.ts'
import type { ConnectionCount, DoubledPart } from '../types.ts'

export interface DoublesServerOptions {
  readonly trafficHandler: TrafficHandler
  readonly tls: boolean
  /** Where signaling's address leads, with the query. */
  readonly signalingPath: string
  readonly host?: string
  /** 0: any free port. */
  readonly port?: number
  /** The same for every opening, where a device has to trust it; one of its own where absent. */
  readonly authority?: CertificateAuthority
  readonly withOtherOrigin?: boolean
  /** The part whose address, with TLS, shows a certificate of an authority that the client does not know. */
  readonly untrusted?: DoubledPart | undefined
}

export const tokenRoutePath = '/calling/token'

interface Door {
  readonly http: string
  readonly ws: string
  connections(): ConnectionCount
}

/** The doubles at addresses, for clients that are told where to go. Throws `ControlLost` where they cannot listen. */
export async function startDoublesServer({
  trafficHandler,
  tls,
  signalingPath,
  host = '127.0.0.1',
  port = 0,
  authority: given,
  withOtherOrigin = false,
  untrusted,
}: DoublesServerOptions) {
  await using stack = new AsyncDisposableStack()
  const authority = tls ? (given ?? createAuthority()) : null
  let caFile: string | null = null
  if (authority !== null) {
    caFile = join(stack.use(await openTempFolder()).path, 'ca.pem')
    await writeFile(caFile, authority.certificate)
  }
  const open = async (name: string, port: number, authority: CertificateAuthority | null): Promise<Door> => {
    const names = [...new Set([name, '127.0.0.1', 'localhost'])]
    const server = authority === null ? createServer() : createTlsServer(authority.issue({ names }))
    const connections = { made: 0, open: 0 }
    const known = new WeakSet<Socket>()
    server.on('connection', (socket: Socket) => {
      if (known.has(socket)) return
      known.add(socket)
      connections.made += 1
      connections.open += 1
      socket.once('close', () => {
        connections.open -= 1
      })
    })
    const listening = stack.use(
      await startListening(server, { host: name, port }).catch((error: Error) => {
        throw new ControlLost(`the doubles of the client cannot listen on ${name}:${port} (${error.message})`)
      }),
    )
    const place = `${name.includes(':') ? `[${name}]` : name}:${listening.port}`
    serveDoubles(server, { place, name, tls: authority !== null, trafficHandler })
    const secure = authority === null ? '' : 's'
    return { http: `http${secure}://${place}`, ws: `ws${secure}://${place}`, connections: () => connections }
  }
  const main = await open(host, port, authority)
  const other = withOtherOrigin ? await open('localhost', 0, authority) : null
  const bad =
    untrusted !== undefined && tls ? await open(host, 0, createAuthority('an unknown authority')) : null
  const doorOf = (part: DoubledPart) => (bad !== null && part === untrusted ? bad : main)
  const backendUrl = doorOf('backend').http + tokenRoutePath
  const signalingUrl = doorOf('signaling').ws + signalingPath
  const trusted = caFile ?? undefined
  const parts = stack.move()
  return {
    backendUrl,
    signalingUrl,
    /** File of the authority that a client has to trust; null without TLS. */
    caFile,
    /** Of another host, where no double is; null where it was not asked for. */
    otherOrigin: other?.http ?? null,
    untrustedConnections: (): ConnectionCount => bad?.connections() ?? noConnection,
    /** Variables for a program, with what common runtimes read of an authority. */
    environment: omitUndefined({
      TWOTOKEN_BACKEND_URL: backendUrl,
      TWOTOKEN_SIGNALING_URL: signalingUrl,
      TWOTOKEN_CA_FILE: trusted,
      NODE_EXTRA_CA_CERTS: trusted,
      SSL_CERT_FILE: trusted,
    }),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

interface Served {
  /** Host and port of its addresses. */
  readonly place: string
  readonly name: string
  readonly tls: boolean
  readonly trafficHandler: TrafficHandler
}

function serveDoubles(server: Server, { place, name, tls, trafficHandler }: Served): void {
  const [http, ws] = tls ? ['https', 'wss'] : ['http', 'ws']
  // A page of another site can lead a name of its own here, and would read the tokens of the doubles.
  const isNamed = (request: IncomingMessage) => {
    const named = namedHost(request)?.hostname
    return named !== undefined && (isOutsideDns(named) || named === name.toLowerCase())
  }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const url = addressBelow(`${http}://${place}`, request.url)
    if (url === null) refuseTarget(response)
    else if (!isNamed(request)) refuseHost(response)
    else trafficHandler.request(url, request, response)
  })
  onWebSocket(server, (request, socket, head) => {
    const url = addressBelow(`${ws}://${place}`, request.url)
    if (url === null) refuseUpgrade(socket, 400)
    else if (!isNamed(request)) refuseUpgrade(socket, 421)
    else trafficHandler.upgrade(url, request, socket, head)
  })
}
