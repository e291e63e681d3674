import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { serve } from '../base/http/testing/serve.ts'
import { openTempFolder } from '../base/temp-folder.ts'
import { resolveConfiguration } from '../configuration/load.ts'
import { createBrowserSource } from '../roles/client/page/browser.ts'
import { defineCheck } from './define.ts'
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
const server = await serve((request, response) => {
  const page = pages[request.url ?? '']
  response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page ?? 'nothing')
})
const temp = await openTempFolder()
const folder = temp.path

afterAll(async () => {
  await browsers[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await temp[Symbol.asyncDispose]()
})

/** Signs in and connects, as most requirements begin. */
const asks = defineCheck({
  id: 'CLI-01',
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

test.concurrent.each([
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
  const url = path === null ? 'http://127.0.0.1:48999' : server.url + path
  expect(await judged(url, source)).toEqual({ verdict: 'error', reason: expect.stringMatching(reason) })
})

test('a browser that cannot be started leaves the requirement untested', async () => {
  const written = { client: { url: `${server.url}/plain`, driver: 'driver.mjs', browser: 'no-browser' } }
  await writeFile(join(folder, 'driver.mjs'), driver)
  const configuration = await resolveConfiguration(written, { directory: folder, environment: {} })
  await using session = await openSession(configuration)
  expect(await runCheck(asks, session)).toMatchObject({
    verdict: 'untested',
    reason: expect.stringMatching(/client\.browser .*no-browser does not start/),
  })
})
