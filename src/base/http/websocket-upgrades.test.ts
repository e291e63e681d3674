import { createServer, request as plainRequest } from 'node:http'
import { createServer as createTlsServer, request as secureRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createAuthority } from '../tls/certificates.ts'
import { startListening } from './listening.ts'
import { onWebSocket } from './websocket-upgrades.ts'

const authority = createAuthority()

/** Sends a body in two parts, with an offer of another protocol. */
async function ask(port: number, isSecure: boolean, upgrade: string): Promise<string> {
  const headers = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: upgrade, 'HTTP2-Settings': 'AAEAAEAA' }
  const options = { host: '127.0.0.1', port, method: 'POST', headers, ca: authority.certificate }
  const request = isSecure ? secureRequest(options) : plainRequest(options)
  const answered = new Promise<string>((resolve, reject) => {
    request.once('error', reject)
    request.once('response', (response) => void text(response).then(resolve, reject))
    request.once('upgrade', (_, socket) => {
      socket.destroy()
      resolve('upgraded')
    })
  })
  request.write('x'.repeat(100_000))
  await new Promise((sent) => request.write('y', sent))
  request.end('z')
  return await answered
}

test.each([
  ['http', createServer()],
  ['https', createTlsServer(authority.issue({ names: ['127.0.0.1'] }))],
] as const)(
  'a request by %s that offers HTTP/2 is a request, with its whole body',
  async (scheme, server) => {
    server.on('request', async (request, response) => {
      const body = await text(request)
      response.end(`${request.method} ${body.length} ${body.slice(-2)} ${request.headers.upgrade}`)
    })
    onWebSocket(server, (_, socket) =>
      socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
    )
    await using listening = await startListening(server, { host: '127.0.0.1', port: 0 })
    const isSecure = scheme === 'https'
    expect(await ask(listening.port, isSecure, 'h2c')).toBe('POST 100002 yz undefined')
    expect(await ask(listening.port, isSecure, 'WebSocket')).toBe('upgraded')
  },
)
