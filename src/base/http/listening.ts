import type { AddressInfo, Server, Socket } from 'node:net'

/** A server that listens; disposing of it ends every connection, upgraded ones too. */
export interface Listening extends AsyncDisposable {
  readonly port: number
  endConnections(): void
}

export interface Address {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
}

/** More at once than any peer of a run needs. A flood above that is refused, and leaves the suite its descriptors. */
const mostConnections = 512

/** Has a server listen, with bounded connections. Throws the system's error where the address cannot be had. */
export async function startListening(server: Server, { host, port }: Address): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.maxConnections = mostConnections
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }
  const lose = () => undefined
  server.on('connection', keep)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  server.on('error', lose)
  const endConnections = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    endConnections,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      endConnections()
      await closed
      // It may listen again.
      server.off('connection', keep).off('error', lose)
    },
  }
}
