import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { reservePort } from '../../fixtures/reserve-port.ts'
import { serve } from '../base/http/testing/serve.ts'
import { openTempFolder } from '../base/temp-folder.ts'
import { findCheck, loadCatalogue } from '../catalogue/load-requirements.ts'
import { resolveConfiguration } from '../configuration/load.ts'
import { type CheckResult, runCheck } from '../requirement/run.ts'
import { openSession } from '../requirement/session.ts'
import type { DeviceOperator } from '../roles/client/device/manual-device.ts'

const catalogue = await loadCatalogue(['client'])
const devices = join(import.meta.dirname, 'testing/devices')
const commands = {
  curl: ['sh', join(devices, 'device.sh')],
  python: ['python3', join(devices, 'device.py')],
} as const

interface Behind {
  readonly device: keyof typeof commands
  readonly fault?: string
  /** It was never told to trust the authority. */
  readonly distrusts?: boolean
  readonly observe?: Readonly<Record<string, unknown>>
}

/** Judges one requirement on a device that an operator leads as the console says. */
async function judge(id: string, { device, fault = '', distrusts, observe }: Behind): Promise<CheckResult> {
  await using folder = await openTempFolder()
  await using reserved = await reservePort()
  const proxy = `127.0.0.1:${reserved.port}`
  const configuration = await resolveConfiguration(
    { ...written, client: { ...written.client, observe: { proxy, ...observe } } },
    { directory: folder.path, environment: {} },
  )
  const caFile = join(folder.path, 'ca.pem')
  const trusted = distrusts === true ? [] : [caFile]
  await using person = createOperator(proxy, caFile, () =>
    startProcess([...commands[device], fault, proxy, ...trusted]),
  )
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

function createOperator(
  proxy: string,
  caFile: string,
  start: () => App,
): AsyncDisposable & { readonly operator: DeviceOperator } {
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
        app = start()
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
  ['CLI-02', 'python'],
  ['CLI-03', 'curl'],
  ['CLI-06', 'python'],
  ['CLI-18', 'python'],
  ['CLI-20', 'curl'],
] as const)('%s passes for %s', async (id, device) => {
  const { verdict, reason, findings } = await judge(id, { device })
  expect({ verdict, reason, findings }).toMatchObject({ verdict: 'pass' })
})

test.concurrent.each([
  ['CLI-02', 'python', 'sends the session to signaling', /the sessionToken in a message or URL sent to sign/],
  ['CLI-02', 'python', 'tells a third host', /the sessionToken in a request to a third party .*base64/],
  ['CLI-03', 'curl', 'mints itself', /POST \/api\/v1\/calling\/token on mint\.calling\.test/],
  ['CLI-06', 'python', 'reuses a refused token', /more handshakes with the same calling JWT/],
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

test.concurrent.each(['curl', 'python'] as const)(
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
  return await serve(async (request, response) => {
    const body = await text(request)
    const value = await answer(request.method ?? '', request.url ?? '', body)
    response.end(JSON.stringify({ value }))
  })
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
  const command = `${process.execPath} ${join(import.meta.dirname, '../../examples/appium/driver.mjs')} appium.json`
  const configuration = await resolveConfiguration(
    { ...written, client: { ...written.client, command, observe: { proxy } } },
    { directory: folder.path, environment: {} },
  )
  await using session = await openSession(configuration)
  return await Promise.all(ids.map((id) => runCheck(findCheck(id, catalogue), session)))
}

test.concurrent.each([
  ['works', '', ['pass', 'pass']],
  ['is broken', 'tells a third host', ['fail', 'pass']],
])('a program operates a device that %s, for one requirement after the other', async (_, fault, expected) => {
  const results = await judgeOperated(['CLI-02', 'CLI-18'], fault)
  expect(results.map(({ verdict }) => verdict)).toEqual(expected)
})
