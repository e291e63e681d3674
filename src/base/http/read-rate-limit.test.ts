import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { createJournal } from '../evidence/exchange.ts'
import { createRedactor } from '../evidence/redact.ts'
import { createHttpClient } from './client.ts'
import { readRateLimit } from './read-rate-limit.ts'

const page = '<html><body>503 Service Temporarily Unavailable</body></html>'

test.each([
  ['a page of nginx', 'GET', 503, { 'content-type': 'text/html' }, page, true],
  ['the headers of that page', 'HEAD', 503, { 'content-type': 'text/html' }, page, true],
  ['an error of the service', 'GET', 503, { 'content-type': 'application/json' }, '{"error":"down"}', false],
  ['its headers', 'HEAD', 503, { 'content-type': 'application/json' }, '{"error":"down"}', false],
  ['an error that asks to wait', 'GET', 503, { 'retry-after': '1' }, '{"error":"down"}', true],
  ['too many requests', 'HEAD', 429, {}, '', true],
  ['another page', 'GET', 502, { 'content-type': 'text/html' }, page, false],
] as const)('%s to %s with %i', async (_, method, status, headers, body, isLimit) => {
  const server = createServer((_request, response) => response.writeHead(status, headers).end(body))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  await using http = createHttpClient({
    journal: createJournal(),
    redactor: createRedactor(),
    clock: systemClock,
    deadlineMs: 60_000,
    bodyBytes: 10_000,
  })
  const reply = await http.send({ to: 'backend', method, url: `http://127.0.0.1:${port}/`, headers: [] })
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
  expect(readRateLimit(reply) !== null).toBe(isLimit)
})
