import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const module = join(import.meta.dirname, 'shipped-browser.ts')
const script = `import { unpackShippedBrowser } from ${JSON.stringify(module)}
process.stdout.write(String(await unpackShippedBrowser()))`
/** It is killed when the browser is unpacked, and has no name yet. */
const dyingScript = `import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
fs.rename = () => process.kill(process.pid, 'SIGKILL')
syncBuiltinESMExports()
${script}`

/** A process that asks for the browser, with a cache and a temporary folder of the test's. */
const ask = (folder: string, asking = script) =>
  promisify(execFile)(process.execPath, ['--input-type=module', '-e', asking], {
    env: { ...env, XDG_CACHE_HOME: join(folder, 'cache'), TMPDIR: join(folder, 'tmp') },
  })

test('processes that ask at once get the same one, and nothing is left, not even of one that was killed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'twotoken-browser-'))
  const cache = join(folder, 'cache', 'twotoken', 'browsers')
  try {
    await mkdir(cache, { recursive: true, mode: 0o700 })
    await mkdir(join(folder, 'tmp'))
    await expect(ask(folder, dyingScript)).rejects.toMatchObject({ signal: 'SIGKILL' })
    expect(await readdir(cache)).toHaveLength(1)

    const asked = await Promise.all([ask(folder), ask(folder), ask(folder)])
    const [path = '', ...others] = new Set(asked.map(({ stdout }) => stdout))
    expect(others).toEqual([])
    expect(await readdir(cache)).toEqual([basename(dirname(path))])
    expect(await readdir(join(folder, 'tmp'))).toEqual([])
    const { stdout } = await promisify(execFile)(path, ['--version'])
    expect(stdout).toMatch(/^Chromium \d+/)

    const { mtimeMs, ino } = await stat(path)
    expect((await ask(folder)).stdout).toBe(path)
    expect(await stat(path)).toMatchObject({ mtimeMs, ino })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
