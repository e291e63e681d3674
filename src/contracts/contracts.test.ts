import { expect, test } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { createJournal } from '../base/evidence/exchange.ts'
import { createHttpClient, type Reply } from '../base/http/client.ts'
import { sendBytes } from '../base/http/testing/hostile-requests.ts'
import { serve } from '../base/http/testing/serve.ts'
import { createBroker } from './broker.ts'
import { type Interaction, listInteractions } from './interaction.ts'
import { parsePact } from './pact-file.ts'
import { startRelay } from './relay.ts'
import { type Attempt, retryFaults } from './retry-faults.ts'

test('a link of the broker to another origin is not followed', async () => {
  const asked: string[] = []
  const broker = createBroker({
    url: 'https://broker.example.com/',
    access: { token: 'a broker token' },
    http: {
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
    } as never,
  })
  const fetched = broker.pacts({ provider: 'backend', selectors: [], enablePending: false })
  await expect(fetched).rejects.toMatchObject({
    code: 'precondition',
    message: expect.stringContaining('links to http://169.254.169.254; expected links of its own'),
  })
  expect(asked).toEqual(['https://broker.example.com/'])
})

const named = (name: string) => `\${${name}}`

/** The values that a generator with this expression asks of a provider state. */
function injectedBy(generators: unknown): readonly string[] | undefined {
  const source = { description: 'a call', request: { method: 'GET', generators }, providerStates: [] }
  return listInteractions([{ consumer: 'app', interactions: [source] }] as never)[0]?.injected
}

test('an expression of 1 MB that is never closed, and generators that are nested deeply, are read', () => {
  expect(injectedBy({ type: 'ProviderState', expression: '${'.repeat(524_288) })).toHaveLength(1)
  let nested: unknown = { type: 'ProviderState', expression: named('session') }
  for (let level = 0; level < 100_000; level += 1) nested = { nested }
  expect(injectedBy(nested)).toEqual(['session'])
})

const answer = (status: number) => ({ kind: 'answer', status, body: '', sent: '', exchange: 'x1' }) as Reply
const hang = { kind: 'no-answer', failure: 'timeout', message: 'did not answer within 10 s' } as Reply
const interaction = (number: number) => ({ number, status: 200 }) as Interaction

/** Answers each attempt of an interaction by its next reply. */
function provider(replies: Readonly<Record<number, readonly Reply[]>>) {
  const attempted: number[][] = []
  const attempt = (interactions: readonly Interaction[]): Promise<Attempt> => {
    attempted.push(interactions.map(({ number }) => number))
    return Promise.resolve(
      new Map(
        interactions.map((one) => {
          const reply = replies[one.number]?.[attempted.length - 1] ?? hang
          const ok = reply.kind === 'answer' && reply.status === 200
          const result = { description: '', ok, mismatches: [], error: null }
          return [one, { seen: { states: [], replies: [reply] }, result }]
        }),
      ),
    )
  }
  return { attempt, attempted }
}

const [first, second] = [interaction(1), interaction(2)]

test('attempts an answered interaction once', async () => {
  const { attempt, attempted } = provider({ 1: [answer(200)], 2: [answer(401)] })
  const result = await retryFaults([first, second], attempt)
  expect(attempted).toEqual([[1, 2]])
  expect(result.get(second)?.faultReturned).toBe(false)
})

test.each([
  ['503', answer(503)],
  ['no answer', hang],
])('a fault (%s) that goes away is forgotten', async (_, fault) => {
  const { attempt, attempted } = provider({ 1: [answer(200), answer(200)], 2: [fault, answer(200)] })
  const result = await retryFaults([first, second], attempt)
  expect(attempted).toEqual([
    [1, 2],
    [2, 1],
  ])
  expect(result.get(second)).toMatchObject({ faultReturned: false, result: { ok: true } })
})

test('a fault that comes back beside an answer belongs to its interaction', async () => {
  const { attempt } = provider({ 1: [answer(200), answer(200)], 2: [hang, hang] })
  expect((await retryFaults([first, second], attempt)).get(second)?.faultReturned).toBe(true)
})

test.each([
  ['the other fails as well', { 1: [answer(200), hang], 2: [hang, hang] }],
  ['there is no other', { 1: [hang, hang], 2: [hang, hang] }],
])('a fault that comes back accuses nothing where %s', async (_, replies) => {
  const { attempt } = provider(replies)
  expect((await retryFaults([first, second], attempt)).get(second)?.faultReturned).toBe(false)
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
/** Each request is answered, however busy the machine is. */
const answerMs = 30_000

/** A relay in front of a provider that notes what it is asked. */
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
