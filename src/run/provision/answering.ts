import { randomBytes } from 'node:crypto'
import { request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'

/** What one request to a server that may not be up yet came to: null when it is up, else why it is not. */
export type Silence = string | null

const probeMs = 2_000
/** What a signaling service expects to be asked; without a credential. */
const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': randomBytes(16).toString('base64'),
}

/**
 * Whether a server answers HTTP, whatever it says; with `health`, whether it answers 2xx there. Its certificate does
 * not matter yet: the checks themselves accept none that does not hold.
 */
export function silenceOf(url: string, health?: string): Promise<Silence> {
  const { protocol, hostname, port, pathname } = new URL(url)
  const isSecure = protocol === 'https:' || protocol === 'wss:'
  const isSocket = health === undefined && (protocol === 'wss:' || protocol === 'ws:')
  const request = (isSecure ? requestTls : requestPlain)({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    path: health ?? pathname,
    method: 'GET',
    agent: false,
    timeout: probeMs,
    ...(isSecure ? { rejectUnauthorized: false } : {}),
    ...(isSocket ? { headers: upgrade } : {}),
  })
  return new Promise((resolve) => {
    request.once('response', (response) => {
      response.resume()
      const { statusCode = 0 } = response
      const isReady = health === undefined || (statusCode >= 200 && statusCode <= 299)
      resolve(isReady ? null : `${health} answered ${statusCode}`)
      request.destroy()
    })
    request.once('upgrade', (_response, socket) => {
      resolve(null)
      socket.destroy()
    })
    request.once('timeout', () => request.destroy(new Error(`no answer within ${probeMs / 1000} s`)))
    request.once('error', (error: NodeJS.ErrnoException) =>
      resolve(reasons[error.code ?? ''] ?? error.message),
    )
    request.end()
  })
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed at once',
  ENOTFOUND: 'its name is not known',
}
