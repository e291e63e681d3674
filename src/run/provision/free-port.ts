import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A port that was free a moment ago, for a server that is started later. It lies below the range from which the system
 * gives out ports, so that no connection takes it meanwhile.
 */
export async function freePort(host: string): Promise<number> {
  const port = randomInt(20_000, 32_000)
  const server = createServer()
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, host, () => resolve(true))
  })
  if (!isFree) return await freePort(host)
  await new Promise((resolve) => server.close(resolve))
  return port
}
