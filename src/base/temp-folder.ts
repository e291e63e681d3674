import { lstat, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TwotokenError } from './errors.ts'
import { hasEnded, identifyProcess } from './process-identity.ts'

const name = /^tt-\w{6}$/
const ownerFile = '.owner'

/** Longer than any run: what a process elsewhere has made is kept so long, since it cannot be asked about. */
const longestRunMs = 24 * 3600 * 1000

/**
 * Makes a folder of this process with an unknown name and mode 0700; disposing of it removes it. Also removes those that ended
 * processes of this user have left: they may contain keys, sessions and what a browser saw.
 * @throws TwotokenError where none can be made
 */
export async function openTempFolder({
  parent = tmpdir(),
  user = process.geteuid?.(),
}: {
  readonly parent?: string
  readonly user?: number | undefined
} = {}) {
  const sweeping = swept.get(parent) ?? sweep(parent, user)
  swept.set(parent, sweeping)
  await sweeping
  const path = await mkdtemp(join(parent, 'tt-')).catch((error: NodeJS.ErrnoException) => {
    const remedy = 'set TMPDIR (TEMP on Windows) to a folder that is there and can be written'
    throw new TwotokenError(
      'precondition',
      `${parent}: no temporary folder (${error.code}); ${remedy}`,
      error,
    )
  })
  await writeFile(join(path, ownerFile), await identifyProcess())
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** By the folder that is swept: once for each process is enough, and a run opens hundreds of folders. */
const swept = new Map<string, Promise<void>>()

async function sweep(parent: string, user: number | undefined): Promise<void> {
  for (const entry of await readdir(parent).catch(() => [])) {
    const folder = join(parent, entry)
    if (!name.test(entry) || !(await isLeft(folder, user))) continue
    await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** Says whether an ended process of this user left the folder. One that others can write to may hold a link elsewhere. */
async function isLeft(folder: string, user: number | undefined): Promise<boolean> {
  const found = await lstat(folder).catch(() => null)
  if (found === null || !found.isDirectory()) return false
  if (user !== undefined && (found.uid !== user || (found.mode & 0o077) !== 0)) return false
  const owner = await readFile(join(folder, ownerFile), 'utf8').catch(() => null)
  if (owner === null) return false
  return (await hasEnded(owner)) ?? Date.now() - found.mtimeMs > longestRunMs
}
