import { readdir, readFile } from 'node:fs/promises'
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startApp } from '../fixtures/app/server.ts'
import { startBackend } from '../fixtures/backend/server.ts'
import { startAdmin } from '../fixtures/console/admin.ts'
import { startConsole } from '../fixtures/console/server.ts'
import { startHooks } from '../fixtures/hooks.ts'
import { startMint } from '../fixtures/mint/server.ts'
import { startSignaling } from '../fixtures/signaling/server.ts'
import { createLoopbackTls } from '../fixtures/tls/loopback.ts'
import { startCallbackListener } from '../suites/signaling/lib/callback-listener.ts'
import { systemClock } from './base/clock.ts'
import { createJournal } from './base/evidence/exchange.ts'
import { createSecrets } from './base/evidence/secrets.ts'
import { createHttpClient } from './base/http/client.ts'
import { serveJson } from './base/http/serve-json.ts'
import { hostileRequests, sendBytes } from './base/http/testing/hostile-requests.ts'
import { listening } from './base/http/testing/serve.ts'
import { createAuthority } from './base/tls/certificates.ts'
import { createUntrustedSigner } from './base/tokens/forge-untrusted.ts'
import { mintContract } from './contract/mint.ts'
import { startRelay } from './contracts/relay.ts'
import { createClientContext } from './roles/client/client-context.ts'
import { authorityPath, startDeviceProxy } from './roles/client/device/device-proxy.ts'
import { startDoublesServer } from './roles/client/doubles/doubles-server.ts'
import { createIdentities, startProxy } from './roles/client/proxy/intercepting-proxy.ts'
import { createDoubleOptions } from './roles/client/testing/double-options.ts'
import { startRecordingProxy } from './roles/flow/recording-proxy.ts'
import { startMintDouble } from './roles/mint/double.ts'
import { createSigningIssuer } from './roles/mint/issuer.ts'
import { startSecondOrigin } from './roles/mint/second-origin.ts'
import { findFreePort } from './run/provision/engine/local-address.ts'

const root = join(import.meta.dirname, '..')
const tls = createLoopbackTls()
const apiKey = `ac_live_${'d'.repeat(32)}`

/** An open listener, and what it is for. */
interface Opened {
  /** An address that it serves. */
  readonly url: string
  /** Rejects where it does not serve what it is for. */
  ordinary(): Promise<void>
}

/** The file is that which listens. */
type Subject = readonly [name: string, file: string, open: (stack: AsyncDisposableStack) => Promise<Opened>]

interface Asking {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

function ask(url: string, { method = 'GET', headers = {}, body = '' }: Asking = {}) {
  return new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const send = url.startsWith('https:') ? requestTls : requestPlain
    const options = { method, headers, agent: false, rejectUnauthorized: false }
    const sent = send(url, options, (answer: IncomingMessage) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      answer.once('error', reject)
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** Serves what answers this status to this request. */
const serving = (status: number, url: string, asking?: Asking) => async (): Promise<void> => {
  expect((await ask(url, asking)).status).toBe(status)
}

const asBackend = (key: string): Asking => ({
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: '{"userId":"u-1"}',
})

async function mintDouble(stack: AsyncDisposableStack, isSecure: boolean): Promise<Opened> {
  const double = stack.use(
    await startMintDouble({
      fakeMint: { host: '127.0.0.1', port: 0, tls: isSecure, apiKey },
      issuer: await createSigningIssuer(null, () => Date.now()),
      journal: createJournal(),
      secrets: createSecrets(),
      clock: systemClock,
      bodyBytes: 100_000,
      ...(isSecure ? { certificate: tls.server } : {}),
    }),
  )
  return {
    url: double.url + mintContract.path,
    ordinary: serving(200, double.url + mintContract.path, asBackend(apiKey)),
  }
}

/** The doubles of a program or a device, which is told where they are. */
async function doubles(stack: AsyncDisposableStack, isSecure: boolean): Promise<Opened> {
  const context = await createClientContext({
    ...createDoubleOptions(),
    spoken: null,
    open: {},
    seesStatus: true,
  })
  stack.defer(() => context.end())
  const { backendUrl, signalingUrl } = stack.use(
    await startDoublesServer({
      trafficHandler: context.trafficHandler,
      signalingPath: context.signaling.path,
      tls: isSecure,
    }),
  )
  return {
    url: backendUrl,
    async ordinary() {
      const { status, text } = await ask(backendUrl, {
        method: 'POST',
        headers: { authorization: 'Bearer s-1234567' },
      })
      expect(status).toBe(200)
      const { token } = JSON.parse(text) as { token: string }
      await connected(`${signalingUrl}?token=${token}`)
    },
  }
}

/** Resolves once the socket is open. */
async function connected(url: string, protocols: readonly string[] = []): Promise<void> {
  const socket = new WebSocket(url, [...protocols], { rejectUnauthorized: false })
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  socket.terminate()
}

/** A peer that is behind a recording proxy. */
async function startPeer(stack: AsyncDisposableStack): Promise<string> {
  const mint = stack.use(await startMint())
  return mint.url
}

const jwksPath = '/.well-known/jwks.json'

const subjects: readonly Subject[] = [
  [
    'the recording proxy between two parts',
    'src/roles/flow/recording-proxy.ts',
    async (stack) => {
      const proxy = stack.use(await startRecordingProxy({ from: 'backend', to: 'mint', host: '127.0.0.1' }))
      proxy.forwardTo(await startPeer(stack))
      const url = `http://127.0.0.1:${proxy.port}${jwksPath}`
      return { url, ordinary: serving(200, url) }
    },
  ],
  [
    'the server of recorded hops and logs',
    'src/base/http/serve-json.ts',
    async (stack) => {
      const { url } = stack.use(await serveJson(() => []))
      return { url, ordinary: serving(200, url) }
    },
  ],
  [
    "the hooks of the reference's operator",
    'fixtures/hooks.ts',
    async (stack) => {
      const told: string[] = []
      const note = (credential: string) => told.push(credential)
      const operations = {
        signOut: note,
        revokeKey: note,
        suspendProject: note,
        rotateKeys: note,
        issueKey: () => 'a-key',
        issueProjectKey: () => 'a-key',
        issueToken: async () => 'a-token',
      }
      const hooks = stack.use(await startHooks(operations))
      const url = hooks.written.signOut.command.split(' ').at(-1) ?? ''
      return {
        url: new URL('/signOut', url).href,
        async ordinary() {
          expect((await ask(url, { method: 'POST', body: 'session-of-alice' })).status).toBe(204)
          expect(told).toEqual(['session-of-alice'])
        },
      }
    },
  ],
  ['the mint double', 'src/roles/mint/double.ts', (stack) => mintDouble(stack, false)],
  ['the mint double with TLS', 'src/roles/mint/double.ts', (stack) => mintDouble(stack, true)],
  [
    'the origin that the mint double redirects to',
    'src/roles/mint/second-origin.ts',
    async (stack) => {
      const { port } = stack.use(
        await startSecondOrigin({
          host: '127.0.0.1',
          certificate: undefined,
          journal: createJournal(),
          clock: systemClock,
          runStart: systemClock.monotonic(),
          bodyBytes: 100_000,
        }),
      )
      const url = `http://127.0.0.1:${port}/`
      return { url, ordinary: serving(404, url) }
    },
  ],
  [
    'the doubles of a device (--observe) or a program',
    'src/roles/client/doubles/doubles-server.ts',
    (stack) => doubles(stack, false),
  ],
  [
    'the doubles of a device (--observe) or a program, with TLS',
    'src/roles/client/doubles/doubles-server.ts',
    (stack) => doubles(stack, true),
  ],
  [
    "the browser's proxy",
    'src/roles/client/proxy/intercepting-proxy.ts',
    async (stack) => {
      const asked: URL[] = []
      const identities = createIdentities(createAuthority())
      const { address } = stack.use(
        await startProxy(identities, {
          connecting: () => undefined,
          request(url, request, response) {
            asked.push(url)
            request.resume()
            response.writeHead(204).end()
          },
          upgrade(url, _request, stream) {
            asked.push(url)
            stream.destroy()
          },
        }),
      )
      return {
        url: `${address}/`,
        async ordinary() {
          const answer = await sendBytes(
            { host: '127.0.0.1', port: Number(new URL(address).port), isSecure: false },
            'GET http://shop.example/ HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n',
            // It is answered, however busy the machine is.
            30_000,
          )
          expect(answer).toMatch(/^HTTP\/1\.1 204 /)
          expect(asked.at(-1)?.href).toBe('http://shop.example/')
          expect(
            asked.map(({ protocol }) => protocol).filter((one) => !/^(?:https?|wss?):$/.test(one)),
          ).toEqual([])
        },
      }
    },
  ],
  [
    'the proxy of a device (--observe)',
    'src/roles/client/proxy/intercepting-proxy.ts',
    async (stack) => {
      const context = await createClientContext({
        ...createDoubleOptions(),
        routes: null,
        isFenced: true,
        spoken: null,
        open: {},
        seesStatus: true,
      })
      stack.defer(() => context.end())
      const place = { host: '127.0.0.1', port: await findFreePort('127.0.0.1'), forwardUnread: [] }
      const { addresses } = stack.use(await startDeviceProxy(context, place, createAuthority()))
      const url = `http://${addresses[0]}${authorityPath}`
      return {
        url,
        async ordinary() {
          expect((await ask(url)).text).toContain('BEGIN CERTIFICATE')
          // Nothing of the machine that runs the suite, by whichever name.
          for (const host of [
            '127.0.0.1',
            'localhost',
            '[::ffff:127.0.0.1]',
            '0.0.0.0',
            '169.254.169.254',
            '[fd00:ec2::254]',
          ]) {
            const request = `GET http://${host}:${place.port}/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`
            expect(await sendBytes({ ...place, isSecure: false }, request)).toBe('')
          }
        },
      }
    },
  ],
  [
    'the relay between the Pact core and a provider',
    'src/contracts/relay.ts',
    async (stack) => {
      const peer = await startPeer(stack)
      const http = stack.use(
        createHttpClient({
          journal: createJournal(),
          clock: systemClock,
          deadlineMs: 5_000,
          bodyBytes: 100_000,
        }),
      )
      const relay = stack.use(
        await startRelay({
          to: 'mint',
          http,
          handleState: async () => ({ kind: 'ready', values: {}, vouched: true }),
          interactions: [interaction],
          provider: {
            target: (pathAndQuery) => peer + pathAndQuery,
            methodFor: ({ method }) => method,
            complete: (request) => request,
          },
        }),
      )
      const url = `http://127.0.0.1:${relay.port}${jwksPath}`
      return { url, ordinary: serving(200, url, { headers: { 'x-twotoken-interaction': '1' } }) }
    },
  ],
  [
    'the listener for URLs of forged headers',
    'suites/signaling/lib/callback-listener.ts',
    async (stack) => {
      const listener = stack.use(await startCallbackListener(await createUntrustedSigner('ES256')))
      return {
        // A client that guesses a path is no service that has read a forged header.
        url: new URL('/jwks.json', listener.jwksUrl).href,
        async ordinary() {
          expect(listener.requestedPaths()).toEqual([])
          expect((await ask(listener.jwksUrl)).text).toContain('"keys"')
          expect(listener.requestedPaths()).toHaveLength(1)
        },
      }
    },
  ],
  [
    "the reference's mint",
    'fixtures/tls/door.ts',
    async (stack) => {
      const mint = stack.use(await startMint())
      const url = mint.url + mintContract.path
      return { url, ordinary: serving(200, url, asBackend(mint.keys.active)) }
    },
  ],
  [
    "the reference's backend",
    'fixtures/tls/door.ts',
    async (stack) => {
      const mint = stack.use(await startMint())
      const backend = stack.use(await startBackend({ mintUrl: mint.url, apiKey: mint.keys.active }))
      return {
        url: backend.tokenUrl,
        ordinary: serving(200, backend.tokenUrl, asBackend(backend.sessions.alice.token)),
      }
    },
  ],
  [
    "the reference's signaling",
    'fixtures/signaling/server.ts',
    async (stack) => {
      const mint = stack.use(await startMint())
      const signaling = stack.use(await startSignaling({ jwksUrl: mint.jwksUrl, tls: tls.server }))
      const url = signaling.url.replace('wss', 'https')
      return { url, ordinary: serving(426, url) }
    },
  ],
  [
    "the reference's app",
    'fixtures/app/server.ts',
    async (stack) => {
      const mint = stack.use(await startMint())
      const backend = stack.use(await startBackend({ mintUrl: mint.url, apiKey: mint.keys.active }))
      const signaling = stack.use(await startSignaling({ jwksUrl: mint.jwksUrl, tls: tls.server }))
      const app = stack.use(
        await startApp({
          folder: import.meta.dirname,
          backendUrl: backend.url,
          signaling: { url: signaling.url, ca: tls.ca },
        }),
      )
      return {
        url: app.tokenUrl,
        ordinary: serving(200, app.tokenUrl, asBackend(backend.sessions.alice.token)),
      }
    },
  ],
  [
    "the reference's console",
    'fixtures/console/server.ts',
    async (stack) => {
      const mint = stack.use(await startMint())
      const { url } = stack.use(await startConsole({ mint }))
      return { url: `${url}/api/projects`, ordinary: serving(200, `${url}/api/projects`) }
    },
  ],
  [
    "the console's entry to the mint",
    'fixtures/console/admin.ts',
    async (stack) => {
      const mint = stack.use(await startMint())
      const port = await findFreePort('127.0.0.1')
      stack.use(await startAdmin({ mint, token: 'console-token', host: '127.0.0.1', port }))
      const url = `http://127.0.0.1:${port}/api/projects`
      return { url, ordinary: serving(200, url, { headers: { authorization: 'Bearer console-token' } }) }
    },
  ],
]

const interaction = {
  number: 1,
  pact: {} as never,
  source: {} as never,
  id: 'PACT',
  requirements: [],
  clauses: [],
  level: 'MUST',
  own: false,
  method: 'GET',
  status: 200,
  states: [],
  injected: [],
} as const

/** A server that counts who connects to it. */
async function startCanary(stack: AsyncDisposableStack) {
  let count = 0
  const server = createServer((socket) => {
    count += 1
    socket.on('error', () => socket.destroy())
  })
  const { port } = stack.use(await listening(server))
  return {
    address: `127.0.0.1:${port}`,
    /** The connections so far. One of its own comes last: the system accepts them in their order. */
    async connections(): Promise<number> {
      const own = connect(port, '127.0.0.1')
      const last = new Promise((done) => server.once('connection', done))
      await last
      own.destroy()
      return count - 1
    },
  }
}

/** Records each error that would have ended the process, with the request at which it was thrown. */
function watchUncaught(stack: AsyncDisposableStack): { at(name: string): void; readonly errors: string[] } {
  const errors: string[] = []
  let current = ''
  const note = (error: unknown) => {
    errors.push(`${current}: ${error instanceof Error ? error.message : String(error)}`)
  }
  process.on('uncaughtExceptionMonitor', note)
  stack.defer(() => void process.off('uncaughtExceptionMonitor', note))
  return {
    errors,
    at(name) {
      current = name
    },
  }
}

test.each(subjects)(
  '%s serves on after every hostile request, and connects to nothing else',
  async (_, __, open) => {
    await using stack = new AsyncDisposableStack()
    const canary = await startCanary(stack)
    const uncaught = watchUncaught(stack)
    const { url, ordinary } = await open(stack)
    const { hostname, port, host, pathname, protocol } = new URL(url)
    const listener = { host: hostname, port: Number(port), isSecure: protocol === 'https:' }
    for (const [name, bytes] of Object.entries(hostileRequests)) {
      uncaught.at(name)
      await sendBytes(listener, bytes({ own: host, canary: canary.address, path: pathname }))
    }
    await ordinary()
    expect(uncaught.errors).toEqual([])
    expect(await canary.connections()).toBe(0)
  },
)

/** Files that listen only for a moment, or not on a network. */
const exempt: Readonly<Record<string, string>> = {
  'src/base/process-lock.ts': 'an abstract socket of Linux, from which nothing is read',
  'src/run/provision/engine/local-address.ts': 'listens for a moment, and closes every connection',
  'src/roles/mint/listen.ts': 'listens for a moment, and closes every connection',
  'fixtures/reserve-port.ts': 'keeps a port taken, and closes every connection',
  'src/roles/client/doubles/signaling-double.ts': 'serves sockets of the listeners above',
  'src/roles/client/doubles/adapter-relay.ts': 'serves sockets of the listeners above',
  'src/roles/client/doubles/other-traffic.ts': 'serves sockets of the listeners above',
  'src/roles/client/proxy/forward-proxy.ts': 'serves sockets of the listeners above',
}

test('no file of the package listens without such a test', async () => {
  const folders = ['src', 'suites', 'fixtures']
  const development = /\.test\.ts$|\.docker\.ts$|\/testing\/|^src\/proof\/|^fixtures\/(?:package|servers)\//
  const listening: string[] = []
  for (const folder of folders)
    for (const name of await readdir(join(root, folder), { recursive: true })) {
      const file = `${folder}/${name}`
      if (!name.endsWith('.ts') || development.test(file)) continue
      const text = await readFile(join(root, file), 'utf8')
      if (
        /\b(?:createServer|createTlsServer|createSecureServer|WebSocketServer|createHttp2Server)\(/.test(text)
      )
        listening.push(file)
    }
  const known = [...new Set([...subjects.map(([, file]) => file), ...Object.keys(exempt)])]
  expect(listening.toSorted()).toEqual(known.toSorted())
})
