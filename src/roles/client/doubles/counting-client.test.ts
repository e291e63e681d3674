import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startListening } from '../../../base/http/listening.ts'
import type { SignalingProfile } from '../../signaling/profile.ts'
import { quickProfile } from '../../signaling/testing/loopback.ts'
import { createDoubleOptions } from '../testing/double-options.ts'
import { createDoubleContext } from './double-context.ts'
import { createSignalingDouble } from './signaling-double.ts'
import { deriveResponses } from './signaling-responses.ts'

const profile: SignalingProfile = {
  ...quickProfile,
  carriage: { in: 'message', template: '{"id":1,"connect":{"token":"{jwt}"}}', after: 'open' },
  success: [{ text: { startsWith: '{"id":1,"connect"' } }],
  failure: [{ close: [3500] }],
  unauthorized: [{ close: [3500] }],
  samples: { success: '{"id":1,"connect":{}}' },
}

test('a double answers a client that counts its messages by their numbers, and closes with a reason', async () => {
  const options = createDoubleOptions()
  const context = createDoubleContext(options)
  const double = createSignalingDouble(context, profile, deriveResponses(profile, { seesStatus: false }))
  const server = createServer()
  server.on('upgrade', (request, socket, head) => {
    void double.serve(new URL(request.url ?? '', 'ws://double'), request, socket, head)
  })
  await using listening = await startListening(server, { host: '127.0.0.1', port: 0 })
  const join = (id: number, token: string) => {
    const socket = new WebSocket(`ws://127.0.0.1:${listening.port}/signaling`)
    socket.on('open', () => socket.send(JSON.stringify({ connect: { token }, id })))
    return new Promise((resolve) => {
      socket.on('message', (data) => resolve(String(data)))
      socket.on('close', (code, reason) => resolve(`${code} ${reason}`))
    }).finally(() => socket.terminate())
  }
  const jwt = await context.tokenIssuer.issue('ann', 900)
  expect(await join(1, jwt)).toBe('{"id":1,"connect":{}}')
  expect(await join(7, jwt)).toBe('{"id":7,"connect":{}}')
  expect(await join(8, 'made-up')).toBe('3500 unauthorized')
  double.end()
})
