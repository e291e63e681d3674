import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Says whether an address is this machine's by listening there: a bridge without a container is not among the interfaces. */
export function isLocalAddress(address: string): Promise<boolean> {
  const server = createServer((socket) => socket.destroy())
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(0, address, () => server.close(() => resolve(true)))
  })
}

/** A free port for a server that starts later, below the range of ephemeral ports: no connection takes it meanwhile. */
export async function findFreePort(host: string): Promise<number> {
  const port = randomInt(20_000, 32_000)
  const server = createServer((socket) => socket.destroy())
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, host, () => resolve(true))
  })
  if (!isFree) return await findFreePort(host)
  await new Promise((resolve) => server.close(resolve))
  return port
}
