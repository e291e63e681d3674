import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ControlLost } from '../base/inconclusive.ts'
import { resolveConfiguration } from '../configuration/load.ts'
import { createBrowserSource } from '../roles/client/page/browser.ts'
import { defineCheck } from './define.ts'
import type { Judge } from './judge.ts'
import { runCheck } from './run.ts'
import { openSession } from './session.ts'

const pages: Readonly<Record<string, string>> = {
  '/plain': '<!doctype html><h1>An app without a button</h1>',
  '/reloads': '<!doctype html><script>location.reload()</script>',
}
const driver = `
  export const signIn = async (page) => {}
  export const connect = async (page) => {}
  export const signOut = async (page) => {}
`
const browsers = createBrowserSource({})
const server = createServer((request, response) => {
  const page = pages[request.url ?? '']
  response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page ?? 'nothing')
})
let folder = ''
let origin = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'twotoken-pages-'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await browsers[Symbol.asyncDispose]()
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

/** Signs in and connects, as most requirements begin. */
const asks = defineCheck({
  id: 'CLI-01',
  role: 'client',
  level: 'MUST',
  kind: 'positive',
  clauses: [],
  title: 'asks its backend',
  why: '',
  how: { does: [] },
  needs: ['client'],
  async run({ client }, judge) {
    await using app = await client.open()
    await app.signIn()
    await app.connect()
    await app.waitForTokenCall()
    judge.passed()
  },
})

async function judged(url: string, source: string, name = `${crypto.randomUUID()}.mjs`) {
  await writeFile(join(folder, name), source)
  const written = { client: { url, driver: name }, limits: { clientSettleSeconds: 2 } }
  const configuration = await resolveConfiguration(written, { directory: folder, environment: {} })
  await using session = await openSession(configuration, { browsers })
  const { verdict, reason } = await runCheck(asks, session)
  return { verdict, reason }
}

test.each([
  ['a page that is not there', '/gone', driver, /the page .* does not load: it returned 404/],
  ['an address where no server listens', null, driver, /the page .* does not load: .*ECONNREFUSED/],
  ['a page that reloads for ever', '/reloads', driver, /keeps loading itself/],
  ['an app that does nothing', '/plain', driver, /did not call its token route within \d+ s/],
  [
    'a driver that throws',
    '/plain',
    `${driver.replace('signIn = async (page) => {}', 'signIn = async () => { throw new Error("no such user") }')}`,
    /driver\.signIn failed: no such user/,
  ],
  [
    'a driver that finds no button',
    '/plain',
    driver.replace(
      'connect = async (page) => {}',
      "connect = (page) => page.getByRole('button').click({ timeout: 500 })",
    ),
    /driver\.connect failed: locator\.click: Timeout 500ms exceeded/,
  ],
  [
    'an app that crashes',
    '/plain',
    driver.replace(
      'connect = async (page) => {}',
      "connect = (page) => page.goto('chrome://crash').catch(() => undefined)",
    ),
    /the page crashed/,
  ],
  ['a driver without an export', '/plain', driver.replace('signOut', 'logOut'), /does not export signOut/],
  ['a driver that does not parse', '/plain', 'export const signIn = (', /cannot be loaded/],
])('%s is an error that names the step, and fails no requirement', async (_, path, source, reason) => {
  const url = path === null ? 'http://127.0.0.1:48999' : origin + path
  expect(await judged(url, source)).toEqual({ verdict: 'error', reason: expect.stringMatching(reason) })
})

test('a browser that cannot be started leaves the requirement untested', async () => {
  const written = { client: { url: `${origin}/plain`, driver: 'driver.mjs', browser: 'no-browser' } }
  await writeFile(join(folder, 'driver.mjs'), driver)
  const configuration = await resolveConfiguration(written, { directory: folder, environment: {} })
  await using session = await openSession(configuration)
  expect(await runCheck(asks, session)).toMatchObject({
    verdict: 'untested',
    reason: expect.stringMatching(/client\.browser .*no-browser does not start/),
  })
})

/**
 * Runs checks together. The first `stumbling` ones fail to sign in on their first try. Resolves to the
 * verdict and the number of tries of each.
 */
async function judgedTogether(
  checks: number,
  stumbling: number,
  succeed: (judge: Judge) => void = (judge) => judge.passed(),
) {
  const name = `${crypto.randomUUID()}.mjs`
  await writeFile(join(folder, name), driver)
  const configuration = await resolveConfiguration(
    { client: { url: `${origin}/plain`, driver: name } },
    { directory: folder, environment: {} },
  )
  await using session = await openSession(configuration, { browsers })
  const run = async (index: number) => {
    let tries = 0
    const check: typeof asks = {
      ...asks,
      id: `CLI-9${index}`,
      run(_, judge) {
        tries += 1
        if (tries === 1 && index < stumbling) return Promise.reject(new ControlLost('signIn took too long'))
        succeed(judge)
        return Promise.resolve()
      },
    }
    const { verdict } = await runCheck(check, session)
    return { verdict, tries }
  }
  return await Promise.all(Array.from({ length: checks }, (_, index) => run(index)))
}

test('a check of a client that lost its control is tried once more, alone', async () => {
  expect(await judgedTogether(3, 1)).toEqual([
    { verdict: 'pass', tries: 2 },
    { verdict: 'pass', tries: 1 },
    { verdict: 'pass', tries: 1 },
  ])
})

test('a client that loses most controls is not driven twice as long', async () => {
  const judgements = await judgedTogether(6, 5)
  expect(judgements.filter(({ verdict }) => verdict === 'error')).toHaveLength(2)
  expect(judgements.map(({ tries }) => tries).toSorted()).toEqual([1, 1, 1, 2, 2, 2])
})

test('a check that did not open the client says nothing about it', async () => {
  const judgements = await judgedTogether(3, 2, (judge) => judge.notApplicable('no page'))
  expect(judgements.map(({ tries }) => tries).toSorted()).toEqual([1, 1, 2])
})

test('a client that works when it is tried once more is given the other second tries', async () => {
  expect(await judgedTogether(2, 2)).toEqual([
    { verdict: 'pass', tries: 2 },
    { verdict: 'pass', tries: 2 },
  ])
})

test('a client that never works costs one second try', async () => {
  const judgements = await judgedTogether(3, 0, () => {
    throw new ControlLost('signIn took too long')
  })
  expect(judgements.map(({ verdict }) => verdict)).toEqual(['error', 'error', 'error'])
  expect(judgements.map(({ tries }) => tries).toSorted()).toEqual([1, 1, 2])
})
