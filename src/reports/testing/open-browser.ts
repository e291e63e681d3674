import { type Browser, chromium } from '@playwright/test'
import { unpackShippedBrowser } from '../../roles/client/page/shipped-browser.ts'

/** The browser that npm installed, for the tests of pages: the same on each machine. */
export async function openBrowser(): Promise<Browser> {
  const path = await unpackShippedBrowser()
  if (path === null) throw new Error('no browser: npm ci installs one')
  return await chromium.launch({ executablePath: path, args: ['--no-sandbox', '--no-zygote'] })
}
