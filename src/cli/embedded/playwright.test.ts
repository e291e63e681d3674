import { chmod, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from 'node:process'
import { expect, test } from 'vitest'
import { folderOf } from '../../../audit/src/testing/audit-files.ts'
import { runToEnd } from '../../../fixtures/package/testing/run-to-end.ts'
import { startReference } from '../../../fixtures/stack.ts'
import { openTempFolder } from '../../base/temp-folder.ts'
import type { Variant } from '../../requirement/define.ts'

const root = join(import.meta.dirname, '../../..')

interface ProjectOptions {
  readonly variables?: NodeJS.ProcessEnv
  /** Brought up by the configuration. */
  readonly start?: { readonly command: string }
  readonly workers?: number
}

/** Runs Playwright on a project of one test file, as a user's own test run; the client is a program, without a page. */
async function project(
  client: NonNullable<Variant['client']>,
  ids: readonly string[],
  { variables = {}, start, workers = 1 }: ProjectOptions = {},
) {
  await using reference = await startReference({
    variant: { client: { form: 'program', ...client } },
    withClient: true,
  })
  const entry = join(root, 'dist/src/cli/embedded/playwright.js')
  const files = {
    'package.json': '{ "type": "module" }\n',
    'acme.yaml': JSON.stringify({ ...reference.written, start }),
    'playwright.config.ts': `export default { testDir: '.', workers: ${workers}, fullyParallel: true, timeout: 0 }\n`,
    'client.spec.ts':
      `import { test } from ${JSON.stringify(entry)}\ntest.use({ twotoken: 'acme.yaml' })\n` +
      ids.map((id) => `test('${id}', ({ requirement }) => requirement('${id}'))\n`).join(''),
  }
  await using made = await folderOf(files)
  const { folder } = made
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const cli = join(root, 'node_modules/@playwright/test/cli.js')
  return await runToEnd(process.execPath, [cli, 'test', '--reporter=line'], {
    cwd: folder,
    env: { ...env, ...variables },
  })
}

test('a violation fails its test, and says what was seen and expected', async () => {
  const { code, stdout } = await project({ variant: 'shape of the answer unchecked' }, ['CLI-05'])
  expect(stdout).toMatch(/CLI-05: saw .+; expected /)
  expect(code).toBe(1)
})

test('fails where a requirement cannot be judged', async () => {
  const { code, stdout } = await project({}, ['CLI-15', 'CLI-99'])
  expect(stdout).toContain('2 failed')
  expect(stdout).toContain('unknown requirement "CLI-99"')
  expect(code).toBe(1)
})

test('a code cache that other users can write to is refused', async () => {
  await using shared = await openTempFolder()
  await chmod(shared.path, 0o777)
  const variables = { PLAYWRIGHT_TRANSFORM_CACHE_DIR: shared.path }
  const { code, stdout } = await project({}, ['CLI-01'], { variables })
  expect(stdout).toContain(`Playwright runs code from ${shared.path}, which can be written to by other users`)
  expect(code).toBe(1)
})

test('brings up what the configuration starts, in one worker alone', async () => {
  await using folder = await openTempFolder()
  const marker = join(folder.path, 'up')
  const start = { command: `echo up >> ${marker}; sleep 300` }
  const { stdout } = await project({}, ['CLI-01', 'CLI-14'], { start, workers: 2 })
  expect(stdout).toContain('each worker of Playwright would start what start in the configuration names')
  expect(await readFile(marker, 'utf8')).toBe('up\n')
})
