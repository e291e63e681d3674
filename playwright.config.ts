import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { describedReference } from './proof/embedded/described-reference.ts'
import type { ConformanceFixtures, ConformanceOptions } from './src/cli/embedded/playwright.ts'

// `npm run check -- client`, and Playwright's tools in an editor: the client of TWOTOKEN_CONFIG, else of the embedded reference.

const file = process.env['TWOTOKEN_CONFIG']
const rooms = ['src', 'suites', 'fixtures', 'audit', 'proof']

export default defineConfig<ConformanceFixtures, ConformanceOptions>({
  testDir: 'proof/embedded',
  testMatch: '*.spec.ts',
  use: { twotoken: file ?? describedReference },
  ...(file === undefined ? { globalSetup: './proof/embedded/start-reference.ts' } : {}),
  // Node reads the suite's own files as they are. Files of users, such as a driver, are transpiled.
  build: { external: rooms.map((room) => join(import.meta.dirname, room, '**')) },
  fullyParallel: true,
  workers: 4,
  retries: 0,
  // A requirement has a deadline for every wait.
  timeout: 0,
  outputDir: 'twotoken-results/playwright/output',
  preserveOutput: 'never',
})
