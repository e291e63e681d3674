import { execFile, spawn } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { expect, test } from 'vitest'
import { reservePort } from '../../fixtures/reserve-port.ts'
import { startListening } from '../base/http/listening.ts'
import { openTempFolder } from '../base/temp-folder.ts'
import { findCheck, loadCatalogue } from '../catalogue/load-requirements.ts'
import { resolveConfiguration } from '../configuration/load.ts'
import { type CheckResult, runCheck } from '../requirement/run.ts'
import { openSession } from '../requirement/session.ts'
import type { DeviceOperator } from '../roles/client/device/device.ts'
import { unpackShippedBrowser } from '../roles/client/page/shipped-browser.ts'

const catalogue = await loadCatalogue(['client'])
const devices = join(import.meta.dirname, '../../fixtures/devices')
/** Commands that start each device, but for Chromium. */
const commands = {
  curl: ['sh', join(devices, 'device.sh')],
  python: ['python3', join(devices, 'device.py')],
  node: [process.execPath, join(devices, 'device.ts')],
} as const

interface Behind {
  readonly device: keyof typeof commands | 'chromium'
  readonly fault?: string
  /** It was never told to trust the authority. */
  readonly distrusts?: boolean
  readonly observe?: Readonly<Record<string, unknown>>
}

/** Judges one requirement on a device that an operator leads as the console says. */
async function judge(id: string, { device, fault = '', distrusts, observe }: Behind): Promise<CheckResult> {
  await using folder = await openTempFolder()
  await using shop = await startShop()
  await using reserved = await reservePort()
  const proxy = `127.0.0.1:${reserved.port}`
  const configuration = await resolveConfiguration(
    { ...written, client: { ...written.client, ownHosts: [shop.host], observe: { proxy, ...observe } } },
    { directory: folder.path, environment: {} },
  )
  const caFile = join(folder.path, 'ca.pem')
  await using person = createOperator({
    proxy,
    caFile,
    start: () =>
      device === 'chromium'
        ? startChromium({ proxy, caFile, fault, url: `http://${shop.host}/` })
        : startProcess([...commands[device], fault, proxy, ...(distrusts === true ? [] : [caFile])]),
  })
  await using session = await openSession(configuration, { operator: person.operator })
  return await runCheck(findCheck(id, catalogue), session)
}

const written = {
  backend: { url: 'https://api.shop.test/calling/token', method: 'POST', sessions: {} },
  signaling: {
    url: 'wss://signal.calling.test/ws',
    profile: {
      carriage: { in: 'query', name: 'token' },
      declaredUser: { in: 'query', name: 'as' },
      success: [{ frame: { path: '$.type', equals: 'welcome' } }],
      failure: [{ http: [401] }, { close: [4401] }],
      unauthorized: [{ http: [401] }, { close: [4401] }],
    },
  },
  bundle: { paths: ['.'], mintHost: 'mint.calling.test' },
  client: { users: { alice: { userId: 'u-alice' }, bob: { userId: 'u-bob' } } },
  limits: { clientSettleSeconds: 5, reconnectSeconds: 5 },
}

/** The app of a device. */
interface App {
  do(...words: readonly string[]): Promise<void>
  end(): Promise<void>
}

function startProcess([file = '', ...args]: readonly string[]): App {
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async do(...words) {
      child.stdin.write(`${words.join(' ')}\n`)
      await lines.next()
    },
    async end() {
      const ended = once(child, 'exit')
      child.stdin.end()
      await ended
    },
  }
}

/** The page of the customer, which the proxy forwards to. */
async function startShop() {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>shop</title>')
  })
  const listening = await startListening(server, { host: '127.0.0.1', port: 0 })
  return {
    host: `127.0.0.1:${listening.port}`,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
}

interface ChromiumOptions {
  readonly proxy: string
  readonly caFile: string
  readonly fault: string
  readonly url: string
}

async function startChromium({ proxy, caFile, fault, url }: ChromiumOptions): Promise<App> {
  const { publicKey } = new X509Certificate(await readFile(caFile))
  const pin = createHash('sha256').update(publicKey.export({ type: 'spki', format: 'der' }))
  const browser = await chromium.launch({
    executablePath: (await unpackShippedBrowser()) ?? '',
    chromiumSandbox: false,
    args: [
      '--disable-background-networking',
      `--ignore-certificate-errors-spki-list=${pin.digest('base64')}`,
    ],
  })
  const page = await browser.newPage({ proxy: { server: `http://${proxy}`, bypass: '<-loopback>' } })
  await page.goto(url)
  let user = ['', '']
  return {
    async do(action, ...rest) {
      if (action === 'signIn') user = rest
      await page.evaluate(
        async ({ action, fault, user: [name, userId] }) => {
          const app = globalThis as unknown as { socket?: WebSocket }
          const left = app.socket
          Reflect.deleteProperty(app, 'socket')
          left?.close()
          const connect = async () => {
            const response = await fetch('https://api.shop.test/calling/token', {
              method: 'POST',
              headers: { authorization: `Bearer session-of-${name}-6f1c2b` },
            })
            const { token } = (await response.json()) as { token: string }
            if (fault === 'sends the token to a third host')
              await fetch(`https://stats.third.test/event?t=${token}`, { mode: 'no-cors' })
            const socket = new WebSocket(`wss://signal.calling.test/ws?token=${token}&as=${userId}`)
            app.socket = socket
            socket.onclose = () => {
              if (app.socket === socket) connect().catch(() => undefined)
            }
          }
          if (action === 'connect') connect().catch(() => undefined)
        },
        { action, fault, user },
      )
    },
    end: () => browser.close(),
  }
}

interface Operated {
  readonly proxy: string
  readonly caFile: string
  start(): App | Promise<App>
}

/** A person who does what the console says. */
function createOperator({
  proxy,
  caFile,
  start,
}: Operated): AsyncDisposable & { readonly operator: DeviceOperator } {
  let app: App | null = null
  return {
    async operator(instruction) {
      const [, name = '', userId = ''] = /^Sign in as (\S+) \(userId (\S+)\)/.exec(instruction) ?? []
      if (name !== '') await app?.do('signIn', name, userId)
      else if (instruction.startsWith('On the device, set the HTTP proxy')) {
        const { stdout } = await promisify(execFile)('curl', ['-sS', `http://${proxy}/twotoken-ca.crt`])
        await writeFile(caFile, stdout)
      } else if (instruction === 'Restart the app, signed out.') {
        await app?.end()
        app = await start()
      } else if (instruction === 'Connect now.') await app?.do('connect')
      else if (instruction === 'Sign out now.') await app?.do('signOut')
      else await app?.do('disconnect')
    },
    async [Symbol.asyncDispose]() {
      await app?.end()
    },
  }
}

test.concurrent.each([
  ['CLI-02', 'chromium'],
  ['CLI-02', 'python'],
  ['CLI-02', 'node'],
  ['CLI-03', 'curl'],
  ['CLI-06', 'node'],
  ['CLI-18', 'python'],
  ['CLI-20', 'curl'],
] as const)('%s passes for %s', async (id, device) => {
  const { verdict, reason, findings } = await judge(id, { device })
  expect({ verdict, reason, findings }).toMatchObject({ verdict: 'pass' })
})

test.concurrent.each([
  [
    'CLI-02',
    'chromium',
    'sends the token to a third host',
    /the calling JWT in a request to a third party \(https:\/\/stats/,
  ],
  [
    'CLI-02',
    'node',
    'sends the session to signaling',
    /the sessionToken in a message or URL sent to signaling/,
  ],
  ['CLI-02', 'python', 'tells a third host', /the sessionToken in a request to a third party .*base64/],
  ['CLI-03', 'curl', 'mints itself', /POST \/api\/v1\/calling\/token on mint\.calling\.test/],
  ['CLI-06', 'node', 'reuses a refused token', /./],
  ['CLI-18', 'python', 'declares the e-mail address', /"alice@shop\.test" declared/],
  ['CLI-20', 'curl', 'follows redirects', /the sessionToken sent to another origin/],
  ['CLI-20', 'python', 'follows redirects', /the sessionToken sent to another origin/],
] as const)('%s catches %s that %s', async (id, device, fault, said) => {
  const { verdict, findings } = await judge(id, { device, fault })
  expect(verdict).toBe('fail')
  expect(findings.find((finding) => finding.verdict === 'fail')?.message).toMatch(said)
})

test.concurrent.each([
  ['CLI-03', 'curl', 'pins its statistics', /requests to stats\.third\.test could not be read: .*pins/],
  ['CLI-16', 'python', 'speaks a protocol of its own', /odd\.third\.test could not be read: .*HTTP\/1\.1/],
] as const)('%s is untested where %s %s, and the host is named', async (id, device, fault, said) => {
  const { verdict, reason } = await judge(id, { device, fault })
  expect({ verdict, reason }).toEqual({ verdict: 'untested', reason: expect.stringMatching(said) })
})

test.concurrent('forwards the hosts of forwardUnread without reading them, and records them', async () => {
  const { verdict, observations } = await judge('CLI-16', {
    device: 'curl',
    fault: 'pins its statistics',
    observe: { forwardUnread: ['stats.third.test'] },
  })
  expect({ verdict, observations }).toMatchObject({
    verdict: 'info',
    observations: { 'client.forwardedUnread': ['stats.third.test'] },
  })
})

test.concurrent.each(['curl', 'python', 'node'] as const)(
  '%s that trusts another authority is untested, and accused of nothing',
  async (device) => {
    const { verdict, reason } = await judge('CLI-03', { device, distrusts: true })
    expect({ verdict, reason }).toEqual({
      verdict: 'untested',
      reason: expect.stringMatching(
        /requests to api\.shop\.test could not be read: the device (?:ended|closed)/,
      ),
    })
  },
)

/** A stand-in for Appium: a WebDriver server whose elements are the actions of a device. */
async function startWebDriver(startApp: () => App) {
  let app: App | null = null
  let typed = ''
  const answer = async (method: string, path: string, body: string): Promise<unknown> => {
    const [, element = '', action = ''] = /^\/session\/s-1\/element\/([^/]+)\/(\w+)$/.exec(path) ?? []
    if (path === '/session') app = startApp()
    else if (path.endsWith('/element'))
      return { 'element-6066-11e4-a52e-4f735466cecf': (JSON.parse(body) as { value: string }).value }
    else if (method === 'DELETE') await app?.end()
    else if (action === 'value') typed = (JSON.parse(body) as { text: string }).text
    else if (action === 'click') await app?.do(element, ...(element === 'signIn' ? typed.split(' ') : []))
    return { sessionId: 's-1' }
  }
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const value = await answer(request.method ?? '', request.url ?? '', body)
    response.end(JSON.stringify({ value }))
  })
  const listening = await startListening(server, { host: '127.0.0.1', port: 0 })
  return {
    url: `http://127.0.0.1:${listening.port}`,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
}

/** Judges requirements, all at once, on a device that the example's driver operates. */
async function judgeOperated(ids: readonly string[], fault: string): Promise<CheckResult[]> {
  await using folder = await openTempFolder()
  await using reserved = await reservePort()
  const proxy = `127.0.0.1:${reserved.port}`
  const caFile = join(folder.path, 'ca.pem')
  await using webDriver = await startWebDriver(() => startProcess([...commands.python, fault, proxy, caFile]))
  const steps = {
    signIn: [{ type: '~user', text: '{name} {userId}' }, { tap: '~signIn' }],
    connect: [{ tap: '~connect' }],
    signOut: [{ tap: '~signOut' }],
  }
  const settings = {
    server: webDriver.url,
    capabilities: {},
    setUp: [`cp "$TWOTOKEN_CA_FILE" ca.pem && test "$TWOTOKEN_PROXY" = ${proxy}`],
    steps,
  }
  await writeFile(join(folder.path, 'appium.json'), JSON.stringify(settings))
  const command = `${process.execPath} ${join(devices, '../../examples/appium/driver.mjs')} appium.json`
  const configuration = await resolveConfiguration(
    { ...written, client: { ...written.client, command, observe: { proxy } } },
    { directory: folder.path, environment: {} },
  )
  await using session = await openSession(configuration)
  return await Promise.all(ids.map((id) => runCheck(findCheck(id, catalogue), session)))
}

test.concurrent('a program operates the device, for one requirement after the other', async () => {
  const results = await judgeOperated(['CLI-02', 'CLI-18'], '')
  expect(results).toMatchObject([{ verdict: 'pass' }, { verdict: 'pass' }])
})

test.concurrent('a program operates a device that is broken', async () => {
  const results = await judgeOperated(['CLI-02', 'CLI-18'], 'tells a third host')
  expect(results).toMatchObject([{ verdict: 'fail' }, { verdict: 'pass' }])
})
