import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'

/** How a peer handles a connection after the first bytes of a request, which it receives. */
export type Fault = (socket: Socket, request: string) => void

const json = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'

/** Faults of a peer over HTTP, by name. */
export const httpFaults = {
  'sends 2 GB': (socket) => flood(socket, `${json}\r\n`, Buffer.alloc(64 * 1024, 'a'), 2 ** 31),
  'closes the connection in mid-body': (socket) =>
    socket.end(`${json}Content-Length: 1000\r\n\r\n{"token":"`),
} satisfies Record<string, Fault>

/** Faults of signaling, by name. */
export const signalingFaults = {
  'announces a frame of 8 EB'(socket, request) {
    upgrade(socket, request)
    socket.write(Buffer.of(0x81, 127, 0x70, 0, 0, 0, 0, 0, 0, 0))
  },
  'hangs up in mid-frame'(socket, request) {
    upgrade(socket, request)
    socket.end(Buffer.of(0x81, 100, 0x7b))
  },
} satisfies Record<string, Fault>

function upgrade(socket: Socket, request: string): void {
  const key = /sec-websocket-key: *(\S+)/i.exec(request)?.[1] ?? ''
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
  socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n')
  socket.write(`Sec-WebSocket-Accept: ${accept}\r\n\r\n`)
}

/** Writes as fast as the other side reads, until it hangs up or the whole of it is sent. */
function flood(socket: Socket, head: string, chunk: Buffer, bytes: number): void {
  let left = bytes
  const pump = () => {
    while (left > 0 && !socket.destroyed) {
      left -= chunk.length
      if (!socket.write(chunk)) return
    }
    if (left <= 0) socket.end()
  }
  socket.on('drain', pump)
  socket.write(head)
  pump()
}
