import { createServer } from 'node:net'

/**
 * Whether this machine has an address, by listening there: a bridge without a container is not among the interfaces that
 * run, but one can listen on it.
 */
export function isOwnAddress(address: string): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(0, address, () => server.close(() => resolve(true)))
  })
}
