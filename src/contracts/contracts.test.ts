import { expect, test } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { createJournal } from '../base/evidence/exchange.ts'
import { createHttpClient, type Reply } from '../base/http/client.ts'
import { sendBytes } from '../base/http/testing/hostile-requests.ts'
import { serve } from '../base/http/testing/serve.ts'
import { createBroker } from './broker.ts'
import { type Interaction, listInteractions } from './interaction.ts'
import { type Attempt, retryFaults } from './judge-interaction.ts'
import { parsePact } from './pact-file.ts'
import { startRelay } from './relay.ts'

test('a link of the broker to another origin is not followed', async () => {
  const asked: string[] = []
  const http = {
    async send({ url }: { readonly url: string }) {
      asked.push(url)
      const href = 'http://169.254.169.254/{provider}'
      const json = { _links: { 'pb:provider-pacts-for-verification': { href } } }
      return {
        kind: 'answer',
        status: 200,
        headers: new Headers(),
        body: JSON.stringify(json),
        json,
      } as never
    },
  } as never
  const broker = createBroker('https://broker.example.com/', 'a broker token', http)
  const fetched = broker.pacts({ provider: 'backend', selectors: [], enablePending: false })
  await expect(fetched).rejects.toMatchObject({
    code: 'precondition',
    message: expect.stringContaining('links to http://169.254.169.254; expected links of its own'),
  })
  expect(asked).toEqual(['https://broker.example.com/'])
})

function injectedBy(generators: unknown): readonly string[] | undefined {
  const source = { description: 'a call', request: { method: 'GET', generators }, providerStates: [] }
  return listInteractions([{ consumer: 'app', interactions: [source] }] as never)[0]?.injected
}

test('an expression of 1 MB that is never closed, and generators that are nested deeply, are read', () => {
  expect(injectedBy({ type: 'ProviderState', expression: '${'.repeat(524_288) })).toHaveLength(1)
  let nested: unknown = { type: 'ProviderState', expression: `\${session}` }
  for (let level = 0; level < 100_000; level += 1) nested = { nested }
  expect(injectedBy(nested)).toEqual(['session'])
})

const answer = (status: number) => ({ kind: 'answer', status, body: '', sent: '', exchange: 'x1' }) as Reply
const hang = { kind: 'no-answer', failure: 'timeout', message: 'did not answer within 10 s' } as Reply
const interaction = (number: number) => ({ number, status: 200 }) as Interaction

const [ok, denied, down] = [answer(200), answer(401), answer(503)]
const [first, second] = [interaction(1), interaction(2)]

test.each<[string, Readonly<Record<number, readonly Reply[]>>, string, boolean]>([
  ['an answered interaction is attempted once', { 1: [ok], 2: [denied] }, '12', false],
  ['a 503 that goes away is forgotten', { 1: [ok, ok], 2: [down, ok] }, '12 21', false],
  ['no answer that goes away is forgotten', { 1: [ok, ok], 2: [hang, ok] }, '12 21', false],
  ['a fault that comes back beside an answer belongs to it', { 1: [ok, ok], 2: [hang, hang] }, '12 21', true],
  ['a fault accuses nothing where the other fails, too', { 1: [ok, hang], 2: [hang, hang] }, '12 21', false],
  ['a fault accuses nothing where there is no other', { 1: [hang, hang], 2: [hang, hang] }, '12 12', false],
])('%s', async (_, replies, expected, faultReturned) => {
  const attempted: string[] = []
  const attempt = async (interactions: readonly Interaction[]): Promise<Attempt> => {
    const round = attempted.push(interactions.map(({ number }) => number).join('')) - 1
    return new Map(
      interactions.map((one) => {
        const reply = replies[one.number]?.[round] ?? hang
        const result = { description: '', ok: reply === ok, mismatches: [], error: null }
        return [one, { seen: { states: [], replies: [reply] }, result }]
      }),
    )
  }
  const result = await retryFaults([first, second], attempt)
  expect(attempted.join(' ')).toBe(expected)
  expect(result.get(second)).toMatchObject({ faultReturned, result: { ok: replies[2]?.at(-1) === ok } })
})

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
async function relayed() {
  await using stack = new AsyncDisposableStack()
  const asked: string[] = []
  const { url } = stack.use(
    await serve((request, response) => {
      asked.push(request.url ?? '')
      response.end('{}')
    }),
  )
  const http = stack.use(
    createHttpClient({ journal: createJournal(), clock: systemClock, deadlineMs: 5_000, bodyBytes: 100_000 }),
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
        target: (path) => url + path,
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
        // Each request is answered, however busy the machine is.
        30_000,
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
