import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { startListening } from './listening.ts'

/** Data of one process of the suite for another. */
export interface JsonServer extends AsyncDisposable {
  /** On loopback, with a path that cannot be guessed: what is read there includes secrets. */
  readonly url: string
}

export async function serveJson(read: () => unknown): Promise<JsonServer> {
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
