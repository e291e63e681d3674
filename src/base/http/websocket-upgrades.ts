import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { Server as TlsServer } from 'node:tls'

const offering = ['upgrade', 'http2-settings', 'connection']

/** Hands over upgrades to a WebSocket. An offer of another protocol is ignored: clients in Java offer HTTP/2 with each request. */
export function onWebSocket(
  server: Server,
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    if (request.headers.upgrade?.toLowerCase() === 'websocket') return upgrade(request, socket, head)
    socket.unshift(Buffer.concat([Buffer.from(withoutOffer(request), 'latin1'), head]))
    server.emit(server instanceof TlsServer ? 'secureConnection' : 'connection', socket)
  })
}

function withoutOffer({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (!offering.includes(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[index + 1]}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}
