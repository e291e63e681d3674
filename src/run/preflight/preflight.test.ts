import { writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { serveTcp } from '../../base/http/testing/serve.ts'
import { openTempFolder } from '../../base/temp-folder.ts'
import { createAuthority, type ServerCertificate } from '../../base/tls/certificates.ts'
import type { ConfiguredSession } from '../../roles/backend/configuration.ts'
import { findShortSessions } from './credentials.ts'
import {
  answering,
  backend,
  closedPort,
  http,
  https,
  key,
  mint,
  path,
  problemsOf,
  service,
  signaling,
  token,
} from './testing/preflight.ts'

test('a peer without an answer: no server listens', async () => {
  const port = await closedPort()
  expect(await mint(`http://127.0.0.1:${port}`)).toMatchObject([{ kind: 'refused', fatal: true }])
  expect(await backend(`http://127.0.0.1:${port}/`)).toMatchObject([{ part: 'backend', kind: 'refused' }])
  expect(await signaling(`wss://127.0.0.1:${port}`)).toMatchObject([{ part: 'signaling', kind: 'refused' }])
  expect(await signaling(`ws://127.0.0.1:${port}`)).toMatchObject([{ part: 'signaling', kind: 'refused' }])
})

test('a peer without an answer: the name does not resolve', async () => {
  expect(await mint('http://nowhere.invalid')).toMatchObject([{ kind: 'name', fatal: true }])
  expect(await signaling('wss://nowhere.invalid')).toMatchObject([{ part: 'signaling', kind: 'name' }])
})

test.each<[string, (socket: Socket) => void]>([
  ['it hangs', () => {}],
  ['it closes at once', (socket) => socket.destroy()],
  ['it cuts off', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"tok')],
  ['it speaks something else', (socket) => socket.end('220 mail ready\r\n')],
  ['it floods', (socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(20_000)}`)],
])('a peer without an answer: %s', async (_, speak) => {
  await using server = await serveTcp((socket) => void socket.once('data', () => speak(socket)))
  expect(await mint(server.url)).toMatchObject([{ part: 'mint', kind: 'peer', fatal: true }])
})

test.each([502, 503, 504])('a peer without an answer: a gateway answers %i', async (status) => {
  await using server = await service({ [`POST ${path}`]: status })
  expect(await mint(server.url)).toMatchObject([{ kind: 'peer', fatal: true }])
})

const authority = createAuthority()
const names = ['127.0.0.1']

async function problemsWith(certificate: ServerCertificate) {
  await using folder = await openTempFolder()
  const file = join(folder.path, 'ca.pem')
  await writeFile(file, authority.certificate)
  await using server = await https(certificate, (_, response) => void token(response))
  return await problemsOf({
    mint: { url: server.url, apiKey: key, keys: {}, minTtlSeconds: 60 },
    signaling: { url: `wss://127.0.0.1:${server.port}/ws`, allowInsecureTransport: false },
    tls: { ca: file },
  })
}

test.each([
  ['expired', authority.issue({ names, validFrom: new Date('2020-01-01'), validTo: new Date('2020-02-01') })],
  ['another name', authority.issue({ names: ['elsewhere.example'] })],
  ['untrusted issuer', createAuthority().issue({ names })],
])('says that the certificate is of this kind: %s', async (kind, certificate) => {
  expect(await problemsWith(certificate)).toMatchObject([
    { part: 'mint', kind: 'tls', fatal: true, message: expect.stringContaining(kind) },
    { part: 'signaling', kind: 'tls', fatal: true, message: expect.stringContaining(kind) },
  ])
})

test('a certificate of the named authority holds, whatever signaling answers to an upgrade', async () => {
  expect(await problemsWith(authority.issue({ names }))).toEqual([])
})

test('signaling that never shakes hands is given up in time', async () => {
  await using server = await serveTcp(() => {})
  expect(await signaling(`wss://127.0.0.1:${server.port}`)).toMatchObject([{ kind: 'peer', fatal: true }])
  expect(await signaling(`ws://127.0.0.1:${server.port}`)).toEqual([])
})

test.each([
  ['ahead of', 10_000],
  ['behind', -10_000],
])('the clock is a note when it is a little %s ours', async (side, offset) => {
  const date = new Date(Date.now() + offset).toUTCString()
  await using server = await service({ [`POST ${path}`]: answering(200, { date }, '{"token":"opaque"}') })
  const [problem] = await mint(server.url)
  expect(problem).toMatchObject({ part: 'clock', kind: 'clock', fatal: false })
  expect(problem?.message).toMatch(
    new RegExp(String.raw`^the clock of the mint \(mint\.url\) is (8|9|10) s ${side} this machine's`),
  )
})

test('the clock is of something in between where the token says another time, or where the answer was stored', async () => {
  const payload = Buffer.from(JSON.stringify({ iat: Math.floor(Date.now() / 1000) })).toString('base64url')
  const date = new Date(Date.now() + 3_600_000).toUTCString()
  const answer = answering(200, { date }, `{"token":"eyJhbGciOiJIUzI1NiJ9.${payload}.c2lnbmF0dXJl"}`)
  await using between = await service({ [`POST ${path}`]: answer })
  const old = answering(200, { date, age: '3600' }, '{"token":"opaque"}')
  await using stored = await service({ [`POST ${path}`]: old })
  expect(await mint(between.url)).toMatchObject([{ kind: 'clock', fatal: false }])
  expect(await mint(stored.url)).toEqual([])
})

test('the clock is fine when it is off by less than 5 s, or unknown', async () => {
  const date = new Date(systemClock.wall() + 4000).toUTCString()
  await using near = await service({ [`POST ${path}`]: answering(200, { date }, '{"token":"opaque"}') })
  await using untold = await http((_, response) => {
    response.sendDate = false
    response.writeHead(200).end('{"token":"opaque"}')
  })
  expect(await mint(near.url)).toEqual([])
  expect(await mint(untold.url)).toEqual([])
})

test('keys of tokens are named when they cannot be loaded', async () => {
  const signWith = { alg: 'ES256', privateKey: '/nowhere/key.pem' } as const
  const token = { field: 'auto', userIdClaim: 'auto', jwks: '/nowhere/jwks.json', signWith } as const
  expect(await problemsOf({ token })).toMatchObject([
    { part: 'token', kind: 'url', fatal: true },
    { part: 'token', kind: 'credential', fatal: true },
  ])
})

test('only what will be judged is looked at, and what is not configured is no problem', async () => {
  const port = await closedPort()
  const down = { signaling: { url: `wss://127.0.0.1:${port}`, allowInsecureTransport: false } }
  expect(await problemsOf(down, ['mint'])).toEqual([])
  expect(await problemsOf({}, ['mint', 'backend', 'signaling', 'flow', 'client', 'bundle'])).toEqual([])
})

const now = 1_700_000_000_000
const clock = { wall: () => now, monotonic: () => 0, until: async () => undefined }
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const livesFor = (seconds: number, everySeconds?: number): ConfiguredSession => ({
  token: `${encoded({ alg: 'HS256' })}.${encoded({ exp: now / 1000 + seconds })}.${encoded({ signed: true })}`,
  userId: 'u',
  ...(everySeconds === undefined ? {} : { renewal: { command: 'login', everySeconds, obtainedAt: now } }),
})

const messagesFor = (alice: ConfiguredSession) =>
  findShortSessions({ url: 'https://a.example', method: 'POST', sessions: { alice } }, clock).map(
    ({ message, fatal }) => `${fatal} ${message}`,
  )

test.each([
  ['ends in a run', livesFor(60), ['false backend.sessions.alice ends in 60 s; expected a session that']],
  ['ends as a run begins', livesFor(20), ['true backend.sessions.alice ends in 20 s; expected a session']],
  ['ends before it is renewed', livesFor(20, 45), ['lives 20 s, and is renewed every 45 s; expected a']],
  ['outlives a run', livesFor(3600), []],
  ['is renewed in time', livesFor(20, 12), []],
  ['has ended already, which the backend says', livesFor(-5), []],
  ['says nothing', { token: 'opaque-session', userId: 'u' }, []],
])('a session that %s is named, or is not', (_, session, expected) => {
  expect(messagesFor(session)).toEqual(expected.map((text) => expect.stringContaining(text)))
})
