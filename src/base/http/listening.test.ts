import { connect, createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { startListening } from './listening.ts'

const most = 512

test('accepts 512 connections at once, closes those above, and ends all of them when it is closed', async () => {
  const server = createServer()
  const accepted = new Set<Socket>()
  let refused = 0
  server.on('connection', (socket) => accepted.add(socket))
  server.on('drop', () => {
    refused += 1
  })
  const clients: Socket[] = []
  const closed: Promise<unknown>[] = []
  {
    await using listening = await startListening(server, { host: '127.0.0.1', port: 0 })
    for (let index = 0; index < most + 8; index++) {
      const client = connect(listening.port, '127.0.0.1')
      clients.push(client)
      client.on('error', () => client.destroy())
      const close = new Promise((resolve) => client.once('close', resolve))
      closed.push(close)
      await Promise.race([close, new Promise((resolve) => client.once('connect', resolve))])
    }
    // The last of them are closed by the listener.
    await Promise.all(closed.slice(most))
    expect([accepted.size, refused]).toEqual([most, 8])
    expect(clients.slice(0, most).every(({ destroyed }) => !destroyed)).toBe(true)
  }
  await Promise.all(closed)
  expect([...accepted].every(({ destroyed }) => destroyed)).toBe(true)
})
