import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TwotokenError } from '../base/errors.ts'

/** A temporary folder of its own for a process and all that it starts. */
export interface TempDir {
  /** The environment variables that make a process use it. */
  readonly variables: Readonly<Record<'TMPDIR' | 'TEMP' | 'TMP', string>>
  /** Resolves with the error, or null. */
  remove(): Promise<TwotokenError | null>
}

/** Browsers put sockets in it, whose paths must be short: that of macOS is too long. */
const usualFolder = process.platform === 'darwin' ? '/tmp' : tmpdir()

/** Longer than any run. Process ids are not comparable between containers, so nothing younger is removed. */
const longestRunMs = 24 * 3600 * 1000

/** Creates one, and removes those that killed runs have left. */
export async function createTempDir(temporary = usualFolder): Promise<TempDir> {
  await sweep(temporary)
  const folder = await mkdtemp(join(temporary, `tt-${process.pid}-`))
  return {
    variables: { TMPDIR: folder, TEMP: folder, TMP: folder },
    remove: () =>
      rm(folder, { recursive: true, force: true, maxRetries: 5 }).then(
        () => null,
        (error: unknown) =>
          new TwotokenError(
            'unwritable',
            `cannot remove the temporary folder ${folder}: remove it by hand, it may contain browser data`,
            error,
          ),
      ),
  }
}

async function sweep(temporary: string): Promise<void> {
  for (const name of await readdir(temporary).catch(() => [])) {
    const pid = Number(/^tt-(\d+)-\w{6}$/.exec(name)?.[1] ?? 0)
    const folder = join(temporary, name)
    if (pid === 0 || isRunning(pid) || !(await isOld(folder))) continue
    // A folder of another user cannot be removed, and stays.
    await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }
}

async function isOld(folder: string): Promise<boolean> {
  const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }))
  return Date.now() - mtimeMs > longestRunMs
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
