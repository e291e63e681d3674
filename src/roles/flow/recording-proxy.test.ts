import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createJournal } from '../../base/evidence/exchange.ts'
import { createRedactor } from '../../base/evidence/redact.ts'
import { createRecordedHops, serveHops } from './recorded-hops.ts'
import { startRecordingProxy } from './recording-proxy.ts'

const key = `ac_live_${'Zq81'.repeat(10)}`

async function echoing() {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    response.writeHead(201, { 'x-seen': request.headers['x-sent'] ?? '' })
    // In pieces, so that the framing is another one on the way back.
    response.write(`${request.method} ${request.url} `)
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('forwards a request unchanged and records it whole', async () => {
  await using peer = await echoing()
  await using proxy = await startRecordingProxy({ from: 'backend', to: 'mint', host: '127.0.0.1' })
  proxy.forwardTo(`${peer.origin}/base`)
  const response = await fetch(`http://127.0.0.1:${proxy.port}/a?b=c`, {
    method: 'POST',
    headers: { 'x-sent': 'yes', authorization: `Bearer ${key}` },
    body: 'order',
  })
  expect([response.status, response.headers.get('x-seen')]).toEqual([201, 'yes'])
  expect(await response.text()).toBe('POST /a?b=c order')
  expect(proxy.hops()).toMatchObject([
    { from: 'backend', to: 'mint', method: 'POST', target: '/a?b=c', requestBody: 'order', status: 201 },
  ])
})

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

test('hands recorded hops over whole, and journals each once and redacted', async () => {
  await using peer = await echoing()
  await using proxy = await startRecordingProxy({ from: 'backend', to: 'mint', host: '127.0.0.1' })
  proxy.forwardTo(peer.origin)
  await using served = await serveHops([proxy])
  const journal = createJournal()
  const recorded = createRecordedHops(served.url, journal, createRedactor())
  const ask = async () => {
    const headers = { authorization: `Bearer ${key}` }
    await (await fetch(`http://127.0.0.1:${proxy.port}/`, { headers })).text()
  }
  await ask()
  const [first] = await recorded.read()
  expect(first?.requestHeaders).toContainEqual(['authorization', `Bearer ${key}`])
  await ask()
  expect((await recorded.read()).map(({ exchange }) => exchange)).toEqual(['x1', 'x2'])
  const written = JSON.stringify(journal.drain())
  expect(written).toContain('‹api-key, 48 characters')
  expect(written).not.toContain(key)
})

test('serves recorded hops at a secret path only', async () => {
  await using served = await serveHops([])
  expect((await fetch(new URL('/', served.url))).status).toBe(404)
  expect(await (await fetch(served.url)).json()).toEqual([])
})
