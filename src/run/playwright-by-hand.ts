import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import { chooseCodeCache, codeCacheVariable } from './code-cache.ts'
import { environment } from './playwright-settings.ts'
import { createTempDir } from './temp-dir.ts'

// `npm run test:client`: Playwright's own command line for the checks of the client, with its folders private.
const cli = createRequire(import.meta.url).resolve('@playwright/test/cli')
const settings = join(import.meta.dirname, `playwright-settings${extname(import.meta.filename)}`)
const tempDir = await createTempDir()
const [command = 'test', ...options] = process.argv.slice(2).filter((word) => word !== '--')
const isCommand = !command.startsWith('-')
const child = fork(
  cli,
  [isCommand ? command : 'test', '--config', settings, ...(isCommand ? [] : [command]), ...options],
  { env: { [codeCacheVariable]: await chooseCodeCache(tempDir), ...environment, ...tempDir.variables } },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
const [code] = await once(child, 'exit')
await tempDir.remove()
process.exitCode = typeof code === 'number' ? code : 1
