import { extname } from 'node:path'
import { defineConfig } from '@playwright/test'
import { taskVariable, type WorkerTask } from './worker-protocol.ts'

/** The task of `twotoken run`; absent where Playwright was started by hand. */
const written = process.env[taskVariable]
const task: WorkerTask | undefined = written === undefined ? undefined : JSON.parse(written)

/** Of this process, and of all that it starts. */
export const environment = process.env

export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: `client.playwright${extname(import.meta.filename)}`,
  ...(task === undefined ? {} : { grep: new RegExp(`\\b(?:${task.ids.join('|')})\\b`) }),
  fullyParallel: true,
  workers: task === undefined ? 2 : 1,
  retries: 0,
  // Every wait of a check has a deadline of its own.
  timeout: 0,
  outputDir: '../../twotoken-results/playwright',
  preserveOutput: 'never',
  metadata: { task, configurationFile: process.env['TWOTOKEN_CONFIG'] },
})
