import { access, mkdir, readFile, rename } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { openPrivateCache } from '../../../base/private-cache.ts'
import { openTempFolder } from '../../../base/temp-folder.ts'

/** Holds Chromium in its npm package, packed. A development dependency, which users may install themselves. */
const packageName = '@sparticuz/chromium'

/** The package unpacks into the temporary folder, which is a private one in the environment of this thread. */
const unpacking = `
const { parentPort, workerData } = require('node:worker_threads')
import(workerData).then(async ({ default: chromium }) => parentPort.postMessage(await chromium.executablePath()))
`

/**
 * The Chromium of the npm package, unpacked once per version into this user's cache: it is written beside, and renamed when it is
 * whole. Processes that ask for it at once unpack it each, and the first one counts.
 * @returns the path of the executable, or null where the package is not installed
 * @throws TwotokenError `unwritable` where the cache cannot be used
 */
export async function unpackShippedBrowser(): Promise<string | null> {
  const version = await installedVersion()
  if (version === null) return null
  const cache = await openPrivateCache('browsers')
  const folder = join(cache, `chromium-${version}-${process.arch}`)
  const executable = join(folder, 'chromium')
  if (!(await exists(executable))) await unpack(cache, folder)
  return executable
}

async function unpack(cache: string, folder: string): Promise<void> {
  await using beside = await openTempFolder({ parent: cache })
  const unpacked = join(beside.path, 'browser')
  await mkdir(unpacked)
  await unpackInto(unpacked)
  await rename(unpacked, folder).catch(async (error: unknown) => {
    // Another one was quicker.
    if (!(await exists(join(folder, 'chromium')))) throw error
  })
}

async function unpackInto(folder: string): Promise<void> {
  const thread = new Worker(unpacking, {
    eval: true,
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
