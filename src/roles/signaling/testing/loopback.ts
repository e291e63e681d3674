import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { listening } from '../../../base/http/testing/serve.ts'
import type { ServerCertificate } from '../../../base/tls/certificates.ts'
import type { SignalingProfile } from '../profile.ts'

/** A service of a few lines on 127.0.0.1, for the tests of this folder. */
export interface Loopback extends AsyncDisposable {
  readonly url: string
  /** Connections that are open at this moment. */
  openSockets(): number
}

export interface Script {
  /** The status that refuses the upgrade; 101 where absent. */
  status?(request: IncomingMessage): number
  open?(socket: WebSocket, request: IncomingMessage): void
  /** @param bytes those of a binary message, else null */
  message?(socket: WebSocket, text: string, request: IncomingMessage, bytes: Buffer | null): void
  /** The subprotocol that is chosen; the first offered where absent. */
  readonly subprotocol?: string | false
  readonly certificate?: ServerCertificate
}

export function startService(script: Script): Promise<Loopback> {
  const server =
    script.certificate === undefined ? createServer() : createSecureServer({ ...script.certificate })
  const sockets = new WebSocketServer({
    noServer: true,
    ...(script.subprotocol === undefined ? {} : { handleProtocols: () => script.subprotocol ?? false }),
  })
  server.on('upgrade', (request: IncomingMessage, stream: Socket, head: Buffer) => {
    const status = script.status?.(request) ?? 101
    if (status !== 101) return stream.end(`HTTP/1.1 ${status} No\r\nContent-Length: 5\r\n\r\nsorry`)
    return sockets.handleUpgrade(request, stream, head, (socket) => {
      socket.on('message', (data: Buffer, isBinary) =>
        script.message?.(socket, String(data), request, isBinary ? data : null),
      )
      script.open?.(socket, request)
    })
  })
  return startLoopback(server, script.certificate === undefined ? 'ws' : 'wss')
}

/** A peer that does with each connection what no library would. */
export function startPeer(speak: (socket: Socket) => void): Promise<Loopback> {
  const server = createTcpServer((socket) => {
    speak(socket)
    // Unread, the other side's end would never be seen.
    socket.resume()
  })
  return startLoopback(server, 'ws')
}

export const quickProfile: SignalingProfile = {
  carriage: { in: 'header', name: 'Authorization', template: 'Bearer {jwt}' },
  declaredUser: { in: 'none' },
  success: [{ frame: { path: '$.type', equals: 'welcome' } }],
  failure: [{ http: [401, 403] }, { close: [4401] }, { frame: { path: '$.error.code', equals: 401 } }],
  unauthorized: [{ http: [401] }, { close: [4401] }, { frame: { path: '$.error.code', equals: 401 } }],
  samples: {},
  timeoutMs: 4000,
  settleMs: 30,
}

/** Grants the upgrade by hand, and then leaves the stream to `speak`. */
export function upgraded(speak: (socket: Socket) => void, moreHeaders = ''): (socket: Socket) => void {
  return (socket) =>
    socket.once('data', (request: Buffer) => {
      const key = /sec-websocket-key: *(\S+)/i.exec(String(request))?.[1] ?? ''
      const digest = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${moreHeaders}`)
      socket.write(`Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${digest}\r\n\r\n`)
      speak(socket)
    })
}

async function startLoopback(server: Server, scheme: 'ws' | 'wss'): Promise<Loopback> {
  let open = 0
  server.on('connection', (socket: Socket) => {
    open += 1
    socket.on('error', () => undefined)
    socket.on('close', () => {
      open -= 1
    })
  })
  const started = await listening(server)
  return { ...started, url: `${scheme}://127.0.0.1:${started.port}/ws`, openSockets: () => open }
}
