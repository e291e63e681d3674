import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { defaultLimits } from '../../../base/http/limits.ts'
import { listening, serve } from '../../../base/http/testing/serve.ts'
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

export const http = serve
export const https = async (certificate: ServerCertificate, listener: RequestListener) => {
  const served = await listening(createTlsServer(certificate, listener))
  return { ...served, url: `https://127.0.0.1:${served.port}` }
}
export type Routes = Readonly<
  Record<string, number | ((response: ServerResponse, request: IncomingMessage) => void)>
>

/** A service whose routes are `METHOD /path`; anything else is 404. */
export function service(routes: Routes) {
  return http((request, response) => {
    const route = routes[`${request.method} ${request.url}`] ?? 404
    request.resume()
    if (typeof route === 'number') response.writeHead(route).end('{}')
    else route(response, request)
  })
}

export const answering =
  (status: number, headers: OutgoingHttpHeaders, body = '') =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end(body)
export const token = answering(200, {}, '{"token":"opaque"}')

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
