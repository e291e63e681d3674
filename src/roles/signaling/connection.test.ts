import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { systemClock } from '../../base/clock.ts'
import { createJournal } from '../../base/evidence/exchange.ts'
import { createSecrets } from '../../base/evidence/secrets.ts'
import { createRecorder } from './attempt-recorder.ts'
import { connect } from './connection.ts'
import { textCodec } from './message-codec.ts'

const close4409 = Buffer.from([0x88, 2, 0x11, 0x39])

async function connected(
  serve: (peer: WebSocket & { readonly _socket: { write(data: Buffer): void } }) => void,
) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  server.on('connection', (peer) => serve(peer as never))
  const join = {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    headers: [],
    protocols: [],
    opening: [],
    messages: [],
    after: 'open',
  }
  const connection = connect(join as never, {
    frameBytes: 1024,
    codec: textCodec,
    deadlineMs: 60_000,
    clock: systemClock,
  })
  onTestFinished(async () => await connection[Symbol.asyncDispose]())
  await connection.log.next(({ type }) => type === 'open', 60_000)
  return connection
}

test('frames are read where the peer answers a ping behind them', async () => {
  const connection = await connected(() => {})
  expect(await connection.sendFrames([{ text: 'x', isLast: true, isCompressed: false }], 60_000)).toBe('read')
})

test('a peer that has sent its close, and keeps the connection, has ended it', async () => {
  const connection = await connected((peer) => peer._socket.write(close4409))
  while (connection.stage() === 'open') await new Promise((next) => setImmediate(next))
  expect(await connection.sendFrames([], 60_000)).toBe('ended')
  expect(connection.log.events.at(-1)).toMatchObject({ type: 'close', code: 4409 })
})

test('a peer that answers no ping by the deadline has not read them', async () => {
  const connection = await connected((peer) => {
    Object.assign(peer, { _autoPong: false })
  })
  expect(await connection.sendFrames([], 50)).toBe('unread')
})

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const header = { alg: 'none', typ: 'JWT' }
const claims = { sub: 'tt-1', jti: 'j-1', exp: 1_795_000_900 }

function record(token: string | null, issued: readonly string[] = []) {
  const journal = createJournal()
  const secrets = createSecrets()
  for (const jwt of issued) secrets.register('calling-jwt', jwt)
  createRecorder({ journal, secrets, clock: systemClock })({
    join: { url: 'wss://signal.example/ws', headers: [], protocols: [] },
    asked: { case: 'a token without its signature', token },
    startedAt: 0,
    events: [],
    verdict: 'closed with 4401',
  })
  return journal.drain()[0]
}

test.each([
  ['three parts', `${part(header)}.${part(claims)}.c2lnbmVkc2lnbmVk`],
  ['two parts', `${part(header)}.${part(claims)}`],
])('shows a forged token of %s decoded, without its signature, under its case', (_, token) => {
  const exchange = record(token)
  expect(exchange).toMatchObject({ case: 'a token without its signature', token: { header, claims } })
  expect(JSON.stringify(exchange)).not.toContain('c2lnbmVk')
})

test.each([
  ['a token that the service issued', `${part(header)}.${part(claims)}.c2lnbmVk`, true],
  ['text that is no token', 'garbage', false],
  ['no credential', null, false],
])('decodes nothing of %s', (_, token, isIssued) => {
  const exchange = record(token, isIssued && token !== null ? [token] : [])
  expect(exchange?.case).toBe('a token without its signature')
  expect(exchange?.token).toBeUndefined()
})

test('shows beside a forged token the one that it was made from', () => {
  const other = `${part({ alg: 'ES256', typ: 'JWT' })}.${part({ ...claims, sub: 'tt-2', jti: 'j-2' })}.c2lnb3RoZXI`
  const original = `${part({ alg: 'ES256', typ: 'JWT' })}.${part(claims)}.c2lnbmVkc2lnbmVk`
  const exchange = record(`${part(header)}.${part(claims)}.`, [other, original])
  expect(exchange?.token).toEqual({
    header,
    claims,
    genuine: { header: { alg: 'ES256', typ: 'JWT' }, claims },
  })
  expect(JSON.stringify(exchange)).not.toContain('c2lnbmVkc2lnbmVk')
})
