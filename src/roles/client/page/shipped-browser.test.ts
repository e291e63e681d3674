import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, stat, watch } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const module = join(import.meta.dirname, 'shipped-browser.ts')
const script = `import { unpackShippedBrowser } from ${JSON.stringify(module)}
process.stdout.write(String(await unpackShippedBrowser()))`

/** A process that asks for the browser, with a cache and a temporary folder of the test's. */
const ask = (folder: string) =>
  promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...env, XDG_CACHE_HOME: join(folder, 'cache'), TMPDIR: join(folder, 'tmp') },
  })

test('eight processes that ask at once unpack it once, also when the first is killed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'twotoken-browser-'))
  const cache = join(folder, 'cache', 'twotoken', 'browsers')
  try {
    await mkdir(cache, { recursive: true, mode: 0o700 })
    await mkdir(join(folder, 'tmp'))
    const begun = new Set<string>()
    const names = watch(cache, { signal: AbortSignal.timeout(100_000) })
    const asking = Array.from({ length: 8 }, () => ask(folder))
    const allEnded = Promise.allSettled(asking)
    const killed = Promise.withResolvers<number>()
    const watching = (async () => {
      for await (const { filename } of names) {
        const writer = Number(/\.unpacking-(\d+)-/.exec(filename ?? '')?.[1] ?? 0)
        if (writer === 0 || begun.has(filename ?? '')) continue
        begun.add(filename ?? '')
        if (begun.size === 1) {
          asking.find(({ child }) => child.pid === writer)?.child.kill('SIGKILL')
          killed.resolve(writer)
        }
      }
    })().catch(() => undefined)
    await killed.promise
    const outcomes = await allEnded
    const paths = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value.stdout : []))
    expect(paths).toHaveLength(7)
    const [path = ''] = paths
    expect(new Set(paths).size).toBe(1)

    // One that was killed, and one that did the work; nothing of either is left.
    expect(begun.size).toBe(2)
    expect(await readdir(cache)).toHaveLength(1)
    expect(await readdir(join(folder, 'tmp'))).toEqual([])
    const { stdout } = await promisify(execFile)(path, ['--version'])
    expect(stdout).toMatch(/^Chromium \d+/)

    const { mtimeMs, ino } = await stat(path)
    expect((await ask(folder)).stdout).toBe(path)
    expect(await stat(path)).toMatchObject({ mtimeMs, ino })
    expect(begun.size).toBe(2)
    void watching
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
