import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { createJournal } from '../../base/evidence/exchange.ts'
import { sendBytes } from '../../base/http/testing/hostile-requests.ts'
import { serve } from '../../base/http/testing/serve.ts'
import { createRecordedHops, serveHops } from './recorded-hops.ts'
import { startRecordingProxy } from './recording-proxy.ts'

const key = `ac_live_${'Zq81'.repeat(10)}`

async function echo(request: IncomingMessage, response: ServerResponse) {
  let body = ''
  for await (const chunk of request) body += chunk
  response.writeHead(201, { 'x-seen': request.headers['x-sent'] ?? '' })
  // In pieces, so that the framing is another one on the way back.
  response.write(`${request.method} ${request.url} `)
  response.end(body)
}

/** Each request is answered, however busy the machine is. */
const answerMs = 30_000

test('answers 503 where the peer does not answer, and records the request', async () => {
  await using proxy = await startRecordingProxy({ from: 'signaling', to: 'mint', host: '127.0.0.1' })
  const ask = async () => (await fetch(`http://127.0.0.1:${proxy.port}/keys`)).status
  expect(await ask()).toBe(503)
  proxy.forwardTo('http://127.0.0.1:9')
  expect(await ask()).toBe(503)
  expect(proxy.hops()).toMatchObject([
    { target: '/keys', status: 0 },
    { target: '/keys', status: 0 },
  ])
})

test('hands recorded hops over whole, and journals each once', async () => {
  await using peer = await serve(echo)
  await using proxy = await startRecordingProxy({ from: 'backend', to: 'mint', host: '127.0.0.1' })
  proxy.forwardTo(peer.url)
  await using served = await serveHops([proxy])
  const journal = createJournal()
  const recorded = createRecordedHops(served.url, journal)
  const ask = async () => {
    const headers = { authorization: `Bearer ${key}` }
    await (await fetch(`http://127.0.0.1:${proxy.port}/`, { headers })).text()
  }
  await ask()
  const [first] = await recorded.read()
  expect(first?.requestHeaders).toContainEqual(['authorization', `Bearer ${key}`])
  await ask()
  expect((await recorded.read()).map(({ exchange }) => exchange)).toEqual(['x1', 'x2'])
  expect(journal.drain()).toHaveLength(2)
})

test('serves recorded hops at a secret path only', async () => {
  await using served = await serveHops([])
  expect((await fetch(new URL('/', served.url))).status).toBe(404)
  expect(await (await fetch(served.url)).json()).toEqual({ hops: [], cut: 0 })
})

test('forwards a path that looks like a host to its one origin, as it came', async () => {
  await using peer = await serve(echo)
  await using proxy = await startRecordingProxy({ from: 'backend', to: 'mint', host: '127.0.0.1' })
  proxy.forwardTo(peer.url)
  const listener = { host: '127.0.0.1', port: proxy.port, isSecure: false }
  const ask = (target: string) =>
    sendBytes(listener, `GET ${target} HTTP/1.1\r\nHost: mint\r\nConnection: close\r\n\r\n`, answerMs)
  for (const path of ['//192.0.2.1/keys', '//', '/a/../b', '/\\192.0.2.1/', '/@192.0.2.1/'])
    expect(await ask(path)).toContain(`GET ${path} `)
  expect(await ask(`${peer.url}/keys`)).toMatch(/^HTTP\/1\.1 400 /)
  expect(proxy.hops()).toHaveLength(5)
})

test('forwards while it is sent, and keeps the beginning of what is large', async () => {
  await using peer = await serve(echo)
  const bounds = { exchanges: 10, bodyBytes: 100, bytes: 10_000 }
  await using proxy = await startRecordingProxy({ from: 'backend', to: 'mint', host: '127.0.0.1', bounds })
  proxy.forwardTo(peer.url)
  const body = 'b'.repeat(3_000_000)
  const response = await fetch(`http://127.0.0.1:${proxy.port}/`, { method: 'POST', body })
  expect((await response.text()).length).toBe('POST / '.length + body.length)
  expect(proxy.hops()).toMatchObject([
    { requestBody: 'b'.repeat(100), responseBody: `POST / ${'b'.repeat(93)}` },
  ])
  expect(proxy.cut()).toBe(1)
})

test.each([
  ['exchanges', { exchanges: 2, bodyBytes: 100, bytes: 1_000_000 }],
  ['bytes', { exchanges: 100, bodyBytes: 100, bytes: 2_000 }],
])('keeps no more %s than its bounds, and what is cut cannot be searched', async (_, bounds) => {
  await using peer = await serve(echo)
  await using proxy = await startRecordingProxy({ from: 'backend', to: 'mint', host: '127.0.0.1', bounds })
  proxy.forwardTo(peer.url)
  await using served = await serveHops([proxy])
  const recorded = createRecordedHops(served.url, createJournal())
  const headers = { 'x-padding': 'p'.repeat(300) }
  const ask = async () => (await fetch(`http://127.0.0.1:${proxy.port}/`, { headers })).text()
  await ask()
  expect(await recorded.read()).toHaveLength(1)
  for (let count = 0; count < 9; count += 1) await ask()
  expect(proxy.hops().length).toBeLessThan(8)
  expect(proxy.hops().length + proxy.cut()).toBeGreaterThanOrEqual(10)
  await expect(recorded.read()).rejects.toThrow(/could not keep \d exchanges whole/)
})

test('cuts an answer where its peer does, and answers 503 where none came', async () => {
  await using peer = await serve((request, response) => {
    if (request.url === '/none') return request.socket.destroy()
    response.writeHead(200, { 'content-length': '100' })
    return response.write('half', () => request.socket.destroy())
  })
  await using proxy = await startRecordingProxy({ from: 'backend', to: 'mint', host: '127.0.0.1' })
  proxy.forwardTo(peer.url)
  expect((await fetch(`http://127.0.0.1:${proxy.port}/none`)).status).toBe(503)
  await expect(fetch(`http://127.0.0.1:${proxy.port}/half`).then((answer) => answer.text())).rejects.toThrow()
  expect(proxy.hops()).toMatchObject([{ status: 0 }, { status: 200, responseBody: 'half' }])
})
