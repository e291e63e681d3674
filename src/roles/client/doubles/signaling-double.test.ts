import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createLabeller } from '../../../base/evidence/hide.ts'
import { hideExchange } from '../../../base/evidence/hide-exchange.ts'
import { listening } from '../../../base/http/testing/serve.ts'
import type { SignalingProfile } from '../../signaling/profile.ts'
import { quickProfile } from '../../signaling/testing/loopback.ts'
import { createDoubleOptions } from '../testing/double-options.ts'
import { createDoubleContext } from './double-context.ts'
import { createSignalingDouble } from './signaling-double.ts'
import { deriveResponses } from './signaling-responses.ts'

const profile: SignalingProfile = {
  ...quickProfile,
  binary: 'base64',
  carriage: { in: 'message', template: 'AQ=={u16:{jwt}}', after: { text: { startsWith: 'Bw==' } } },
  declaredUser: { in: 'message', template: 'Ag=={userId}' },
  success: [{ text: { startsWith: 'gAA=' } }],
  failure: [{ frame: { path: '$.error', equals: 401 } }],
  unauthorized: [{ frame: { path: '$.error', equals: 401 } }],
  samples: { success: 'gAA={u8:{userId}}' },
}

function credential(jwt: string): Buffer {
  return Buffer.concat([Buffer.of(1, jwt.length >> 8, jwt.length & 0xff), Buffer.from(jwt)])
}

/** A double behind a port, until it is disposed of. */
async function startDouble(profile: SignalingProfile) {
  const options = createDoubleOptions()
  const context = createDoubleContext(options)
  const double = createSignalingDouble(context, profile, deriveResponses(profile, { seesStatus: true }))
  const server = createServer()
  server.on('upgrade', (request, socket, head) => {
    void double.serve(new URL(request.url ?? '', 'ws://double'), request, socket, head)
  })
  const listener = await listening(server)
  return { ...context, options, double, ...listener, url: `ws://127.0.0.1:${listener.port}/signaling` }
}

test('a double speaks binary frames with clients, and takes no text for one', async () => {
  await using started = await startDouble(profile)
  const { options, double, tokenIssuer, changeSignal, url } = started
  const join = async (...messages: (string | Buffer)[]) => {
    const socket = new WebSocket(url)
    const frames: Buffer[] = []
    socket.on('message', (data: Buffer, isBinary) => isBinary && frames.push(data))
    await new Promise((resolve) => socket.on('open', resolve))
    const index = double.attempts().length - 1
    for (const message of messages) socket.send(message)
    await changeSignal.waitFor(() => double.attempts()[index]?.sent.length === messages.length, 30_000)
    await new Promise((resolve) => socket.once('pong', resolve).once('close', resolve).ping())
    socket.terminate()
    return { frames, attempt: double.attempts()[index] }
  }
  const jwt = await tokenIssuer.issue('ann', 900)
  const joined = await join(credential(jwt), Buffer.from('\x02ann'))
  expect(joined.frames).toEqual([Buffer.of(7), Buffer.from('\x80\0\x03ann', 'latin1')])
  expect(joined.attempt).toMatchObject({ credential: jwt, declaredUser: 'ann', outcome: 'accepted' })
  expect(double.texts()).toContainEqual(
    expect.objectContaining({ isCredential: true, text: expect.stringContaining(jwt) }),
  )
  const refused = await join(credential('made-up'))
  expect(refused.frames).toEqual([Buffer.of(7), Buffer.from('{"error":401}')])
  const { attempt } = await join(String(credential(jwt)))
  expect(attempt).toMatchObject({ credential: null })
  double.end()
  const shown = JSON.stringify(
    options.journal.drain().map((one) => hideExchange(one, createLabeller(options.secrets))),
  )
  expect(shown).toContain('‹calling-jwt, ')
  expect(shown).not.toContain(jwt.slice(-12))
  expect(shown).not.toContain(credential(jwt).toString('base64').slice(-16))
})

test('a refusal by a frame leaves the socket open, and a new token on it is another attempt', async () => {
  await using started = await startDouble({
    ...quickProfile,
    carriage: { in: 'message', template: 'auth {jwt}', after: 'open' },
    declaredUser: { in: 'none' },
    failure: [{ text: { startsWith: 'refused' } }],
    unauthorized: [{ text: { startsWith: 'refused' } }],
  })
  const { double, tokenIssuer, changeSignal, url } = started
  const socket = new WebSocket(url)
  await new Promise((resolve) => socket.on('open', resolve))
  socket.send('auth expired')
  await changeSignal.waitFor(() => double.attempts()[0]?.outcome === 'refused', 30_000)
  socket.send(`auth ${await tokenIssuer.issue('ann', 900)}`)
  await changeSignal.waitFor(() => double.attempts()[1]?.outcome === 'accepted', 30_000)
  double.refuseOpen()
  socket.send(`auth ${await tokenIssuer.issue('ann', 900)}`)
  await changeSignal.waitFor(() => double.attempts()[2]?.outcome === 'accepted', 30_000)
  expect(double.attempts().map(({ outcome }) => outcome)).toEqual(['refused', 'accepted', 'accepted'])
  double.end()
})
