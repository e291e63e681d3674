import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createJournal } from '../../base/evidence/exchange.ts'
import { createRedactor } from '../../base/evidence/redact.ts'
import { createTaps, serveRecords } from './recorded-hops.ts'
import { startTap } from './recording-proxy.ts'

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

test('a request goes through a tap as it came, and is seen whole', async () => {
  await using peer = await echoing()
  await using tap = await startTap({ from: 'backend', to: 'mint', host: '127.0.0.1' })
  tap.aim(`${peer.origin}/base`)
  const response = await fetch(`http://127.0.0.1:${tap.port}/a?b=c`, {
    method: 'POST',
    headers: { 'x-sent': 'yes', authorization: `Bearer ${key}` },
    body: 'order',
  })
  expect([response.status, response.headers.get('x-seen')]).toEqual([201, 'yes'])
  expect(await response.text()).toBe('POST /a?b=c order')
  expect(tap.seen()).toMatchObject([
    { from: 'backend', to: 'mint', method: 'POST', target: '/a?b=c', requestBody: 'order', status: 201 },
  ])
})

test('a tap whose peer does not answer says so, and remembers the request', async () => {
  await using tap = await startTap({ from: 'signaling', to: 'mint', host: '127.0.0.1' })
  const ask = async () => (await fetch(`http://127.0.0.1:${tap.port}/keys`)).status
  expect(await ask()).toBe(503)
  tap.aim('http://127.0.0.1:9')
  expect(await ask()).toBe(503)
  expect(tap.seen()).toMatchObject([
    { target: '/keys', status: 0 },
    { target: '/keys', status: 0 },
  ])
})

test('what taps saw is handed over whole, and goes into the evidence once and redacted', async () => {
  await using peer = await echoing()
  await using tap = await startTap({ from: 'backend', to: 'mint', host: '127.0.0.1' })
  tap.aim(peer.origin)
  await using records = await serveRecords([tap])
  const journal = createJournal()
  const taps = createTaps(records.url, journal, createRedactor())
  const ask = async () => {
    const headers = { authorization: `Bearer ${key}` }
    await (await fetch(`http://127.0.0.1:${tap.port}/`, { headers })).text()
  }
  await ask()
  const [first] = await taps.seen()
  expect(first?.requestHeaders).toContainEqual(['authorization', `Bearer ${key}`])
  await ask()
  expect((await taps.seen()).map(({ exchange }) => exchange)).toEqual(['x1', 'x2'])
  const written = JSON.stringify(journal.drain())
  expect(written).toContain('‹api-key, 48 characters')
  expect(written).not.toContain(key)
})

test('nobody else reads what taps saw', async () => {
  await using records = await serveRecords([])
  expect((await fetch(new URL('/', records.url))).status).toBe(404)
  expect(await (await fetch(records.url)).json()).toEqual([])
})
