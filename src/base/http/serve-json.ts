import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { startListening } from './listening.ts'

/**
 * Serves data of one process of the suite to another: on loopback, at a path that cannot be guessed, since what is read there
 * includes secrets.
 */
export async function serveJson(read: () => unknown) {
  const path = `/${randomBytes(24).toString('base64url')}`
  const server = createServer((request, response) => {
    const answer = async () => {
      if (request.url !== path) return response.writeHead(404).end()
      const data = await read()
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(data))
    }
    answer().catch(() => response.destroy())
  })
  const { port, [Symbol.asyncDispose]: stop } = await startListening(server, { host: '127.0.0.1', port: 0 })
  return { url: `http://127.0.0.1:${port}${path}`, [Symbol.asyncDispose]: stop }
}
