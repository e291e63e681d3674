import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { startListening } from '../../base/http/listening.ts'
import type { ProvisionedStack } from './provisioned-stack.ts'

/** Serves the logs of the parts to the process that judges. */
export interface LogServer extends AsyncDisposable {
  /** On loopback, with a path that cannot be guessed: a log may hold secrets. */
  readonly url: string
}

export async function serveLogs(provisioned: Pick<ProvisionedStack, 'readLogs'>): Promise<LogServer> {
  const path = `/${randomBytes(24).toString('base64url')}`
  const server = createServer((request, response) => {
    const answer = async () => {
      if (request.url !== path) return response.writeHead(404).end()
      const logs = await provisioned.readLogs()
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(logs))
    }
    answer().catch(() => response.destroy())
  })
  const listening = await startListening(server, { host: '127.0.0.1', port: 0 })
  return {
    url: `http://127.0.0.1:${listening.port}${path}`,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
}
