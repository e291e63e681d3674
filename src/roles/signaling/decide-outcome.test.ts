import { describe, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import type { Carriage } from './carriages/registry.ts'
import { error401, good, message, outcomeOf, signalingAt, welcome } from './testing/attempts.ts'
import { type Script, startService } from './testing/loopback.ts'

describe('the order of events', () => {
  const after = (...steps: ((socket: WebSocket) => void)[]): Script => ({
    open: (socket) => {
      for (const step of steps) step(socket)
    },
  })
  const sends = (text: string) => (socket: WebSocket) => socket.send(text)

  test('a close right after success means refused', async () => {
    await using service = await startService(after(sends(welcome), (socket) => socket.close(1008)))
    const attempt = await signalingAt(service).attempt({ token: good })
    expect(attempt).toMatchObject({ outcome: 'refused', named: false, unauthorized: false })
    expect(attempt.summary).toBe('was accepted: a frame with "welcome" at $.type, then closed with 1008')
  })

  test('a failure frame right after success means refused', async () => {
    await using service = await startService(after(sends(welcome), sends(error401)))
    expect(await outcomeOf(signalingAt(service), good)).toMatchObject({ outcome: 'refused', named: true })
  })

  test('a refusal after success tells how long the client was welcome, and what it was sent', async () => {
    const other = '{"type":"online","users":["ann"]}'
    await using service = await startService(
      after(sends(welcome), sends(other), (socket) => void setTimeout(() => socket.close(4401), 20)),
    )
    const attempt = await signalingAt(service).attempt({ token: good })
    if (attempt.outcome !== 'refused') throw new Error(attempt.summary)
    expect(attempt.welcome?.frames.map(({ text }) => text)).toEqual([welcome, other])
    // On a busy machine both arrive together.
    expect(attempt.welcome?.milliseconds).toBeGreaterThanOrEqual(0)
  })

  test('a refusal without a success sign tells of no welcome', async () => {
    await using service = await startService(after(sends('{}'), sends(error401)))
    expect(await outcomeOf(signalingAt(service), good)).not.toHaveProperty('welcome.frames')
  })

  test('success after a failure frame is too late', async () => {
    await using service = await startService(after(sends(error401), sends(welcome)))
    expect(await outcomeOf(signalingAt(service), good)).toMatchObject({ outcome: 'refused', named: true })
  })

  test('a frame that shows both is a failure', async () => {
    await using service = await startService(after(sends('{"type":"welcome","error":{"code":401}}')))
    expect(await outcomeOf(signalingAt(service), good)).toMatchObject({ outcome: 'refused', named: true })
  })

  test('frames that match nothing, or only in another type, are ignored', async () => {
    const noise = ['no json', '{"error":{"code":"401"}}', '[]', 'null', '['.repeat(30_000)]
    await using service = await startService(after(...noise.map(sends), sends(welcome)))
    expect(await outcomeOf(signalingAt(service), good)).toMatchObject({ outcome: 'accepted' })
  })

  test('a report of 401 that follows the refusal still counts', async () => {
    await using service = await startService(after(sends(error401), (socket) => socket.close(4401)))
    const signaling = signalingAt(service, { unauthorized: [{ close: [4401] }] })
    expect(await outcomeOf(signaling, good)).toMatchObject({ outcome: 'refused', unauthorized: true })
  })

  test('how the suite itself hangs up is no report of 401', async () => {
    await using service = await startService(after(sends(error401)))
    const signaling = signalingAt(service, { unauthorized: [{ close: [1000, 1005, 1006] }] })
    expect(await outcomeOf(signaling, good)).toMatchObject({ outcome: 'refused', unauthorized: false })
  })

  test.each([
    ['an unnamed status', { status: () => 302 }, 'answered 302'],
    ['an unnamed close code', after((socket) => socket.close(1011)), 'closed with 1011'],
    ['a connection cut off', after((socket) => socket.terminate()), 'ended without a close frame'],
    ['silence', {}, 'stayed silent for 0.2 s'],
    ['chatter', after(sends('{}')), 'showed no sign of success within 0.2 s'],
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
    const carriage: Carriage = { ...message, after: { frame: { path: '$.ask', equals: 'token' } } }
    const answering: Script = { message: (socket, text) => text.includes(good) && socket.send(welcome) }
    await using asking = await startService({ ...answering, ...after(sends('{}'), sends('{"ask":"token"}')) })
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
})
