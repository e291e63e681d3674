import { writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { refuseUpgrade } from '../../../base/http/requested-address.ts'
import { ControlLost } from '../../../base/inconclusive.ts'
import { openTempFolder } from '../../../base/temp-folder.ts'
import type { CertificateAuthority } from '../../../base/tls/certificates.ts'
import type { DeviceProxySettings } from '../client-configuration.ts'
import type { ClientContext } from '../client-context.ts'
import { unproxied } from '../client-driver.ts'
import type { ProgramAccess } from '../program.ts'
import { matchesHost } from '../proxy/hosts.ts'
import { createIdentities, startProxy, type TrafficHandler } from '../proxy/intercepting-proxy.ts'
import { isThisMachine, lookupElsewhere } from '../proxy/other-machines.ts'
import { createUnreadHosts } from '../proxy/unread-hosts.ts'

/** The host of what is asked of the proxy itself: no DNS server knows it. */
const ownHost = 'twotoken.test'
/** The path of the certificate authority, at each address of the proxy. */
export const authorityPath = '/twotoken-ca.crt'

export type DeviceProxy = Awaited<ReturnType<typeof startDeviceProxy>>

/** The proxy through which a device reaches the doubles, and everything else. Throws `ControlLost` where the address cannot be had. */
export async function startDeviceProxy(
  context: Pick<ClientContext, 'trafficHandler' | 'hosts'>,
  { host, port, forwardUnread }: DeviceProxySettings,
  authority: CertificateAuthority,
) {
  const { trafficHandler, hosts } = context
  const unread = createUnreadHosts()
  const handler: TrafficHandler = {
    connecting: trafficHandler.connecting,
    request(url, request, response) {
      if (url.hostname !== ownHost) trafficHandler.request(url, request, response)
      else serveAuthority(url, authority, response)
    },
    upgrade(url, request, socket, head) {
      if (url.hostname === ownHost) refuseUpgrade(socket, 404)
      else trafficHandler.upgrade(url, request, socket, head)
    },
  }
  const proxy = await startProxy(createIdentities(authority), handler, {
    address: { host, port },
    ownOrigin: `http://${ownHost}`,
    tunnelWatcher: {
      ...unread,
      passUnread(authority, socket, head) {
        const url = new URL(`https://${authority}`)
        // The hosts that a requirement is about are never taken for the system's.
        const isForwarded =
          hosts.kindOf(url) === 'elsewhere' &&
          !hosts.isSignalingHttp(url) &&
          forwardUnread.some((known) => matchesHost(known, url))
        if (!isForwarded) return false
        unread.forwarded(url.hostname)
        pipeUnread(url, socket, head)
        return true
      },
    },
  }).catch((error: Error) => {
    throw new ControlLost(`the proxy for the device cannot listen on ${host}:${port} (${error.message})`)
  })
  return {
    /** Where devices reach it: `192.168.1.20:9451`. */
    addresses: reachableAddresses(host, port),
    /** A host of no part, for which the proxy answers. */
    otherOrigin: `https://other-origin.${ownHost}`,
    unreadHosts: unread.list,
    forwardedUnread: unread.listForwarded,
    /** Forgets the connections that were not read until now: they were the set-up. */
    beginJudging: unread.reset,
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  }
}

/** Inline: a phone would only save an attachment, and not install it. */
function serveAuthority(
  { pathname }: URL,
  { certificate }: CertificateAuthority,
  response: ServerResponse,
): void {
  if (pathname !== authorityPath) response.writeHead(404).end()
  else
    response
      .writeHead(200, {
        'content-type': 'application/x-x509-ca-cert',
        'content-disposition': 'inline; filename="twotoken-ca.crt"',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
      .end(certificate)
}

function pipeUnread({ hostname, port }: URL, socket: Duplex, head: Buffer): void {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isThisMachine(host)) {
    refuseUpgrade(socket, 403)
    return
  }
  const upstream = connect({ host, port: port === '' ? 443 : Number(port), lookup: lookupElsewhere })
  upstream.once('connect', () => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    upstream.write(head)
    socket.pipe(upstream).pipe(socket)
  })
  upstream.once('error', () => socket.destroy())
  socket.once('close', () => upstream.destroy())
  upstream.once('close', () => socket.destroy())
}

/** An address for all interfaces is none that a device could be told. */
function reachableAddresses(host: string, port: number): string[] {
  const written = (address: string) => `${address.includes(':') ? `[${address}]` : address}:${port}`
  if (host !== '0.0.0.0' && host !== '::') return [written(host)]
  const found = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address)
  return (found.length === 0 ? ['127.0.0.1'] : found).map(written)
}

/** Opens the proxy for a device that a program operates, with what tells the program of it. */
export async function openProgramsProxy(
  context: ClientContext,
  authority: CertificateAuthority,
  settings: DeviceProxySettings,
): Promise<ProgramAccess> {
  await using stack = new AsyncDisposableStack()
  const caFile = join(stack.use(await openTempFolder()).path, 'ca.pem')
  await writeFile(caFile, authority.certificate)
  const proxy = stack.use(await startDeviceProxy(context, settings, authority))
  const opened = stack.move()
  return {
    ...unproxied,
    ...proxy,
    environment: { TWOTOKEN_PROXY: proxy.addresses[0] ?? '', TWOTOKEN_CA_FILE: caFile },
    isProxied: true,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
