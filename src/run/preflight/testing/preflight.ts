import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultLimits } from '../../../base/http/limits.ts'
import type { ServerCertificate } from '../../../base/tls/certificates.ts'
import type { TellWait } from '../../../base/told-wait.ts'
import type { Configuration } from '../../../configuration/configuration.ts'
import { mintContract } from '../../../contract/mint.ts'
import type { Role } from '../../../requirement/define.ts'
import type { BackendConfiguration } from '../../../roles/backend/configuration.ts'
import type { MintConfiguration } from '../../../roles/mint/configuration.ts'
import { preflight } from '../preflight.ts'
import type { Problem } from '../problem.ts'

export const { path } = mintContract
export const key = 'ac_live_4f9aB27cD1e80GhT55kLmN'
export const page = '<!doctype html><title>hello</title>'

export interface Started extends AsyncDisposable {
  readonly port: number
  readonly url: string
}

async function listening(server: Server, scheme: string, sockets: Set<Socket>): Promise<Started> {
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => socket.destroy())))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `${scheme}://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((done) => server.close(done))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

export const http = (listener: RequestListener) => listening(createServer(listener), 'http', new Set())
export const https = (certificate: ServerCertificate, listener: RequestListener) =>
  listening(createTlsServer(certificate, listener), 'https', new Set())
export const tcp = (speak: (socket: Socket) => void) => listening(createTcpServer(speak), 'http', new Set())

export type Routes = Readonly<
  Record<string, number | ((response: ServerResponse, request: IncomingMessage) => void)>
>

/** A service whose routes are `METHOD /path`; anything else is 404. */
export function service(routes: Routes): Promise<Started> {
  return http((request, response) => {
    const route = routes[`${request.method} ${request.url}`] ?? 404
    request.resume()
    if (typeof route === 'number') response.writeHead(route).end('{}')
    else route(response, request)
  })
}

export const token = (response: ServerResponse) => void response.writeHead(200).end('{"token":"opaque"}')

function configuration(parts: Partial<Configuration>): Configuration {
  return {
    name: 'test',
    directory: '/tmp',
    token: { field: 'auto', userIdClaim: 'auto' },
    hooks: {},
    logs: [],
    stories: [],
    absent: [],
    environment: [],
    referredVariables: [],
    outsideTexts: [],
    limits: { ...defaultLimits, requestSeconds: 2, bodyBytes: 10_000 },
    tls: {},
    waivers: [],
    ...parts,
  }
}

export const problemsOf = (
  parts: Partial<Configuration>,
  roles: readonly Role[] = ['flow'],
  tellWait?: TellWait,
) => preflight(configuration(parts), { parts: roles, tellWait })
/** The problems that keep a run from judging. */
export const fatalOf = (problems: readonly Problem[]) => problems.filter(({ fatal }) => fatal)
export const mint = (url: string, change: Partial<MintConfiguration> = {}) =>
  problemsOf({ mint: { url, apiKey: key, keys: {}, minTtlSeconds: 60, ...change } }, ['mint'])
export const alice = { token: 'session-of-alice', userId: 'u-alice' }
export const backend = (url: string, change: Partial<BackendConfiguration> = {}) =>
  problemsOf({ backend: { url, method: 'POST', sessions: { alice }, ...change } }, ['backend'])
export const signaling = (url: string) =>
  problemsOf({ signaling: { url, allowInsecureTransport: false } }, ['signaling'])

export async function closedPort(): Promise<number> {
  const server = await http(() => {})
  await server[Symbol.asyncDispose]()
  return server.port
}

export async function authorityFile(text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'twotoken-test-'))
  await writeFile(join(folder, 'ca.pem'), text)
  return { path: join(folder, 'ca.pem'), [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}
