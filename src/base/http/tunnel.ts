import { type ClientRequest, Agent as HttpAgent, request as requestPlain } from 'node:http'
import { Agent as HttpsAgent, request as requestSecure } from 'node:https'
import { isIP, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext } from 'node:tls'
import { omitUndefined } from '../omit-undefined.ts'
import { proxyAuthorization } from './proxy-settings.ts'

export class ProxyRefused extends Error {
  override readonly name = 'ProxyRefused'
}

/** Opens a connection to `host:port` through a proxy. Rejects with what the socket or the proxy said. */
export function openTunnel(proxy: URL, target: string, signal?: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const authorization = proxyAuthorization(proxy)
    const request: ClientRequest = (proxy.protocol === 'https:' ? requestSecure : requestPlain)({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port,
      method: 'CONNECT',
      path: target,
      agent: false,
      headers: omitUndefined({ host: target, 'proxy-authorization': authorization ?? undefined }),
      signal,
    })
    request.once('connect', (response, socket: Socket) => {
      if (response.statusCode === 200) return resolve(socket)
      socket.destroy()
      reject(new ProxyRefused(`the proxy answered ${response.statusCode}`))
    })
    request.once('response', (response) => {
      response.destroy()
      reject(new ProxyRefused(`the proxy answered ${response.statusCode}`))
    })
    request.once('error', reject)
    request.end()
  })
}

export function tunnelTarget(address: URL): string {
  const isSecure = address.protocol === 'https:' || address.protocol === 'wss:'
  return `${address.hostname}:${address.port === '' ? (isSecure ? 443 : 80) : address.port}`
}

/** For requests of Node, such as those of WebSockets: each connection goes through the proxy. */
export function createTunnelAgent(
  proxy: URL,
  address: URL,
  secure: { readonly secureContext?: SecureContext },
): HttpAgent {
  const isSecure = address.protocol === 'wss:' || address.protocol === 'https:'
  const host = address.hostname.replace(/^\[|\]$/g, '')
  const agent = isSecure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false })
  agent.createConnection = (_, callback) => {
    openTunnel(proxy, tunnelTarget(address)).then(
      (socket) => {
        const servername = isIP(host) === 0 ? { servername: host } : {}
        callback?.(null, isSecure ? connectTls({ socket, host, ...servername, ...secure }) : socket)
      },
      (error: Error) => callback?.(error, undefined as never),
    )
    return undefined
  }
  return agent
}
