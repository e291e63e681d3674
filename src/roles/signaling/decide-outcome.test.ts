import { expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import type { Carriage } from './carriages/registry.ts'
import { error401, good, outcomeOf, signalingAt, welcome } from './testing/attempts.ts'
import { type Script, startService } from './testing/loopback.ts'

/** A busy machine may not have upgraded the connection by then. */
const late = (what: string) =>
  expect.stringMatching(new RegExp(`^(?:${what}|did not answer the upgrade within) 0\\.2 s$`))

const sending = (...steps: ((socket: WebSocket) => void)[]): Script => ({
  open: (socket) => {
    for (const step of steps) step(socket)
  },
})
const sends = (text: string) => (socket: WebSocket) => socket.send(text)

test('a close right after success means refused', async () => {
  await using service = await startService(sending(sends(welcome), (socket) => socket.close(1008)))
  const attempt = await signalingAt(service).attempt({ token: good })
  expect(attempt).toMatchObject({ outcome: 'refused', named: false, unauthorized: false })
  expect(attempt.summary).toBe('was accepted: a frame with "welcome" at $.type, then closed with 1008')
})

test('a refusal after success tells what the client was sent meanwhile', async () => {
  const other = '{"type":"online","users":["ann"]}'
  await using service = await startService(
    sending(sends(welcome), sends(other), (socket) => void setTimeout(() => socket.close(4401), 20)),
  )
  const attempt = await signalingAt(service).attempt({ token: good })
  if (attempt.outcome !== 'refused') throw new Error(attempt.summary)
  expect(attempt.welcome?.map(({ text }) => text)).toEqual([welcome, other])
})

test('a refusal without a success sign tells of no welcome', async () => {
  await using service = await startService(sending(sends('{}'), sends(error401)))
  expect(await signalingAt(service).attempt({ token: good })).toHaveProperty('welcome', undefined)
})

test.each([
  ['a failure frame right after success', [welcome, error401], 'refused'],
  ['success after a failure frame', [error401, welcome], 'refused'],
  ['a frame that shows both', ['{"type":"welcome","error":{"code":401}}'], 'refused'],
  [
    'frames that match nothing, or only in another type, before success',
    ['no json', '{"error":{"code":"401"}}', '[]', 'null', '['.repeat(30_000), welcome],
    'accepted',
  ],
])('%s: %j means %s', async (_, frames, outcome) => {
  await using service = await startService(sending(...frames.map(sends)))
  const named = outcome === 'refused'
  expect(await outcomeOf(signalingAt(service), good)).toMatchObject({ outcome, named })
})

test('how the suite itself hangs up is no report of 401', async () => {
  await using service = await startService(sending(sends(error401)))
  const signaling = signalingAt(service, { unauthorized: [{ close: [1000, 1005, 1006] }] })
  expect(await outcomeOf(signaling, good)).toMatchObject({ outcome: 'refused', unauthorized: false })
})

test.each([
  ['an unnamed status', { status: () => 302 }, 'answered 302'],
  ['an unnamed close code', sending((socket) => socket.close(1011)), 'closed with 1011'],
  ['silence', {}, late('stayed silent for')],
  ['chatter', sending(sends('{}')), late('showed no sign of success within')],
])('%s is a refusal that the profile does not name', async (_, script: Script, summary) => {
  await using service = await startService(script)
  expect(await outcomeOf(signalingAt(service, { timeoutMs: 200 }), good)).toEqual({
    outcome: 'refused',
    named: false,
    unauthorized: false,
    summary,
  })
})

test('a message waits for the frame that asks for it', async () => {
  const after = { frame: { path: '$.ask', equals: 'token' } }
  const carriage: Carriage = { in: 'message', template: '{"token":"{jwt}"}', after }
  const answering: Script = { message: (socket, text) => text.includes(good) && socket.send(welcome) }
  await using asking = await startService({ ...answering, ...sending(sends('{}'), sends('{"ask":"token"}')) })
  await using mute = await startService(answering)
  expect(await outcomeOf(signalingAt(asking, { carriage }), good)).toMatchObject({ outcome: 'accepted' })
  const unasked = await outcomeOf(
    signalingAt(mute, { carriage, success: [{ quietOpenMs: 50 }], timeoutMs: 200 }),
    good,
  )
  expect(unasked).toMatchObject({
    outcome: 'refused',
    summary: 'did not ask for the credential within 0.2 s',
  })
})
