import { writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { connect, type Server } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls, createServer as createTlsServer } from 'node:tls'
import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { createLoopbackTls } from '../../fixtures/tls.ts'
import { startListening } from '../base/http/listening.ts'
import { listening } from '../base/http/testing/serve.ts'
import { openTempFolder } from '../base/temp-folder.ts'
import { loadCatalogue } from '../catalogue/load-requirements.ts'
import { resolveConfiguration } from '../configuration/load.ts'
import { documentedExample, sectionOf } from '../configuration/testing/documented.ts'
import { runCheck } from '../requirement/run.ts'
import { openSession } from '../requirement/session.ts'
import { preflight } from './preflight/preflight.ts'

// The parts at addresses of their own, which ask for a certificate and which only a proxy knows.
const domain = 'acme.example'
const parts = ['mint', 'backend', 'signaling'] as const
const tls = createLoopbackTls({ names: parts.map((part) => `${part}.${domain}`) })
const password = 'open-sesame-4711'
const ids = ['MINT-03', 'MINT-23', 'BACK-01', 'BACK-18', 'SIG-02', 'FLOW-01']
const catalogue = (await loadCatalogue()).filter(({ id }) => ids.includes(id))
const direct = ['MINT-23', 'BACK-18']
const documented = await documentedExample('limits.md', 'tls.client')

/** In front of a part: TLS with a certificate of the client, and what it says to the part behind. */
function createGate(target: URL): Server {
  const gate = createTlsServer({ ...tls.server, ca: [tls.ca], requestCert: true, rejectUnauthorized: true })
  gate.on('secureConnection', (socket) => {
    const port = Number(target.port)
    const behind =
      target.protocol === 'wss:'
        ? connectTls({ port, host: '127.0.0.1', ca: [tls.ca], rejectUnauthorized: false })
        : connect({ port, host: '127.0.0.1' })
    for (const [one, other] of [
      [socket, behind],
      [behind, socket],
    ] as const) {
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
      one.pipe(other)
    }
  })
  return gate
}

/** A proxy that wants a password, and knows where the parts are. */
function createProxy(ports: ReadonlyMap<string, number>) {
  const asked: string[] = []
  const proxy = createHttpServer()
  proxy.on('connect', (request, socket) => {
    const [host = ''] = (request.url ?? '').split(':')
    const authorization = `Basic ${Buffer.from(`tester:${password}`).toString('base64')}`
    socket.on('error', () => socket.destroy())
    if (request.headers['proxy-authorization'] !== authorization)
      return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    asked.push(host)
    const tunnel = connect({ port: ports.get(host) ?? 1, host: '127.0.0.1' }, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      socket.pipe(tunnel).pipe(socket)
    })
    tunnel.on('error', () => socket.destroy()).on('close', () => socket.destroy())
    socket.on('close', () => tunnel.destroy())
  })
  return { proxy, asked }
}

async function judged({ host = '127.0.0.1', isProxied = false, change = {} }) {
  await using stack = new AsyncDisposableStack()
  const { path: directory } = stack.use(await openTempFolder())
  const reference = stack.use(await startReference({ withoutDouble: true }))
  const urls = {
    mint: new URL(reference.mint.url),
    backend: new URL(reference.backend.tokenUrl),
    signaling: new URL(reference.signaling.url),
  }
  const ports = new Map<string, number>()
  const outside = new Map<string, string>()
  for (const part of parts) {
    const { port } = stack.use(await startListening(createGate(urls[part]), { host, port: 0 }))
    ports.set(`${part}.${domain}`, port)
    const { protocol, pathname } = urls[part]
    const authority = isProxied ? `${part}.${domain}` : `${host.includes(':') ? `[${host}]` : host}:${port}`
    outside.set(
      part,
      `${protocol === 'wss:' ? 'wss' : 'https'}://${authority}${pathname.replace(/^\/$/, '')}`,
    )
  }
  const { proxy, asked } = createProxy(ports)
  const proxyPort = stack.use(await listening(proxy)).port
  const { client } = tls
  await writeFile(join(directory, 'ca.pem'), tls.ca)
  await writeFile(join(directory, 'client.pem'), client.cert)
  await writeFile(join(directory, 'client-key.pem'), client.key)
  const proxyUrl = `http://tester:${password}@127.0.0.1:${proxyPort}`
  const { written } = reference
  const configured = {
    mint: { ...sectionOf(written, 'mint'), url: outside.get('mint') },
    backend: { ...sectionOf(written, 'backend'), url: outside.get('backend') },
    signaling: { ...sectionOf(written, 'signaling'), url: outside.get('signaling') },
    tls: documented['tls'],
    ...(isProxied ? { proxy: { ...sectionOf(documented, 'proxy'), url: proxyUrl } } : {}),
    ...change,
  }
  const configuration = await resolveConfiguration(configured, { directory, environment: {} })
  const problems = await preflight(configuration, { parts: ['mint', 'backend', 'signaling'] })
  await using session = await openSession(configuration)
  const checks = problems.length > 0 ? [] : catalogue
  const results = await Promise.all(checks.map((check) => runCheck(check, session)))
  return {
    verdicts: results.map(({ id, verdict }) => `${id} ${verdict}`),
    problems: problems.map(({ message }) => message),
    asked: [...new Set(asked)].toSorted(),
    recorded: JSON.stringify([session.journal.drain(), results, problems]),
  }
}

const passed = ids.toSorted().map((id) => `${id} pass`)
const passedBehindProxy = ids.toSorted().map((id) => `${id} ${direct.includes(id) ? 'untested' : 'pass'}`)

test.each(['127.0.0.1', '::1'])(
  'parts at %s that ask for a certificate are judged with tls.client',
  async (host) => {
    const { verdicts, problems } = await judged({ host })
    expect([...verdicts.toSorted(), ...problems]).toEqual(passed)
  },
)

test('without it the preflight names what is missing', async () => {
  const { problems } = await judged({ change: { tls: { ca: 'ca.pem' } } })
  expect(problems.filter((message) => message.includes('set tls.client'))).toHaveLength(3)
})

test('parts behind a proxy are judged through it', async () => {
  const { verdicts, problems, asked, recorded } = await judged({ isProxied: true })
  expect([...verdicts.toSorted(), ...problems]).toEqual(passedBehindProxy)
  expect(asked).toEqual(parts.map((part) => `${part}.${domain}`).toSorted())
  expect(recorded).not.toContain(password)
})
