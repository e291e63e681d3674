import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { createJournal } from '../../base/evidence/exchange.ts'
import { createRedactor } from '../../base/evidence/redact.ts'
import { createAuthority } from '../../base/tls/certificates.ts'
import type { Attempt, Patience } from './attempt.ts'
import { createProfileConnector } from './profile-connector.ts'
import { type Loopback, quickProfile, startPeer, startService, upgraded } from './testing/loopback.ts'
import type { SignalingProfile } from './types.ts'

/** The service needs longer than the deadline, and far less than the patience. */
const deadlineMs = 200
const delayMs = 1_000
const patientMs = 60_000
const welcome = '{"type":"welcome"}'
const authority = createAuthority()

async function joinAt(
  url: string,
  until: Patience['until'],
  profile: Partial<SignalingProfile> = {},
): Promise<Attempt> {
  const made = await createProfileConnector({
    url,
    profile: { ...quickProfile, ...profile },
    journal: createJournal(),
    redactor: createRedactor(),
    clock: systemClock,
    frameBytes: 65_536,
    network: { ca: [authority.certificate] },
  }).attempt({ token: 'a.b.c', deadlineMs, patience: { ms: patientMs, until } })
  if (made.outcome === 'accepted') await made.socket[Symbol.asyncDispose]()
  return made
}

/** Takes connections at once, and passes on what comes only after a while, as a backlog of TLS handshakes does. */
function startSlowAcceptor(service: Loopback): Promise<Loopback> {
  return startPeer((socket) => {
    socket.on('error', () => undefined)
    const held = socket.pipe(new PassThrough())
    setTimeout(() => {
      const onward = connect(Number(new URL(service.url).port), '127.0.0.1')
      onward.on('error', () => socket.destroy())
      held.pipe(onward).pipe(socket)
    }, delayMs)
  })
}

function textFrame(text: string): Buffer {
  return Buffer.concat([Buffer.of(0x81, Buffer.byteLength(text)), Buffer.from(text)])
}

test.each(['connected', 'answered'] as const)(
  'a slow TLS handshake is waited for by those who wait until %s',
  async (until) => {
    const certificate = authority.issue({ names: ['127.0.0.1'] })
    await using service = await startService({ certificate, status: () => 401 })
    await using acceptor = await startSlowAcceptor(service)
    const made = await joinAt(acceptor.url.replace('ws:', 'wss:'), until)
    expect(made).toMatchObject({ outcome: 'refused', named: true, summary: 'answered 401' })
  },
)

test('a slow upgrade of a genuine token is waited for, and a slow welcome after it', async () => {
  await using service = await startPeer((socket) => {
    const upgrade = upgraded(() => setTimeout(() => socket.write(textFrame(welcome)), delayMs))
    const { promise, resolve } = Promise.withResolvers<Buffer>()
    socket.once('data', resolve)
    setTimeout(async () => {
      upgrade(socket)
      socket.emit('data', await promise)
    }, delayMs)
  })
  expect((await joinAt(service.url, 'answered')).outcome).toBe('accepted')
})

test('an attack is refused by silence as soon as without patience', async () => {
  await using service = await startPeer(() => undefined)
  expect(await joinAt(service.url, 'connected')).toMatchObject({
    outcome: 'refused',
    summary: 'did not answer the upgrade within 0.2 s',
  })
})

test('an answer that shows no sign of success ends the patience', async () => {
  await using service = await startService({ open: (socket) => socket.send('{"type":"busy"}') })
  expect(await joinAt(service.url, 'answered')).toMatchObject({
    outcome: 'refused',
    summary: 'showed no sign of success within 0.2 s',
  })
})

test('a greeting that asks for the credential is no answer to it', async () => {
  await using service = await startService({
    open: (socket) => socket.send('{"type":"hello"}'),
    message: (socket) => setTimeout(() => socket.send(welcome), delayMs),
  })
  const carriage = {
    in: 'message',
    template: '{"token":"{jwt}"}',
    after: { frame: { path: '$.type', equals: 'hello' } },
  } as const
  expect((await joinAt(service.url, 'answered', { carriage })).outcome).toBe('accepted')
})
