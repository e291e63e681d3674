import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Role } from '../check/check.ts'
import { systemClock } from '../clock/clock.ts'
import {
  type BackendConfiguration,
  type Configuration,
  defaultLimits,
  type MintConfiguration,
} from '../configuration/configuration.ts'
import { createAuthority, type ServerCertificate } from '../tls/certificates.ts'
import { preflight } from './preflight.ts'

const path = '/api/v1/calling/token'
const key = 'ac_live_4f9aB27cD1e80GhT55kLmN'
const page = '<!doctype html><title>hello</title>'

interface Started extends AsyncDisposable {
  readonly port: number
  readonly url: string
}

async function listening(server: Server, scheme: string, sockets: Set<Socket>): Promise<Started> {
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => socket.destroy())))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `${scheme}://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((done) => server.close(done))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

const http = (listener: RequestListener) => listening(createServer(listener), 'http', new Set())
const https = (certificate: ServerCertificate, listener: RequestListener) =>
  listening(createTlsServer(certificate, listener), 'https', new Set())
const tcp = (speak: (socket: Socket) => void) => listening(createTcpServer(speak), 'http', new Set())

type Routes = Readonly<
  Record<string, number | ((response: ServerResponse, request: IncomingMessage) => void)>
>

/** A service whose routes are `METHOD /path`; anything else is 404. */
function service(routes: Routes): Promise<Started> {
  return http((request, response) => {
    const route = routes[`${request.method} ${request.url}`] ?? 404
    request.resume()
    if (typeof route === 'number') response.writeHead(route).end('{}')
    else route(response, request)
  })
}

const token = (response: ServerResponse) => void response.writeHead(200).end('{"token":"opaque"}')

function configuration(parts: Partial<Configuration>): Configuration {
  return {
    name: 'test',
    directory: '/tmp',
    token: { field: 'auto', userIdClaim: 'auto' },
    absent: [],
    limits: { ...defaultLimits, requestSeconds: 0.4, bodyBytes: 10_000 },
    tls: {},
    waivers: [],
    ...parts,
  }
}

const problemsOf = (parts: Partial<Configuration>, roles: readonly Role[] = ['flow']) =>
  preflight(configuration(parts), { parts: roles })
const mint = (url: string, change: Partial<MintConfiguration> = {}) =>
  problemsOf({ mint: { url, apiKey: key, keys: {}, minTtlSeconds: 60, ...change } }, ['mint'])
const alice = { token: 'session-of-alice', userId: 'u-alice' }
const backend = (url: string, change: Partial<BackendConfiguration> = {}) =>
  problemsOf({ backend: { url, method: 'POST', sessions: { alice }, ...change } }, ['backend'])
const signaling = (url: string) =>
  problemsOf({ signaling: { url, allowInsecureTransport: false } }, ['signaling'])

async function closedPort(): Promise<number> {
  const server = await http(() => {})
  await server[Symbol.asyncDispose]()
  return server.port
}

describe('a mint that is reached and wrong is left to the requirements', () => {
  test.each([
    ['issues a token', { [`POST ${path}`]: token }],
    ['answers without a token', { [`POST ${path}`]: 200 }],
    ['answers 500', { [`POST ${path}`]: 500 }],
    ['answers 405', { [`POST ${path}`]: 405 }],
    ['answers 400 to everything', { [`POST ${path}`]: 400 }],
    [
      'redirects to a page elsewhere',
      {
        [`POST ${path}`]: (response: ServerResponse) =>
          void response.writeHead(302, { location: 'https://elsewhere.example/' }).end(),
      },
    ],
    ['takes GET only', { [`GET ${path}`]: token }],
    ['is at another version', { 'POST /api/v2/calling/token': 401 }],
    ['is at the path without a prefix', { 'POST /calling/token': token }],
    [
      'calls its JSON HTML',
      {
        [`POST ${path}`]: (response: ServerResponse) =>
          void response.writeHead(200, { 'content-type': 'text/html' }).end('{"token":"opaque"}'),
      },
    ],
  ])('one that %s', async (_, routes: Routes) => {
    await using server = await service(routes)
    expect(await mint(server.url)).toEqual([])
  })
})

describe('the address of the mint', () => {
  test('that is nowhere near one is wrong', async () => {
    await using server = await service({})
    expect(await mint(server.url)).toMatchObject([{ part: 'mint', kind: 'url', fatal: true }])
  })

  test('with a prefix too many is wrong, and the right one is named', async () => {
    await using server = await service({ [`POST ${path}`]: 401 })
    const [problem] = await mint(`${server.url}/api/v1`)
    expect(problem).toMatchObject({ kind: 'url', fatal: true })
    expect(problem?.message).toContain(`write ${server.url}`)
  })

  test('of a host that answers every path alike is wrong', async () => {
    await using server = await http((request, response) => {
      response.writeHead(request.method === 'GET' ? 200 : 404).end(page)
    })
    expect(await mint(server.url)).toMatchObject([{ kind: 'url', fatal: true }])
  })

  test('is not excused by the configured backend', async () => {
    await using server = await service({ 'POST /calling/token': token })
    const problems = await problemsOf(
      {
        mint: { url: server.url, apiKey: key, keys: {}, minTtlSeconds: 60 },
        backend: { url: `${server.url}/calling/token`, method: 'POST', sessions: { alice } },
      },
      ['mint'],
    )
    expect(problems).toMatchObject([{ part: 'mint', kind: 'url' }])
  })

  test('is searched for without the key', async () => {
    const keyed: string[] = []
    await using server = await http((request, response) => {
      if (request.headers.authorization !== undefined) keyed.push(request.url ?? '')
      response.writeHead(404).end()
    })
    await mint(`${server.url}/base`)
    expect(keyed).toEqual([`/base${path}`])
  })

  test.each([
    ['a web page', (response: ServerResponse) => response.end(page)],
    [
      'a redirect to the same path of another origin',
      (response: ServerResponse) =>
        response.writeHead(308, { location: `https://elsewhere.example${path}` }).end(),
    ],
    [
      'the complaint of a TLS port',
      (response: ServerResponse) =>
        response.writeHead(400).end('<html>400 The plain HTTP request was sent to HTTPS port</html>'),
    ],
  ])('that answers with %s is wrong', async (_, answer) => {
    await using server = await service({ [`POST ${path}`]: (response) => void answer(response) })
    expect(await mint(server.url)).toMatchObject([{ part: 'mint', kind: 'url', fatal: true }])
  })
})

describe('the key', () => {
  test.each([401, 402, 403, 429])('that is answered %i is named, and not shown', async (status) => {
    await using server = await service({ [`POST ${path}`]: status })
    const [problem] = await mint(server.url)
    expect(problem).toMatchObject({ part: 'mint', kind: 'key', fatal: true })
    expect(problem?.message).toContain(`answered ${status}`)
    expect(problem?.message).not.toContain(key)
  })

  test('is found out although the mint refuses the lifetime first', async () => {
    let calls = 0
    await using server = await service({
      [`POST ${path}`]: (response) => void response.writeHead(++calls === 1 ? 400 : 401).end(),
    })
    expect(await mint(server.url)).toMatchObject([{ kind: 'key' }])
  })

  test('that is blank is not tried', async () => {
    await using server = await service({ [`POST ${path}`]: 401 })
    expect(await mint(server.url, { apiKey: ' ' })).toMatchObject([
      {
        part: 'mint',
        kind: 'credential',
        fatal: true,
        message: expect.stringContaining('mint.apiKey is blank'),
      },
    ])
  })
})

describe('a peer without an answer', () => {
  test('nobody listens', async () => {
    const port = await closedPort()
    expect(await mint(`http://127.0.0.1:${port}`)).toMatchObject([{ kind: 'refused', fatal: true }])
    expect(await backend(`http://127.0.0.1:${port}/`)).toMatchObject([{ part: 'backend', kind: 'refused' }])
    expect(await signaling(`wss://127.0.0.1:${port}`)).toMatchObject([{ part: 'signaling', kind: 'refused' }])
    expect(await signaling(`ws://127.0.0.1:${port}`)).toMatchObject([{ part: 'signaling', kind: 'refused' }])
  })

  test('the name does not resolve', async () => {
    expect(await mint('http://nowhere.invalid')).toMatchObject([{ kind: 'name', fatal: true }])
    expect(await signaling('wss://nowhere.invalid')).toMatchObject([{ part: 'signaling', kind: 'name' }])
  })

  test.each<[string, (socket: Socket) => void]>([
    ['it hangs', () => {}],
    ['it closes at once', (socket) => socket.destroy()],
    ['it cuts off', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"tok')],
    ['it speaks something else', (socket) => socket.end('220 mail ready\r\n')],
    ['it floods', (socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(20_000)}`)],
  ])('%s', async (_, speak) => {
    await using server = await tcp((socket) => void socket.once('data', () => speak(socket)))
    expect(await mint(server.url)).toMatchObject([{ part: 'mint', kind: 'peer', fatal: true }])
  })

  test.each([502, 503, 504])('a gateway answers %i', async (status) => {
    await using server = await service({ [`POST ${path}`]: status })
    expect(await mint(server.url)).toMatchObject([{ kind: 'peer', fatal: true }])
  })
})

describe('TLS that does not hold', () => {
  const authority = createAuthority()
  const names = ['127.0.0.1']
  const ca = authority.certificate

  test.each([
    [
      'expired',
      authority.issue({ names, validFrom: new Date('2020-01-01'), validTo: new Date('2020-02-01') }),
    ],
    ['another name', authority.issue({ names: ['elsewhere.example'] })],
    ['not known here', createAuthority().issue({ names })],
  ])('says that the certificate is of this kind: %s', async (kind, certificate) => {
    await using file = await authorityFile(ca)
    await using server = await https(certificate, (_, response) => void token(response))
    const problems = await problemsOf({
      mint: { url: server.url, apiKey: key, keys: {}, minTtlSeconds: 60 },
      signaling: { url: `wss://127.0.0.1:${server.port}/ws`, allowInsecureTransport: false },
      tls: { ca: file.path },
    })
    expect(problems).toMatchObject([
      { part: 'mint', kind: 'tls', fatal: true, message: expect.stringContaining(kind) },
      { part: 'signaling', kind: 'tls', fatal: true, message: expect.stringContaining(kind) },
    ])
  })

  test('a certificate of the named authority holds, whatever signaling answers to an upgrade', async () => {
    await using file = await authorityFile(ca)
    await using server = await https(authority.issue({ names }), (_, response) => void token(response))
    const problems = await problemsOf({
      mint: { url: server.url, apiKey: key, keys: {}, minTtlSeconds: 60 },
      signaling: { url: `wss://127.0.0.1:${server.port}/ws`, allowInsecureTransport: false },
      tls: { ca: file.path },
    })
    expect(problems).toEqual([])
  })

  test('signaling that never shakes hands is given up in time', async () => {
    await using server = await tcp(() => {})
    expect(await signaling(`wss://127.0.0.1:${server.port}`)).toMatchObject([{ kind: 'peer', fatal: true }])
    expect(await signaling(`ws://127.0.0.1:${server.port}`)).toEqual([])
  })
})

describe('the backend', () => {
  test.each([
    ['answers with a token', 200],
    ['answers 502, as without its mint', 502],
    ['answers 500', 500],
    ['answers 405', 405],
  ])('that %s is judged', async (_, status) => {
    await using server = await service({ 'POST /calling/token': status })
    expect(await backend(`${server.url}/calling/token`)).toEqual([])
  })

  test.each([401, 403])('that answers alice %i has no session for her', async (status) => {
    await using server = await service({ 'POST /calling/token': status })
    const [problem] = await backend(`${server.url}/calling/token`)
    expect(problem).toMatchObject({ part: 'backend', kind: 'session', fatal: true })
    expect(problem?.message).not.toContain(alice.token)
  })

  test('that sends alice where it sends strangers has no session for her', async () => {
    await using server = await service({
      'POST /calling/token': (response) => void response.writeHead(302, { location: '/login' }).end(),
    })
    expect(await backend(`${server.url}/calling/token`)).toMatchObject([{ kind: 'session', fatal: true }])
  })

  test.each<[string, Routes[string]]>([
    ['404', 404],
    ['a web page', (response) => void response.end(page)],
  ])('that answers %s is at another address', async (_, route) => {
    await using server = await service({ 'POST /calling/token': route })
    expect(await backend(`${server.url}/calling/token`)).toMatchObject([
      { part: 'backend', kind: 'url', fatal: true },
    ])
  })

  test('without a session of alice is noted, since nothing of it can be judged', async () => {
    await using server = await service({ 'POST /calling/token': 401 })
    expect(await backend(`${server.url}/calling/token`, { sessions: {} })).toMatchObject([
      { part: 'backend', kind: 'session', fatal: false },
    ])
  })

  test('that hangs without its mint double is judged when it answers strangers', async () => {
    await using server = await service({
      'POST /calling/token': (response, { headers }) => {
        if (headers.authorization === undefined) response.writeHead(401).end()
      },
    })
    const fakeMint = { host: '127.0.0.1', port: await closedPort(), tls: false, apiKey: key }
    expect(await backend(`${server.url}/calling/token`, { fakeMint })).toEqual([])
    expect(await backend(`${server.url}/calling/token`)).toMatchObject([{ kind: 'peer', fatal: true }])
  })

  test('that answers 401 because it gets no token from the mint is judged', async () => {
    const port = await closedPort()
    await using server = await service({
      'POST /calling/token': (response) =>
        void fetch(`http://127.0.0.1:${port}`).catch(() => response.writeHead(401).end()),
    })
    const fakeMint = { host: '127.0.0.1', port, tls: false, apiKey: key }
    expect(await backend(`${server.url}/calling/token`, { fakeMint })).toEqual([])
  })

  test('that answers 401 without asking the mint has no session for alice', async () => {
    await using server = await service({ 'POST /calling/token': 401 })
    const fakeMint = { host: '127.0.0.1', port: await closedPort(), tls: false, apiKey: key }
    expect(await backend(`${server.url}/calling/token`, { fakeMint })).toMatchObject([{ kind: 'session' }])
  })

  test('whose mint double finds its port taken cannot be judged', async () => {
    await using server = await service({ 'POST /calling/token': 502 })
    await using squatter = await service({})
    const fakeMint = { host: '127.0.0.1', port: squatter.port, tls: false, apiKey: key }
    expect(await backend(`${server.url}/calling/token`, { fakeMint })).toMatchObject([
      {
        part: 'backend',
        kind: 'port',
        fatal: true,
        message: expect.stringContaining(`:${squatter.port} is already taken`),
      },
    ])
  })
})

describe('the clock', () => {
  test.each([
    ['ahead of', 60_000],
    ['behind', -60_000],
  ])('that is %s ours is a warning', async (side, offset) => {
    await using server = await http((_, response) => {
      response.writeHead(200, { date: new Date(Date.now() + offset).toUTCString() }).end('{}')
    })
    const [problem] = await mint(server.url)
    expect(problem).toMatchObject({ part: 'clock', kind: 'clock', fatal: false })
    expect(problem?.message).toMatch(new RegExp(`^the clock of the mint is (59|60) s ${side} this machine's`))
  })

  test('that is off by less than 5 s, or not told, is fine', async () => {
    await using near = await http((_, response) => {
      response.writeHead(200, { date: new Date(systemClock.wall() + 4000).toUTCString() }).end('{}')
    })
    await using untold = await http((_, response) => {
      response.sendDate = false
      response.writeHead(200).end('{}')
    })
    expect(await mint(near.url)).toEqual([])
    expect(await mint(untold.url)).toEqual([])
  })
})

describe('keys of tokens', () => {
  test('that cannot be had are named', async () => {
    const problems = await problemsOf({
      token: {
        field: 'auto',
        userIdClaim: 'auto',
        jwks: '/nowhere/jwks.json',
        signWith: { alg: 'ES256', privateKey: '/nowhere/key.pem' },
      },
    })
    expect(problems).toMatchObject([
      { part: 'token', kind: 'url', fatal: false },
      { part: 'token', kind: 'credential', fatal: true },
    ])
  })
})

test('only what will be judged is looked at, and what is not configured is no problem', async () => {
  const port = await closedPort()
  const down = { signaling: { url: `wss://127.0.0.1:${port}`, allowInsecureTransport: false } }
  expect(await problemsOf(down, ['mint'])).toEqual([])
  expect(await problemsOf({}, ['mint', 'backend', 'signaling', 'flow', 'client', 'bundle'])).toEqual([])
})

async function authorityFile(text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'twotoken-test-'))
  await writeFile(join(folder, 'ca.pem'), text)
  return { path: join(folder, 'ca.pem'), [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}
