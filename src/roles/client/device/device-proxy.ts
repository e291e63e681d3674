import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Duplex } from 'node:stream'
import { refuseUpgrade } from '../../../base/http/requested-address.ts'
import { ControlLost } from '../../../base/inconclusive.ts'
import type { CertificateAuthority } from '../../../base/tls/certificates.ts'
import type { DeviceProxySettings } from '../client-configuration.ts'
import type { ClientContext } from '../client-context.ts'
import { createIdentities, startProxy, type TrafficHandler } from '../proxy/intercepting-proxy.ts'
import { isThisMachine, lookupElsewhere } from '../proxy/other-machines.ts'
import { createUnreadHosts } from '../proxy/unread-hosts.ts'
import { matchesHost } from '../proxy/url-glob.ts'
import type { UnreadHost } from '../types.ts'
import { createDevicePage, setUpHost } from './device-page.ts'

/** The proxy through which a device reaches the doubles, and everything else. */
export interface DeviceProxy extends AsyncDisposable {
  /** Where devices reach it: `192.168.1.20:9451`. */
  readonly addresses: readonly string[]
  /** Says whether a device has made a TLS connection under the authority, by opening the page. */
  isTrusted(): boolean
  unreadHosts(): readonly UnreadHost[]
  forwardedUnread(): readonly string[]
  /** Forgets the connections that were not read until now: they were the set-up. */
  beginJudging(): void
}

/** @throws ControlLost where the address cannot be had */
export async function startDeviceProxy(
  context: Pick<ClientContext, 'trafficHandler' | 'changeSignal' | 'hosts'>,
  { host, port, forwardUnread }: DeviceProxySettings,
  authority: CertificateAuthority,
): Promise<DeviceProxy> {
  const { trafficHandler, changeSignal, hosts } = context
  const unread = createUnreadHosts()
  const addresses = reachableAddresses(host, port)
  let isTrusted = false
  const page = createDevicePage({
    certificate: authority.certificate,
    addresses,
    onTrusted() {
      isTrusted = true
      changeSignal.notify()
    },
  })
  const handler: TrafficHandler = {
    connecting: trafficHandler.connecting,
    request(url, request, response) {
      if (url.hostname === setUpHost) page.serve(url, response, request)
      else trafficHandler.request(url, request, response)
    },
    upgrade(url, request, socket, head) {
      if (url.hostname === setUpHost) refuseUpgrade(socket, 404)
      else trafficHandler.upgrade(url, request, socket, head)
    },
  }
  const proxy = await startProxy(createIdentities(authority), handler, {
    address: { host, port },
    ownOrigin: `http://${setUpHost}`,
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
    addresses,
    isTrusted: () => isTrusted,
    unreadHosts: () => unread.list().filter(({ host }) => host !== setUpHost),
    forwardedUnread: unread.listForwarded,
    beginJudging: unread.reset,
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  }
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
