import { createServer, request as plainRequest } from 'node:http'
import { createServer as createTlsServer, request as secureRequest } from 'node:https'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { Untested } from '../inconclusive.ts'
import { createAuthority } from '../tls/certificates.ts'
import type { HttpRequest, Reply } from './client.ts'
import { readSentBody } from './inflate.ts'
import { startListening } from './listening.ts'
import { askPlainTwin } from './plain-twin.ts'
import { onWebSocket } from './websocket-upgrades.ts'

const most = 512

test('accepts 512 connections at once, closes those above, and ends all of them when it is closed', async () => {
  const server = createServer()
  const accepted = new Set<Socket>()
  let refused = 0
  server.on('connection', (socket) => accepted.add(socket))
  server.on('drop', () => {
    refused += 1
  })
  const clients: Socket[] = []
  const closed: Promise<unknown>[] = []
  {
    await using listening = await startListening(server, { host: '127.0.0.1', port: 0 })
    for (let index = 0; index < most + 8; index++) {
      const client = connect(listening.port, '127.0.0.1')
      clients.push(client)
      client.on('error', () => client.destroy())
      const close = new Promise((resolve) => client.once('close', resolve))
      closed.push(close)
      await Promise.race([close, new Promise((resolve) => client.once('connect', resolve))])
    }
    // The last of them are closed by the listener.
    await Promise.all(closed.slice(most))
    expect([accepted.size, refused]).toEqual([most, 8])
    expect(clients.slice(0, most).every(({ destroyed }) => !destroyed)).toBe(true)
  }
  await Promise.all(closed)
  expect([...accepted].every(({ destroyed }) => destroyed)).toBe(true)
})

const sentText = JSON.stringify({ event: 'connecting' })
const bytes = Buffer.from(sentText)

test.each([
  ['plain text', bytes, undefined],
  ['gzip that says so', gzipSync(bytes), 'gzip'],
  ['gzip that does not', gzipSync(bytes), undefined],
  ['zlib that does not', deflateSync(bytes), undefined],
  ['brotli that says so', brotliCompressSync(bytes), 'br'],
  ['plain text that says that it is gzip', bytes, 'gzip'],
])('reads a body of %s', (_, sent, encoding) => {
  expect(readSentBody(sent, encoding)).toBe(sentText)
})

test('shows what expands without end as it came', () => {
  const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024))
  expect(readSentBody(bomb, undefined)).toBe(bomb.toString('utf8'))
})

const silent = 'silent'

type Wait = number | typeof silent

/** Milliseconds until each address answers 401, or silence; the last one of https for good. */
async function ask(twins: { readonly https: readonly Wait[]; readonly http: Wait; readonly real?: Wait }) {
  const { https, http, real = 0 } = twins
  let secures = 0
  const send = async ({ url, headers = [], deadlineMs = 0 }: HttpRequest) => {
    const isReal = headers.some(([, value]) => value === 'real')
    const place = Math.min(secures, https.length - 1)
    if (url.startsWith('https:')) secures += 1
    const took = url.startsWith('https:') ? (https[place] ?? silent) : isReal ? real : http
    return took === silent || took > deadlineMs
      ? ({ kind: 'no-answer', failure: 'timeout', sentAt: 0, receivedAt: deadlineMs } as Reply)
      : ({ kind: 'answer', status: 401, sentAt: 0, receivedAt: took } as Reply)
  }
  return await askPlainTwin({ send } as never, {
    to: 'mint',
    requestWith: (key) => ({ method: 'POST', url: 'https://127.0.0.1:4443/', headers: [['key', key]] }),
    madeUp: 'made-up',
    real: 'real',
  })
}

test.each([
  ['answers as https does', { https: [20], http: 20 }, true],
  ['drops connections, where https is fast', { https: [20], http: silent }, false],
  ['drops connections, where https takes a second or two', { https: [2_000], http: silent }, false],
  ['answers late, where https is slow at first', { https: [20, 3_000, 20], http: 9_000 }, true],
] as const)('plain http that %s', async (_, twins, isAlike) => {
  expect(await ask(twins)).toMatchObject({ isAlike })
})

test.each([
  ['https is silent afterwards', { https: [20, silent, 20, silent], http: silent }],
  ['https is slow', { https: [3_900, 3_900, 5_000], http: silent }],
  ['http answers all but the real credential', { https: [20], http: 20, real: silent }],
] as const)('silence over plain http shows nothing where %s', async (_, twins) => {
  await expect(ask(twins)).rejects.toThrow(Untested)
})

const authority = createAuthority()

/** Sends a body in two parts, with an offer of another protocol. */
async function upload(port: number, isSecure: boolean, upgrade: string): Promise<string> {
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
    expect(await upload(listening.port, isSecure, 'h2c')).toBe('POST 100002 yz undefined')
    expect(await upload(listening.port, isSecure, 'WebSocket')).toBe('upgraded')
  },
)
