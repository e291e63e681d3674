import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { createJournal } from '../../base/evidence/exchange.ts'
import type { Carriage } from './carriages/registry.ts'
import type { SignalingProfile } from './profile.ts'
import { bad, error401, good, message, outcomeOf, signalingAt, welcome } from './testing/attempts.ts'
import { quickProfile, startService } from './testing/loopback.ts'

const carriages: Record<
  string,
  { carriage: Carriage; tokenIn(request: IncomingMessage): string | undefined }
> = {
  header: {
    carriage: { in: 'header', name: 'Authorization', template: 'Bearer {jwt}' },
    tokenIn: ({ headers }) => headers.authorization?.replace('Bearer ', ''),
  },
  subprotocol: {
    carriage: { in: 'subprotocol', protocols: ['calling.v2', 'bearer.{jwt}'] },
    tokenIn: ({ headers }) => headers['sec-websocket-protocol']?.split(/, ?bearer\./)[1],
  },
  query: {
    carriage: { in: 'query', name: 'access_token' },
    tokenIn: ({ url }) => new URL(url ?? '', 'http://x').searchParams.get('access_token') ?? undefined,
  },
  cookie: {
    carriage: { in: 'cookie', name: 'calling_token' },
    tokenIn: ({ headers }) => headers.cookie?.replace('calling_token=', ''),
  },
}
const refusals: Record<string, (socket: WebSocket) => void> = {
  close: (socket) => socket.close(4401, 'token'),
  frame: (socket) => socket.send(error401),
}
const accepts: Record<string, { success: SignalingProfile['success']; accept(socket: WebSocket): void }> = {
  'a frame': { success: quickProfile.success, accept: (socket) => socket.send(welcome) },
  'a binary frame': { success: quickProfile.success, accept: (socket) => socket.send(Buffer.from(welcome)) },
  'staying open': { success: [{ quietOpenMs: 150 }], accept: () => undefined },
}

describe.each(Object.entries(accepts))('where success is %s', (_, { success, accept }) => {
  describe.each(Object.entries(carriages))('and the token is in the %s', (_place, { carriage, tokenIn }) => {
    test.each(['http', ...Object.keys(refusals)])(
      'it tells a refusal by %s from success',
      async (refusal) => {
        const isGood = (request: IncomingMessage) => tokenIn(request) === good
        await using service = await startService({
          status: (request) => (refusal === 'http' && !isGood(request) ? 401 : 101),
          open: (socket, request) => (isGood(request) ? accept(socket) : refusals[refusal]?.(socket)),
        })
        const signaling = signalingAt(service, { carriage, success })
        expect(await outcomeOf(signaling, good)).toMatchObject({ outcome: 'accepted', unauthorized: false })
        for (const token of [bad, null])
          expect(await outcomeOf(signaling, token)).toMatchObject({
            outcome: 'refused',
            named: true,
            unauthorized: true,
          })
      },
    )
  })

  test.each(Object.keys(refusals))(
    'and the token is in a message, it tells a refusal by %s',
    async (refusal) => {
      const seen: unknown[] = []
      await using service = await startService({
        message(socket, text) {
          seen.push(JSON.parse(text))
          if (text.includes(good)) accept(socket)
          else refusals[refusal]?.(socket)
        },
      })
      const signaling = signalingAt(service, { carriage: message, success })
      expect(await outcomeOf(signaling, good, 'u"1')).toMatchObject({ outcome: 'accepted' })
      expect(await outcomeOf(signaling, null, 'u"1')).toMatchObject({ outcome: 'refused', named: true })
      expect(seen).toEqual([
        { type: 'auth', token: good, userId: 'u"1' },
        { type: 'auth', token: '', userId: 'u"1' },
      ])
    },
  )
})

test.each<[string, Parameters<typeof startService>[0], 'signaling' | null]>([
  ['a status', { status: () => 401 }, 'signaling'],
  ['a close code', { open: (socket) => socket.close(4403, 'banned') }, 'signaling'],
  ['a frame', { open: (socket) => socket.send(error401) }, 'signaling'],
  ['an overload', { status: () => 503 }, null],
  ['a success', { open: (socket) => socket.send(welcome) }, null],
])('notes a rejection of the client: %s', async (_, service, party) => {
  await using started = await startService(service)
  const journal = createJournal()
  const made = await signalingAt(started, {}, journal).attempt({ token: good })
  expect(journal.rejectedIn(made.exchange)).toBe(party)
  if (made.outcome === 'accepted') await made.socket[Symbol.asyncDispose]()
})

test('says where nothing reached the service', async () => {
  const gone = await startService({})
  await gone[Symbol.asyncDispose]()
  expect(await signalingAt(gone).attempt({ token: good })).toMatchObject({
    outcome: 'refused',
    named: false,
    unreachable: true,
    summary: 'refused the connection',
  })
})

test.each([
  ['chooses none', false],
  ['chooses one that was not offered', 'other'],
] as const)('accepts a service that, of the offered subprotocols, %s', async (_, subprotocol) => {
  await using service = await startService({ subprotocol, open: (socket) => socket.send(welcome) })
  const carriage: Carriage = { in: 'subprotocol', protocols: ['bearer.{jwt}'] }
  expect(await outcomeOf(signalingAt(service, { carriage }), good)).toMatchObject({ outcome: 'accepted' })
})

test('does not call it a refusal when a credential cannot be sent', async () => {
  await using service = await startService({})
  const carriage: Carriage = { in: 'subprotocol', protocols: ['v1', '{jwt}'] }
  const attempt = await signalingAt(service, { carriage }).attempt({ token: 'a/b=' })
  expect(attempt).toMatchObject({ outcome: 'untestable', events: [] })
  expect(attempt.summary).toBe('was not contacted: the value is not legal as a subprotocol')
})

test('an accepted socket is handed over open', async () => {
  await using service = await startService({
    open: (socket) => socket.send(welcome),
    message: (socket, text) => (text === 'bye' ? socket.close(4000, 'so long') : socket.send(text)),
  })
  const attempt = await signalingAt(service).attempt({
    token: good,
    headers: [['Origin', 'https://x.example']],
  })
  if (attempt.outcome !== 'accepted') throw new Error(attempt.summary)
  await using socket = attempt.socket
  expect(socket.send('one') && socket.send('two')).toBe(true)
  expect(await socket.next(({ type }) => type === 'frame', 1000)).toMatchObject({ text: 'one' })
  expect(await socket.next(({ type }) => type === 'frame', 1000)).toMatchObject({ text: 'two' })
  expect(await socket.next(({ type }) => type === 'frame', 20)).toBeNull()
  socket.send('bye')
  expect(await socket.ended).toMatchObject({ type: 'close', code: 4000, text: 'so long' })
  expect(await socket.next(() => false, 1000)).toBeNull()
  expect(socket.send('late')).toBe(false)
  expect(attempt.events.map(({ type }) => type)).toEqual([
    'open',
    'frame',
    'sent',
    'sent',
    'frame',
    'frame',
    'sent',
    'close',
  ])
})

test('records each attempt once', async () => {
  await using service = await startService({
    open: (socket) => socket.send(`{"error":{"code":401},"got":"${bad}"}`),
  })
  const journal = createJournal()
  const signaling = signalingAt(
    service,
    { carriage: { in: 'query', name: 't' }, declaredUser: { in: 'header', name: 'X-As' } },
    journal,
  )
  const attempt = await signaling.attempt({ token: bad, declaredUser: 'u-1' })
  const recorded = journal.drain()
  expect(recorded).toMatchObject([
    {
      id: attempt.exchange,
      kind: 'websocket',
      request: { headers: [['X-As', 'u-1']] },
      events: [{ type: 'open' }, { type: 'frame' }],
      verdict: 'answered with a frame with 401 at $.error.code',
    },
  ])
})
