import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { type Listening, startListening } from '../listening.ts'

/** A server on a free port of this machine, until it is disposed of. */
export async function listening(server: Server): Promise<Listening & { readonly url: string }> {
  const started = await startListening(server, { host: '127.0.0.1', port: 0 })
  return { ...started, url: `http://127.0.0.1:${started.port}` }
}

export const serve = (listener: RequestListener) => listening(createServer(listener))

/** A peer that does with each connection what no library would. */
export const serveTcp = (speak: (socket: Socket) => void) =>
  listening(
    createTcpServer((socket) => {
      socket.on('error', () => socket.destroy())
      speak(socket)
    }),
  )
