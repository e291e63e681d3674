import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { systemClock } from '../../base/clock.ts'
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
