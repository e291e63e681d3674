import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { createJournal, type Journal } from '../evidence/exchange.ts'
import type { HttpRequest } from './client.ts'
import { createHttpClient, type Reply } from './client.ts'
import { readRateLimit } from './read-rate-limit.ts'
import { serve, serveTcp } from './testing/serve.ts'

const deadlineMs = 1500

const client = (journal: Journal, longestMs = deadlineMs) =>
  createHttpClient({ journal, clock: systemClock, deadlineMs: longestMs, bodyBytes: 100_000 })

async function ask(url: string, change: Partial<HttpRequest> = {}, longestMs = deadlineMs) {
  const journal = createJournal()
  await using http = client(journal, longestMs)
  const reply = await http.send({ to: 'mint', method: 'POST', url, headers: [], ...change })
  return { reply, exchanges: journal.drain() }
}

const failureOf = (reply: Reply) => (reply.kind === 'no-answer' ? reply.failure : reply.status)

test('a request names another origin in its target and its Host, and goes to the same server', async () => {
  const seen: unknown[] = []
  await using server = await serve(({ url, headers }, response) => {
    seen.push([url, headers.host])
    response.end()
  })
  const { host } = new URL(server.url)
  await ask(`${server.url}/a?b=1`, { absoluteTarget: 'http://other.example' })
  await ask(server.url, { headers: [['Host', 'other.example:8']] })
  expect(seen).toEqual([
    ['http://other.example/a?b=1', host],
    ['/', 'other.example:8'],
  ])
})

test('an answer comes with the fields behind its body, which are recorded with its headers', async () => {
  await using server = await serve((_, response) => {
    response.writeHead(200, { trailer: 'x-late' }).write('a')
    response.addTrailers({ 'X-Late': '1' })
    response.end()
  })
  const { reply, exchanges } = await ask(server.url)
  expect(reply).toMatchObject({ body: 'a', trailers: [['x-late', '1']] })
  expect(JSON.stringify(exchanges)).toContain('["x-late","1"]')
})

test('a request that waits for a connection has its whole deadline left once it is sent', async () => {
  let underWay = 0
  let most = 0
  await using server = await serve((_, response) => {
    underWay += 1
    most = Math.max(most, underWay)
    // Ten rounds of this are longer than the deadline.
    setTimeout(() => {
      underWay -= 1
      response.end('{}')
    }, deadlineMs / 6)
  })
  await using http = client(createJournal())
  const replies = await Promise.all(
    Array.from({ length: 240 }, () =>
      http.send({ to: 'mint', method: 'POST', url: server.url, headers: [] }),
    ),
  )
  expect(replies.map(failureOf)).toEqual(replies.map(() => 200))
  expect(most).toBeLessThanOrEqual(24)
})

const chunk = Buffer.alloc(64 * 1024)
const manyHeaders = Array.from({ length: 10_000 }, (_, index) => `x-${index}: ${index}\r\n`).join('')

test.each<[string, string, () => ReturnType<typeof serve>]>([
  ['hangs', 'timeout', () => serve(() => {})],
  [
    'trickles its body',
    'timeout',
    () =>
      serve((_, response) => {
        response.writeHead(200)
        const trickling = setInterval(() => response.write('x'), 20)
        response.once('close', () => clearInterval(trickling))
      }),
  ],
  ['speaks something else', 'protocol', () => serveTcp((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'))],
  [
    'redirects for ever',
    'redirects',
    () => serve((_, response) => response.writeHead(307, { location: '/again' }).end()),
  ],
])('a peer that %s gives no answer, within the deadline', async (_, failure, start) => {
  await using server = await start()
  expect(failureOf((await ask(server.url, { followRedirects: true })).reply)).toBe(failure)
})

test.each<[string, () => ReturnType<typeof serve>]>([
  [
    'never stops sending',
    () =>
      serve((_, response) => {
        const pump = () => {
          while (!response.destroyed && response.write(chunk));
        }
        response.on('drain', pump)
        pump()
      }),
  ],
  [
    'sends a compressed bomb',
    () =>
      serve((_, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(20_000_000)))
      }),
  ],
  [
    'sends ten thousand headers',
    () => serveTcp((socket) => socket.write(`HTTP/1.1 200 OK\r\n${manyHeaders}\r\n`)),
  ],
])('a peer that %s is given up by its bytes', async (_, start) => {
  await using server = await start()
  // They are counted, however slow the machine is.
  expect(failureOf((await ask(server.url, {}, 110_000)).reply)).toBe('too-large')
})

test('a peer that closes the connection in the middle of its body is asked once more, as the record says', async () => {
  let connections = 0
  await using server = await serveTcp((socket) => {
    connections += 1
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf')
  })
  const { reply, exchanges } = await ask(server.url)
  expect(failureOf(reply)).toBe('reset')
  expect(connections).toBe(2)
  expect(exchanges[0]).toMatchObject({ notes: [expect.stringContaining('retried after')] })
})

test('a peer that speaks HTTP/2 alone is said to', async () => {
  await using server = await serveTcp((socket) => socket.end(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])))
  expect((await ask(server.url)).reply).toMatchObject({
    failure: 'protocol',
    message: 'speaks only HTTP/2 without TLS',
  })
})

test('a redirect within the origin is followed when the caller says so', async () => {
  await using server = await serve((request, response) => {
    if (request.url === '/') response.writeHead(308, { location: '/there' }).end()
    else response.end(request.method)
  })
  expect((await ask(server.url, { followRedirects: true })).reply).toMatchObject({
    status: 200,
    body: 'POST',
  })
  expect((await ask(server.url)).reply).toMatchObject({ status: 308 })
})

test('a redirect to another origin is never followed', async () => {
  let reached = false
  await using other = await serve((_, response) => {
    reached = true
    response.end()
  })
  await using server = await serve((_, response) => response.writeHead(307, { location: other.url }).end())
  expect((await ask(server.url, { followRedirects: true })).reply).toMatchObject({ status: 307 })
  expect(reached).toBe(false)
})

test('a request that is given up ends as one without an answer', async () => {
  await using server = await serve(() => undefined)
  const { reply } = await ask(server.url, { deadlineMs: 60_000, givenUp: AbortSignal.timeout(200) })
  expect(reply).toMatchObject({ failure: 'timeout', message: expect.not.stringContaining('60 s') })
})

const busyPage = '<html><body>503 Service Temporarily Unavailable</body></html>'

test.each([
  ['a page of nginx', 'GET', 503, { 'content-type': 'text/html' }, busyPage, true],
  ['the headers of that page', 'HEAD', 503, { 'content-type': 'text/html' }, busyPage, true],
  ['an error of the service', 'GET', 503, { 'content-type': 'application/json' }, '{"error":"down"}', false],
  ['its headers', 'HEAD', 503, { 'content-type': 'application/json' }, '{"error":"down"}', false],
  ['an error that asks to wait', 'GET', 503, { 'retry-after': '1' }, '{"error":"down"}', true],
  ['too many requests', 'HEAD', 429, {}, '', true],
  ['another page', 'GET', 502, { 'content-type': 'text/html' }, busyPage, false],
] as const)(
  '%s to %s with %i limits the rate, or does not',
  async (_, method, status, headers, body, isLimit) => {
    await using server = await serve((_request, response) => response.writeHead(status, headers).end(body))
    const { reply } = await ask(server.url, { method }, 60_000)
    expect(readRateLimit(reply) !== null).toBe(isLimit)
  },
)
