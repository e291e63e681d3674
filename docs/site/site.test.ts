import { execFileSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  axeFindings,
  desktop,
  openBrowser,
  phone,
  pixelsBeyond,
} from '../../src/reports/testing/open-page.ts'
import { gatherSite } from './pages.ts'

const origin = 'http://site.example'
const html = join(import.meta.dirname, '../../dist/site')
const site = await gatherSite()
const files = site.pages.map(({ path }) => path.replace(/\.md$/, '.html'))

let browser: Browser
beforeAll(async () => {
  execFileSync(process.execPath, [join(import.meta.dirname, 'build.ts')], { stdio: 'inherit' })
  browser = await openBrowser()
})
afterAll(() => browser.close())

type Look = Parameters<Browser['newContext']>[0]

/** Opens a page of the site; what it asks for elsewhere, and its errors, are complaints. */
async function open(path: string, look: Look = { viewport: desktop }) {
  const context = await browser.newContext(look)
  const complaints: string[] = []
  await context.route('**/*', async (route) => {
    const url = new URL(route.request().url())
    if (url.origin === origin) return await route.fulfill({ path: join(html, url.pathname) })
    complaints.push(`asks for ${url.href}`)
    return await route.abort()
  })
  const page = await context.newPage()
  page.on('pageerror', ({ message }) => complaints.push(message))
  await page.goto(`${origin}/${path}`)
  await page.waitForLoadState('networkidle')
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() }
}

const light = { viewport: desktop, colorScheme: 'light' } as const
const dark = { viewport: desktop, colorScheme: 'dark' } as const
const small = { viewport: phone, colorScheme: 'light' } as const

test.each([
  ['index', [light, dark, small]],
  ['requirements', [light, dark, small]],
  ['requirements/BACK-07', [light, dark]],
  ['tutorial', [light]],
  ['specification', [small]],
  ['audit', [light]],
  ['fixes/call-the-mint', [dark]],
] as const)('axe finds nothing wrong on %s', async (name, looks) => {
  for (const look of looks) {
    await using opened = await open(`${name}.html`, look)
    expect(await axeFindings(opened.page)).toEqual([])
    expect(await pixelsBeyond(opened.page)).toBeLessThanOrEqual(0)
    expect(opened.complaints).toEqual([])
  }
})

test('each page of the repository and each requirement has its page', async () => {
  const built = await readdir(html, { recursive: true })
  expect(site.ids.length).toBeGreaterThan(120)
  expect(built).toEqual(expect.arrayContaining(files))
})

test('each anchor of a link is on its page', async () => {
  const texts = new Map<string, string>()
  for (const file of files) texts.set(`/${file}`, await readFile(join(html, file), 'utf8'))
  const links = [...texts].flatMap(([from, text]) =>
    [...text.matchAll(/href="(\/[^"#]*|)#([^"]+)"/g)].map(([, to = '', anchor = '']) => ({
      to: to === '' ? from : to,
      anchor: decodeURIComponent(anchor),
    })),
  )
  expect(links.length).toBeGreaterThan(1000)
  expect(links.filter(({ to, anchor }) => !texts.get(to)?.includes(`id="${anchor}"`))).toEqual([])
})

test('the ids in a page lead to the pages of the requirements', async () => {
  await using opened = await open('requirements.html')
  await opened.page.getByRole('link', { name: 'MINT-05' }).first().click()
  await opened.page.getByRole('heading', { level: 1, name: 'MINT-05 · the mint rejects' }).waitFor()
  expect(opened.page.url()).toBe(`${origin}/requirements/MINT-05.html`)
})

test('the example is the whole report of a run with a violation', async () => {
  await using opened = await open('example/report.html')
  await opened.page.getByText('requirements are violated').first().waitFor()
  expect(opened.complaints).toEqual([])
})
