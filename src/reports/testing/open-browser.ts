import { existsSync } from 'node:fs'
import { type Browser, chromium } from '@playwright/test'
import { unpackShippedBrowser } from '../../roles/client/page/shipped-browser.ts'

const ofTheSystem = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** A browser for the tests of the page: the system's, else the one that npm installed. */
export async function openBrowser(): Promise<Browser> {
  const path = ofTheSystem.find((file) => existsSync(file)) ?? (await unpackShippedBrowser())
  if (path === null) throw new Error('no browser: npm ci installs one')
  return await chromium.launch({ executablePath: path, args: ['--no-sandbox', '--no-zygote'] })
}
