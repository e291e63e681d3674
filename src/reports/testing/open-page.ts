import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium, type Page } from '@playwright/test'
import axe from 'axe-core'
import { expect } from 'vitest'
import { openTempFolder } from '../../base/temp-folder.ts'
import { unpackShippedBrowser } from '../../roles/client/page/shipped-browser.ts'

export type Look = Pick<
  NonNullable<Parameters<Browser['newContext']>[0]>,
  'viewport' | 'colorScheme' | 'javaScriptEnabled'
>

export const desktop = { width: 1200, height: 900 }
export const phone = { width: 375, height: 740 }
export const unfold = `for (const fold of document.querySelectorAll('details')) fold.open = true`

/** The browser that npm installed, for the tests of pages: the same on each machine. */
export async function openBrowser(): Promise<Browser> {
  const path = await unpackShippedBrowser()
  if (path === null) throw new Error('no browser: npm ci installs one')
  return await chromium.launch({ executablePath: path, args: ['--no-sandbox', '--no-zygote'] })
}

export type PageOpener = Awaited<ReturnType<typeof createPageOpener>>

export async function createPageOpener() {
  const browser = await openBrowser()
  const folder = await openTempFolder()
  return {
    /** Opens a page as a file, as readers do. Complaints are messages on the console, errors, and requests to the network. */
    async open(html: string, look: Look = {}) {
      const file = join(folder.path, `${crypto.randomUUID()}.html`)
      await writeFile(file, html)
      const context = await browser.newContext(look)
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('console', (message) => complaints.push(message.text()))
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('request', (request) => {
        if (request.url() !== pathToFileURL(file).href) complaints.push(`asks for ${request.url()}`)
      })
      await page.goto(pathToFileURL(file).href)
      return { page, complaints, [Symbol.asyncDispose]: () => context.close() }
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** Lists the findings of axe, one line per element. The page's policy keeps axe from being added as a script. */
export async function axeFindings(page: Page): Promise<string[]> {
  const run = `${axe.source}; axe.run(document, { resultTypes: ['violations'] })`
  const results = await page.evaluate<axe.AxeResults>(run)
  expect(results.passes.length).toBeGreaterThan(20)
  return results.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

/** How much wider the page is than the window, in pixels. */
export async function pixelsBeyond(page: Page): Promise<number> {
  return await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
}
