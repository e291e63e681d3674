import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'

/**
 * The address that a request line asks for below an origin. Any other form of target (absolute, authority, asterisk) may name
 * another server, and no such name is read: `//host/path` is a path.
 * @param origin scheme, host and port, without a path
 * @returns null where the target is no path
 */
export function addressBelow(origin: string, target: string | undefined): URL | null {
  return target?.startsWith('/') ? URL.parse(origin + target) : null
}

/** The host that a request names, as URL; null where it names none, several, or something that is no host. */
export function namedHost({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): URL | null {
  const named = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host',
  )
  const [host] = named
  if (host === undefined || named.length > 1) return null
  const url = URL.parse(`http://${host}`)
  return url !== null && url.href === `http://${url.host}/` ? url : null
}

/**
 * Says whether a host is this machine, whichever DNS server is asked. A page of another site can let its own
 * name resolve to 127.0.0.1. It then reads the answers of a listener there.
 * @param hostname as a URL has it, with IPv6 in brackets
 */
export function isLoopbackName(hostname: string): boolean {
  return /^(?:127\.\d+\.\d+\.\d+|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\]|(?:.+\.)?localhost\.?)$/.test(
    hostname,
  )
}

/** Says whether a host is an address, or a name of loopback: no DNS server decides where it leads. */
export function isOutsideDns(hostname: string): boolean {
  return isLoopbackName(hostname) || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
}

/** Answers a request for another server than this one. */
export function refuseTarget(response: ServerResponse): void {
  response.writeHead(400, { 'content-type': 'text/plain', connection: 'close' })
  response.end('the request target must be a path of this server\n')
}

/** Answers a request whose `Host` is no name of this server. */
export function refuseHost(response: ServerResponse): void {
  response.writeHead(421, { 'content-type': 'text/plain', connection: 'close' })
  response.end('this server is asked for by its address or by a name of loopback only\n')
}

/** The same for a request to upgrade the connection. */
export function refuseUpgrade(stream: Duplex, status: number): void {
  stream.on('error', () => stream.destroy())
  stream.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
