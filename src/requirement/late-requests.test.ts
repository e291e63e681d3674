import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serve } from '../base/http/testing/serve.ts'
import { openTempFolder } from '../base/temp-folder.ts'
import { resolveConfiguration } from '../configuration/load.ts'
import { defineCheck } from './define.ts'
import { runCheck } from './run.ts'
import { openSession } from './session.ts'

const report = `fetch('https://metrics.third-party.example/setup', { method: 'POST', mode: 'no-cors', body: 'the key' })`
/** As on a busy machine. */
const late = {
  'a request that is three seconds on its way': {
    script: report,
    open: `await page.route('**/setup', (route) => setTimeout(() => route.continue(), 3000))`,
  },
  'what follows from an answer that is three seconds on its way': {
    script: `fetch('/state').then(() => ${report})`,
    open: `await page.route('**/state', async (route) => {
      const response = await route.fetch()
      setTimeout(() => route.fulfill({ response }), 3000)
    })`,
  },
}
const driverThat = (open: string) => `
  export const open = async (page) => {
    ${open}
    await page.goto(location)
  }
  export const signIn = async (page) => {}
  export const connect = async (page) => {}
  export const signOut = async (page) => {}
`

test.each(Object.entries(late))('%s is waited for, and seen', async (_, page) => {
  const { requests } = await observe(page)
  expect(requests).toContain('POST metrics.third-party.example the key')
})

test('the suite captures a request that breaks on its way, and none that the page gives up', async () => {
  const { captured } = await observe({
    script: `
      ${report}
      const given = new AbortController()
      fetch('https://never.example/', { method: 'POST', mode: 'no-cors', body: 'nothing', signal: given.signal })
      given.abort()`,
    open: `
      await page.route('**/setup', (route) => route.abort('connectionreset'))
      // Kept from the network, which it could reach before the page gives it up.
      await page.route('https://never.example/', () => {})`,
  })
  expect(captured.filter((text) => text.includes('the key'))).toEqual([
    expect.stringMatching(/^other hosts: https:\/\/metrics\.third-party\.example\/setup/),
  ])
  expect(captured.filter((text) => text.includes('never.example/')).join()).toBe('')
})

interface ObservedPage {
  readonly script: string
  /** Code that the driver runs before it opens the page. */
  readonly open: string
}

/** Opens a page, waits until it is quiet, and returns the suite's observations. */
async function observe({ script, open }: ObservedPage) {
  const page = `<!doctype html><script>${script}</script>`
  await using server = await serve((_, response) => response.setHeader('content-type', 'text/html').end(page))
  const url = `${server.url}/`
  await using folder = await openTempFolder()
  await writeFile(join(folder.path, 'driver.mjs'), driverThat(open).replace('location', JSON.stringify(url)))
  let requests: readonly string[] = []
  let captured: readonly string[] = []
  const check = defineCheck({
    id: 'CLI-03',
    level: 'MUST',
    kind: 'positive',
    clauses: [],
    title: 'sends something',
    why: '',
    how: { does: [] },
    needs: ['client'],
    async run({ client }, judge) {
      await using app = await client.open()
      await app.waitForQuiet()
      requests = app
        .requests()
        .map((request) => `${request.method} ${new URL(request.url).hostname} ${request.body}`)
      captured = (await app.capture())
        .filter(({ place }) => place === 'other hosts')
        .map(({ place, text }) => `${place}: ${text}`)
      judge.passed()
    },
  })
  const configuration = await resolveConfiguration(
    { client: { url, driver: 'driver.mjs' } },
    { directory: folder.path, environment: {} },
  )
  await using session = await openSession(configuration)
  expect(await runCheck(check, session)).toMatchObject({ verdict: 'pass' })
  return { requests, captured }
}
