import { readdir, readFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startAdmin } from '../fixtures/console/api.ts'
import { startConsole } from '../fixtures/console/server.ts'
import { startHooks } from '../fixtures/hooks.ts'
import { startMint } from '../fixtures/mint/server.ts'
import { type Reference, startReference } from '../fixtures/stack.ts'
import { createLoopbackTls } from '../fixtures/tls.ts'
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
import type { Interaction } from './contracts/interaction.ts'
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
import { findFreePort } from './run/provision/engine/engine.ts'

const root = join(import.meta.dirname, '..')
const apiKey = `ac_live_${'d'.repeat(32)}`
const host = '127.0.0.1'

/** An open listener, and what it is for. */
interface Opened {
  /** An address that it serves. */
  readonly url: string
  /** Rejects where it does not serve what it is for. */
  ordinary(): Promise<void>
}

type Open = (stack: AsyncDisposableStack) => Promise<Opened>

/** The file is that which listens. */
type Subject = readonly [name: string, file: string, open: Open]

interface Asking {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const dispatcher = new Agent({ connect: { rejectUnauthorized: false }, pipelining: 0 })

async function ask(url: string, asking: Asking = {}) {
  const { statusCode, body } = await request(url, { dispatcher, ...asking })
  return { status: statusCode, text: await body.text() }
}

/** A listener that answers this status to this request. */
const answering = (status: number, url: string, asking?: Asking): Opened => ({
  url,
  async ordinary() {
    expect((await ask(url, asking)).status).toBe(status)
  },
})

const asBackend = (key: string): Asking => ({
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: '{"userId":"u-1"}',
})

const mintDouble =
  (isSecure: boolean): Open =>
  async (stack) => {
    const double = stack.use(
      await startMintDouble({
        fakeMint: { host, port: 0, tls: isSecure, apiKey },
        issuer: await createSigningIssuer(null, () => Date.now()),
        journal: createJournal(),
        secrets: createSecrets(),
        clock: systemClock,
        bodyBytes: 100_000,
        ...(isSecure ? { certificate: createLoopbackTls().server } : {}),
      }),
    )
    return answering(200, double.url + mintContract.path, asBackend(apiKey))
  }

/** The doubles of a program or a device, which is told where they are. */
const doubles =
  (isSecure: boolean): Open =>
  async (stack) => {
    const options = { ...createDoubleOptions(), spoken: null, open: {}, seesStatus: true }
    const context = await createClientContext(options)
    stack.defer(() => context.end())
    const { trafficHandler, signaling } = context
    const { backendUrl, signalingUrl } = stack.use(
      await startDoublesServer({ trafficHandler, signalingPath: signaling.path, tls: isSecure }),
    )
    return {
      url: backendUrl,
      async ordinary() {
        const headers = { authorization: 'Bearer s-1234567' }
        const { status, text } = await ask(backendUrl, { method: 'POST', headers })
        expect(status).toBe(200)
        const url = `${signalingUrl}?token=${JSON.parse(text).token}`
        const socket = new WebSocket(url, { rejectUnauthorized: false })
        await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
        socket.terminate()
      },
    }
  }

/** A part of the reference. */
const reference =
  (find: (parts: Reference) => Opened): Open =>
  async (stack) =>
    find(stack.use(await startReference({ withoutDouble: true, withClient: true })))

const jwksPath = '/.well-known/jwks.json'

const subjects: readonly Subject[] = [
  [
    'the recording proxy between two parts',
    'src/roles/flow/recording-proxy.ts',
    async (stack) => {
      const proxy = stack.use(await startRecordingProxy({ from: 'backend', to: 'mint', host }))
      proxy.forwardTo(stack.use(await startMint()).url)
      return answering(200, `http://${host}:${proxy.port}${jwksPath}`)
    },
  ],
  [
    'the server of recorded hops and logs',
    'src/base/http/serve-json.ts',
    async (stack) => answering(200, stack.use(await serveJson(() => [])).url),
  ],
  [
    "the hooks of the reference's operator",
    'fixtures/hooks.ts',
    async (stack) => {
      const told: string[] = []
      const note = (credential: string) => told.push(credential)
      const issuing = {
        issueKey: () => 'a-key',
        issueProjectKey: () => 'a-key',
        issueToken: async () => 'a-token',
      }
      const ending = { signOut: note, revokeKey: note, suspendProject: note, rotateKeys: note }
      const hooks = stack.use(await startHooks({ ...issuing, ...ending }))
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
  ['the mint double', 'src/roles/mint/double.ts', mintDouble(false)],
  ['the mint double with TLS', 'src/roles/mint/double.ts', mintDouble(true)],
  [
    'the origin that the mint double redirects to',
    'src/roles/mint/second-origin.ts',
    async (stack) => {
      const { port } = stack.use(
        await startSecondOrigin({
          host,
          certificate: undefined,
          journal: createJournal(),
          clock: systemClock,
          bodyBytes: 100_000,
        }),
      )
      return answering(404, `http://${host}:${port}/`)
    },
  ],
  ['the doubles of a device or a program', 'src/roles/client/doubles/doubles-server.ts', doubles(false)],
  ['the doubles with TLS', 'src/roles/client/doubles/doubles-server.ts', doubles(true)],
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
          const listener = { host, port: Number(new URL(address).port), isSecure: false }
          const bytes = 'GET http://shop.example/ HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n'
          // It is answered, however busy the machine is.
          const answer = await sendBytes(listener, bytes, 30_000)
          expect(answer).toMatch(/^HTTP\/1\.1 204 /)
          expect(asked.at(-1)?.href).toBe('http://shop.example/')
          for (const { protocol } of asked) expect(protocol).toMatch(/^(?:https?|wss?):$/)
        },
      }
    },
  ],
  [
    'the proxy of a device (--observe)',
    'src/roles/client/proxy/intercepting-proxy.ts',
    async (stack) => {
      const options = { ...createDoubleOptions(), routes: null, isFenced: true, spoken: null, open: {} }
      const context = await createClientContext({ ...options, seesStatus: true })
      stack.defer(() => context.end())
      const place = { host, port: await findFreePort(host), forwardUnread: [] }
      const { addresses } = stack.use(await startDeviceProxy(context, place, createAuthority()))
      const url = `http://${addresses[0]}${authorityPath}`
      return {
        url,
        async ordinary() {
          expect((await ask(url)).text).toContain('BEGIN CERTIFICATE')
          // Nothing of the machine that runs the suite, by whichever name.
          const local = ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0.0.0.0']
          for (const name of [...local, '169.254.169.254', '[fd00:ec2::254]']) {
            const request = `GET http://${name}:${place.port}/ HTTP/1.1\r\nHost: ${name}\r\n\r\n`
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
      const { url } = stack.use(await startMint())
      const relay = stack.use(
        await startRelay({
          to: 'mint',
          http: stack.use(
            createHttpClient({
              journal: createJournal(),
              clock: systemClock,
              deadlineMs: 5_000,
              bodyBytes: 100_000,
            }),
          ),
          handleState: async () => ({ kind: 'ready', values: {}, vouched: true }),
          interactions: [{ number: 1, status: 200 } as Interaction],
          provider: {
            target: (pathAndQuery) => url + pathAndQuery,
            methodFor: () => 'GET',
            complete: (request) => request,
          },
        }),
      )
      const headers = { 'x-twotoken-interaction': '1' }
      return answering(200, `http://${host}:${relay.port}${jwksPath}`, { headers })
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
    'fixtures/tls.ts',
    reference(({ mint }) => answering(200, mint.url + mintContract.path, asBackend(mint.keys.active))),
  ],
  [
    "the reference's backend",
    'fixtures/tls.ts',
    reference(({ backend: { tokenUrl, sessions } }) =>
      answering(200, tokenUrl, asBackend(sessions.alice.token)),
    ),
  ],
  [
    "the reference's signaling",
    'fixtures/signaling/server.ts',
    reference(({ signaling }) => answering(426, signaling.url.replace('wss', 'https'))),
  ],
  [
    "the reference's app",
    'fixtures/app/server.ts',
    reference(({ app, backend }) =>
      answering(200, app?.tokenUrl ?? '', asBackend(backend.sessions.alice.token)),
    ),
  ],
  [
    "the reference's console",
    'fixtures/console/server.ts',
    async (stack) => {
      const { url } = stack.use(await startConsole({ mint: stack.use(await startMint()) }))
      return answering(200, `${url}/api/projects`)
    },
  ],
  [
    "the console's entry to the mint",
    'fixtures/console/api.ts',
    async (stack) => {
      const mint = stack.use(await startMint())
      const port = await findFreePort(host)
      stack.use(await startAdmin({ mint, token: 'console-token', host, port }))
      const headers = { authorization: 'Bearer console-token' }
      return answering(200, `http://${host}:${port}/api/projects`, { headers })
    },
  ],
]

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
    const { hostname, port, host: own, pathname, protocol } = new URL(url)
    const listener = { host: hostname, port: Number(port), isSecure: protocol === 'https:' }
    for (const [name, bytes] of Object.entries(hostileRequests)) {
      uncaught.at(name)
      await sendBytes(listener, bytes({ own, canary: canary.address, path: pathname }))
    }
    await ordinary()
    expect(uncaught.errors).toEqual([])
    expect(await canary.connections()).toBe(0)
  },
)

/** Files that listen only for a moment, or not on a network. */
const exempt: Readonly<Record<string, string>> = {
  'src/run/provision/engine/engine.ts': 'listens for a moment, and closes every connection',
  'src/roles/mint/listen.ts': 'listens for a moment, and closes every connection',
  'fixtures/reserve-port.ts': 'keeps a port taken, and closes every connection',
  'src/roles/client/doubles/signaling-double.ts': 'serves sockets of the listeners above',
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
