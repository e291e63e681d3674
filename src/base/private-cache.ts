import { lstat, mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { TwotokenError } from './errors.ts'

/** Where the caches of this user are: `XDG_CACHE_HOME`, or the folder that the system has for them. */
export function cacheHome(variables: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CACHE_HOME: given, LOCALAPPDATA: local } = variables
  if (given !== undefined && given !== '') return join(given, 'twotoken')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'twotoken')
  if (process.platform === 'win32' && local !== undefined) return join(local, 'twotoken', 'cache')
  return join(homedir(), '.cache', 'twotoken')
}

export interface CacheOwner {
  readonly home?: string
  /** Undefined on Windows, which has no modes: there a user's profile is private by its access list. */
  readonly user?: number | undefined
}

/**
 * A folder that outlives a run and that only this user can write or read: what is run from it was put there by
 * this user. Created with mode 0700 where it is missing.
 * @returns its absolute path
 * @throws TwotokenError `unwritable` where it cannot be made, or is another user's or open to others
 */
export async function openPrivateCache(
  name: string,
  { home = cacheHome(), user = process.geteuid?.() }: CacheOwner = {},
): Promise<string> {
  const folder = join(home, name)
  for (const path of [home, folder]) {
    await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      const { code = String(error) } = error as NodeJS.ErrnoException
      throw new TwotokenError(
        'unwritable',
        `cannot create the cache folder ${path} (${code}): make its parent writable, or set XDG_CACHE_HOME to a writable folder`,
        error,
      )
    })
    if (user !== undefined) await assertPrivate(path, user)
  }
  return folder
}

async function assertPrivate(folder: string, user: number): Promise<void> {
  const found = await lstat(folder)
  const mode = found.mode & 0o777
  if (!found.isDirectory()) throw notPrivate(folder, 'is a symbolic link')
  if (found.uid !== user) throw notPrivate(folder, `belongs to user ${found.uid}, and this is user ${user}`)
  if ((mode & 0o077) !== 0) throw notPrivate(folder, `has mode 0${mode.toString(8)}`)
}

function notPrivate(folder: string, why: string): TwotokenError {
  return new TwotokenError(
    'unwritable',
    `the cache folder ${folder} ${why}; expected a folder of this user with mode 0700: remove it, or set XDG_CACHE_HOME`,
  )
}
