import { once } from 'node:events'
import { extname, join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { taskVariable, type WorkerTask } from './worker-protocol.ts'

/** The task of `twotoken run`; absent where Playwright was started by hand, and in its workers, which it tells itself. */
const task = process.env[taskVariable] === undefined ? undefined : await receiveTask()

const root = join(import.meta.dirname, '../..')

/** Variables of this process, and of every process that it starts. */
export const environment = process.env

export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: `client.playwright${extname(import.meta.filename)}`,
  grep: new RegExp(task === undefined ? '' : `\\b(?:${task.ids.join('|')})\\b`),
  // Node reads the suite's own files as they are. Files of users, such as a driver, are transpiled.
  build: { external: ['src', 'suites', 'fixtures', 'audit'].map((room) => join(root, room, '**')) },
  fullyParallel: true,
  workers: task === undefined ? 2 : 1,
  retries: 0,
  // Every wait of a check has a deadline of its own.
  timeout: 0,
  outputDir: '../../twotoken-results/playwright',
  preserveOutput: 'never',
  metadata: { task, configurationFile: process.env['TWOTOKEN_CONFIG'] },
})

async function receiveTask(): Promise<WorkerTask> {
  delete process.env[taskVariable]
  const [message] = await once(process, 'message')
  return message as WorkerTask
}
