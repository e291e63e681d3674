import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { startListening } from '../../../base/http/listening.ts'
import { Untested } from '../../../base/inconclusive.ts'
import type { ServeDouble } from '../../signaling/adapter-module.ts'
import { createClientContext } from '../client-context.ts'
import { createDoubleOptions } from '../testing/double-options.ts'
import { startDoublesServer } from './doubles-server.ts'

/** A service whose first message is the token; it closes with 4401 where that is refused. */
const serve: ServeDouble = async ({ decide, signal }) => {
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  sockets.on('connection', (socket) =>
    socket.once('message', async (data) => {
      const ended = new Promise((resolve) => socket.once('close', resolve))
      const { accepted, userId } = await decide({ token: String(data), ended })
      if (accepted) socket.send(`welcome ${userId}`)
      else socket.close(4401, 'unauthorized')
    }),
  )
  await new Promise((resolve) => sockets.once('listening', resolve))
  signal.addEventListener('abort', () => sockets.close())
  return { url: `ws://127.0.0.1:${(sockets.address() as { port: number }).port}/join?v=2` }
}

/** The doubles of a program, with signaling as `serve` speaks it. */
async function doubles(served: ServeDouble = serve) {
  await using stack = new AsyncDisposableStack()
  const context = await createClientContext({
    ...createDoubleOptions(),
    routes: { backend: '**/calling/token', signaling: '**' },
    spoken: { serve: served, declaresUser: false },
    open: {},
    seesStatus: true,
  })
  stack.defer(() => context.end())
  const { signalingUrl } = stack.use(
    await startDoublesServer({
      trafficHandler: context.trafficHandler,
      signalingPath: context.signaling.path,
      tls: false,
    }),
  )
  const parts = stack.move()
  return {
    context,
    signalingUrl,
    /** Sends this as the first message, and resolves to what came of it. */
    join: (token: string) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(signalingUrl)
        parts.defer(() => socket.terminate())
        socket.on('error', (error) => resolve(error.message))
        socket.on('open', () => socket.send(token))
        socket.on('message', (data) => resolve(String(data)))
        socket.on('close', (code) => resolve(`closed with ${code}`))
      }),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

test('accepts the tokens of the backend double, and refuses others as the service does', async () => {
  await using both = await doubles()
  const { signaling, tokenIssuer, changeSignal } = both.context
  expect(new URL(both.signalingUrl)).toMatchObject({ pathname: '/join', search: '?v=2' })
  const jwt = await tokenIssuer.issue('alice', 900)
  expect(await both.join(jwt)).toBe('welcome alice')
  expect(await both.join('made-up')).toBe('closed with 4401')
  expect(signaling.attempts()).toMatchObject([
    { credential: jwt, outcome: 'accepted', sent: [jwt] },
    { credential: 'made-up', outcome: 'refused' },
  ])
  const isWelcomed = () => signaling.attempts()[0]?.hasReadWelcome
  expect(await changeSignal.waitFor(() => isWelcomed(), 30_000)).toBe(true)
  expect(signaling.texts()).toContainEqual(expect.objectContaining({ isCredential: true, text: jwt }))
})

test('refuses an expired token, and drops, refuses or accepts as a check says', async () => {
  await using both = await doubles()
  const { signaling, tokenIssuer } = both.context
  expect(await both.join(await tokenIssuer.issue('alice', -5))).toBe('closed with 4401')
  const jwt = await tokenIssuer.issue('alice', 900)
  signaling.answer(() => 'refuse')
  expect(await both.join(jwt)).toBe('closed with 4401')
  signaling.answer(() => 'accept')
  expect(await both.join('made-up')).toMatch(/^welcome/)
  signaling.answer(() => ({ http: 503 }))
  expect(await both.join(jwt)).toBe('closed with 1006')
  const outcomes = signaling.attempts().map(({ outcome }) => outcome)
  expect(outcomes).toEqual(['refused', 'refused', 'accepted', 'dropped'])
})

test('a refusal that the adapter cannot express is untested', async () => {
  await using both = await doubles()
  const { signaling, changeSignal } = both.context
  expect(() => signaling.refuseOpen()).toThrow(Untested)
  signaling.answer(() => ({ http: 302, location: 'ws://127.0.0.1:9/' }))
  void both.join('any')
  await expect(changeSignal.waitFor(() => false, 30_000)).rejects.toThrow('cannot redirect a client')
})

test('a double that does not start, or asks in another way, is a lost control', async () => {
  await expect(doubles(() => Promise.reject(new Error('no port')))).rejects.toThrow(
    'serve of the signaling adapter failed: no port',
  )
  await expect(doubles(async () => ({ url: 'somewhere' }))).rejects.toThrow('is no ws or http URL')
  await using both = await doubles(({ decide, signal }) =>
    serve({ signal, decide: ({ token }: { token?: string } & object) => decide({ token }) } as never),
  )
  void both.join('any')
  await expect(both.context.changeSignal.waitFor(() => false, 30_000)).rejects.toThrow(
    /gave to decide cannot be used: .*is not a promise.*ended/,
  )
})

test('HTTP of a page at the address of signaling reaches the double, from any origin', async () => {
  const seen: string[] = []
  const overHttp: ServeDouble = async ({ signal }) => {
    const server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`)
      response.end('polled')
    })
    const listening = await startListening(server, { host: '127.0.0.1', port: 0 })
    signal.addEventListener('abort', () => void listening[Symbol.asyncDispose]())
    return { url: `http://127.0.0.1:${listening.port}/poll` }
  }
  const options = createDoubleOptions()
  const context = await createClientContext({
    ...options,
    configuration: { ...options.configuration, signaling: { url: 'wss://signal.example/poll' } as never },
    routes: null,
    spoken: { serve: overHttp, declaresUser: false },
    open: {},
    seesStatus: false,
  })
  // As the browser's proxy hands a request on.
  const proxy = createServer((request, response) =>
    context.trafficHandler.request(new URL(request.url ?? '', 'https://signal.example'), request, response),
  )
  await using listening = await startListening(proxy, { host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${listening.port}/poll?sid=1`
  const origin = 'https://app.example'
  const preflight = await fetch(url, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST' },
  })
  const answer = await fetch(url, { method: 'POST', headers: { origin }, body: 'a message' })
  for (const { headers } of [preflight, answer])
    expect(headers.get('access-control-allow-origin')).toBe(origin)
  expect([preflight.status, await answer.text()]).toEqual([204, 'polled'])
  expect(seen).toEqual(['POST /poll?sid=1'])
  expect(context.signaling.texts().map(({ text }) => text)).toContain('a message')
  context.end()
})

test('answers an adapter that asks before serve has returned', async () => {
  const early: unknown[] = []
  const warming: ServeDouble = async (surroundings) => {
    const ended = new Promise<void>(() => {})
    early.push(await surroundings.decide({ token: 'made-up', userId: 'alice', ended }))
    return await serve(surroundings)
  }
  await using both = await doubles(warming)
  expect(early).toEqual([{ accepted: false, userId: 'alice' }])
  expect(await both.join(await both.context.tokenIssuer.issue('alice', 900))).toBe('welcome alice')
  expect(both.context.signaling.attempts()).toHaveLength(1)
})
