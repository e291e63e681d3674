import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TwotokenError } from '../base/errors.ts'

/** A temporary folder of its own for a process and all that it starts. */
export interface Aside {
  /** What tells a process to use it. */
  readonly variables: Readonly<Record<'TMPDIR' | 'TEMP' | 'TMP', string>>
  /** What went wrong, or null. */
  remove(): Promise<TwotokenError | null>
}

/** Browsers have sockets in it, whose names must be short: that of macOS is long. */
const usual = process.platform === 'darwin' ? '/tmp' : tmpdir()

/** Runs take less; where process ids are not comparable, as between containers, nothing younger is touched. */
const surelyOverMs = 24 * 3600 * 1000

/** What a killed run has left is removed on the way. */
export async function putAside(temporary = usual): Promise<Aside> {
  await sweep(temporary)
  const folder = await mkdtemp(join(temporary, `tt-${process.pid}-`))
  return {
    variables: { TMPDIR: folder, TEMP: folder, TMP: folder },
    remove: () =>
      rm(folder, { recursive: true, force: true, maxRetries: 5 }).then(
        () => null,
        (error: unknown) =>
          new TwotokenError('unwritable', `remove ${folder} by hand: it may hold what browsers saw`, error),
      ),
  }
}

async function sweep(temporary: string): Promise<void> {
  for (const name of await readdir(temporary).catch(() => [])) {
    const pid = Number(/^tt-(\d+)-\w{6}$/.exec(name)?.[1] ?? 0)
    const folder = join(temporary, name)
    if (pid === 0 || isRunning(pid) || !(await isOld(folder))) continue
    // Somebody else's folder stays.
    await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }
}

async function isOld(folder: string): Promise<boolean> {
  const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }))
  return Date.now() - mtimeMs > surelyOverMs
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
