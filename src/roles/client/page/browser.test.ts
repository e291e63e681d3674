import { execFile } from 'node:child_process'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openTempFolder } from '../../../base/temp-folder.ts'
import { browserEnvironment } from './browser.ts'
import { findBrowserSandbox, writeSandboxedProgram } from './browser-sandbox.ts'

const run = promisify(execFile)
const sandbox = await findBrowserSandbox()

test('a user who is not root needs nothing, and root a namespace or a warning', () => {
  const isRoot = process.platform === 'linux' && process.geteuid?.() === 0
  expect(isRoot ? ['by user namespace', 'none'] : ['usual']).toContain(sandbox)
})

test.runIf(sandbox === 'by user namespace')(
  'a program of root runs as another user, and reads what root can',
  async () => {
    await using folder = await openTempFolder()
    const [program, secret] = [join(folder.path, "it's a browser"), join(folder.path, 'profile')]
    await writeFile(program, '#!/bin/sh\nid -u; cat "$1"\n')
    await chmod(program, 0o700)
    await writeFile(secret, 'own file', { mode: 0o600 })
    const sandboxed = await writeSandboxedProgram(program)
    const { stdout } = await run(sandboxed.path, [secret])
    expect(stdout).toBe('1000\nown file')
    await sandboxed[Symbol.asyncDispose]()
    await expect(readFile(sandboxed.path)).rejects.toThrow('ENOENT')
  },
)

test('a browser gets what it runs with, and no credential of the suite', () => {
  const needed = {
    PATH: '/bin',
    HOME: '/root',
    LANG: 'C',
    LC_ALL: 'C',
    DISPLAY: ':0',
    XDG_RUNTIME_DIR: '/run',
    SystemRoot: 'C:\\Windows',
  }
  expect(
    browserEnvironment({
      ...needed,
      MINT_KEY: 'a key',
      HTTPS_PROXY: 'http://u:p@proxy',
      NODE_OPTIONS: '-r x',
    }),
  ).toEqual(needed)
})
