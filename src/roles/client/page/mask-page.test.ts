import { afterAll, expect, test } from 'vitest'
import { createMask } from '../../../base/evidence/mask.ts'
import { createBrowserSource } from './browser.ts'
import { maskPage, unreadable } from './mask-page.ts'

const browsers = createBrowserSource({})
afterAll(() => browsers[Symbol.asyncDispose]())

const unknown = 'q8Zk3vWmX2'

test('a picture of a page shows its words, and nothing of what is not known', async () => {
  await using opened = await browsers.openContext({
    connecting: () => undefined,
    request: (_, __, response) => void response.writeHead(204).end(),
    upgrade: (_, __, stream) => void stream.destroy(),
  })
  const page = await opened.browserContext.newPage()
  await page.setContent(`
    <h1>Signed in as ${unknown}</h1>
    <input value="${unknown}"><canvas></canvas><iframe srcdoc="${unknown}"></iframe>
    <x-open></x-open><x-closed></x-closed>
    <script>
      document.querySelector('x-open').attachShadow({ mode: 'open' }).innerHTML = '<p>open ${unknown}</p><input>'
      document.querySelector('x-closed').attachShadow({ mode: 'closed' }).innerHTML = '<p>closed ${unknown}</p>'
    </script>`)
  await maskPage(page, createMask({ fingerprintKey: 'a key' }).text)
  expect(await page.locator('h1').innerText()).toMatch(/^Signed in as ‹10 characters #\w{4}›$/)
  expect(await page.locator('x-open p').innerText()).toMatch(/^open ‹10 characters #\w{4}›$/)
  const painted = await page
    .locator(unreadable)
    .evaluateAll((all) => all.map(({ tagName }) => tagName).toSorted())
  expect(painted).toEqual(['CANVAS', 'IFRAME', 'INPUT', 'INPUT', 'X-CLOSED'])
})
