import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { createJournal } from '../base/evidence/exchange.ts'
import { createRedactor } from '../base/evidence/redact.ts'
import { createHttpClient } from '../base/http/client.ts'
import { sendBytes } from '../base/http/testing/hostile-requests.ts'
import { listInteractions } from './interaction.ts'
import { parsePact } from './pact-file.ts'
import { startRelay } from './relay.ts'

const pact = parsePact(
  JSON.stringify({
    consumer: { name: 'shop' },
    provider: { name: 'mint' },
    interactions: [
      { description: 'a key set', request: { method: 'GET', path: '/keys' }, response: { status: 200 } },
    ],
  }),
  'shop.json',
)
const interactions = listInteractions([pact])
/** Each request is answered, however busy the machine is. */
const answerMs = 30_000

/** A relay in front of a provider that notes what it is asked. */
async function relayed() {
  await using stack = new AsyncDisposableStack()
  const asked: string[] = []
  const provider = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end('{}')
  })
  await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done))
  stack.defer(() => {
    provider.closeAllConnections()
    provider.close()
  })
  const { port } = provider.address() as AddressInfo
  const http = stack.use(
    createHttpClient({
      journal: createJournal(),
      redactor: createRedactor(),
      clock: systemClock,
      deadlineMs: 5_000,
      bodyBytes: 100_000,
    }),
  )
  const states: string[] = []
  const relay = stack.use(
    await startRelay({
      to: 'mint',
      http,
      handleState: async ({ name }) => {
        states.push(name)
        return { kind: 'ready', values: {}, vouched: true }
      },
      interactions,
      provider: {
        target: (path) => `http://127.0.0.1:${port}${path}`,
        methodFor: ({ method }) => method,
        complete: (request) => request,
      },
    }),
  )
  const parts = stack.move()
  return {
    relay,
    states,
    asked,
    async ask(target: string, ...headers: readonly string[]) {
      const answer = await sendBytes(
        { host: '127.0.0.1', port: relay.port, isSecure: false },
        [`GET ${target} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n'),
        answerMs,
      )
      return answer.split('\r\n', 1)[0]
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

const marked = 'x-twotoken-interaction: 1'

test('forwards a marked request to its provider, whose only server it is', async () => {
  await using stack = await relayed()
  expect(await stack.ask('/keys', 'Host: 127.0.0.1', marked)).toBe('HTTP/1.1 200 OK')
  expect(await stack.ask('//192.0.2.1/keys', 'Host: 127.0.0.1', marked)).toBe('HTTP/1.1 200 OK')
  expect(await stack.ask('http://192.0.2.1/keys', 'Host: 127.0.0.1', marked)).toBe('HTTP/1.1 400 Bad Request')
  expect(stack.asked).toEqual(['/keys', '//192.0.2.1/keys'])
})

test.each([
  ['no mark', 'Host: 127.0.0.1', 'HTTP/1.1 404 Not Found'],
  ['the mark of no interaction', 'Host: 127.0.0.1\r\nx-twotoken-interaction: 2', 'HTTP/1.1 404 Not Found'],
  [
    'a name that a DNS server leads here',
    `Host: rebound.example\r\n${marked}`,
    'HTTP/1.1 421 Misdirected Request',
  ],
])('forwards nothing with %s', async (_, headers, status) => {
  await using stack = await relayed()
  expect(await stack.ask('/keys', headers)).toBe(status)
  expect(stack.asked).toEqual([])
})

test('a page cannot have a provider state set up: the path of states cannot be guessed', async () => {
  await using stack = await relayed()
  const body = JSON.stringify({ action: 'setup', state: 'a key', params: {} })
  const url = new URL(stack.relay.stateUrl)
  const send = (path: string) => fetch(new URL(path, url), { method: 'POST', body })
  expect((await send('/twotoken/provider-state')).status).toBe(404)
  expect((await send('/twotoken/provider-state/')).status).toBe(404)
  expect(stack.states).toEqual([])
  expect((await send(url.pathname)).status).toBe(200)
  expect(stack.states).toEqual(['a key'])
})
