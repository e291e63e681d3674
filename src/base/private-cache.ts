import { lstat, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { TwotokenError } from './errors.ts'
import { makeFolder } from './make-folder.ts'

/** Where the caches of this user are: `XDG_CACHE_HOME`, or the folder that the system has for them. */
export function cacheHome(variables: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CACHE_HOME: given, LOCALAPPDATA: local } = variables
  if (given !== undefined && given !== '') return join(given, 'twotoken')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'twotoken')
  if (process.platform === 'win32' && local !== undefined) return join(local, 'twotoken', 'cache')
  return join(homedir(), '.cache', 'twotoken')
}

/**
 * A folder that outlives a run and that only this user can write or read: what is run from it was put there by
 * this user. Created with mode 0700 where it is missing.
 * @returns its absolute path
 * @throws TwotokenError `unwritable` where it cannot be made, or another user could read, change or replace it
 */
export async function openPrivateCache(
  name: string,
  // Windows has no modes and no such user: there a user's profile is private by its access list.
  {
    home = cacheHome(),
    user = process.geteuid?.(),
  }: { readonly home?: string; readonly user?: number | undefined } = {},
): Promise<string> {
  const folder = join(home, name)
  for (const path of [home, folder]) {
    await makeFolder(path, 0o700).catch((error: unknown) => {
      const { code = String(error) } = error as NodeJS.ErrnoException
      throw new TwotokenError(
        'unwritable',
        `cannot create the cache folder ${path} (${code}): make its parent writable, or set XDG_CACHE_HOME to a writable folder`,
        error,
      )
    })
    const why = user === undefined ? null : await whyNotPrivate(path, user)
    if (why !== null) throw notPrivate(path, why)
  }
  const above = user === undefined ? null : await whyReplaceable(home, user)
  if (above !== null) throw notPrivate(home, above)
  return folder
}

/** Explains how another user can read or write a folder; null where none can. */
async function whyNotPrivate(folder: string, user: number): Promise<string | null> {
  const found = await lstat(folder)
  if (!found.isDirectory()) return 'is a symbolic link'
  if (found.uid !== user) return `belongs to user ${found.uid}, and this is user ${user}`
  return (found.mode & 0o077) === 0 ? null : `has mode ${octal(found.mode)}`
}

/** Explains how another user can put a different folder in its place; null where none can. */
async function whyReplaceable(folder: string, user: number): Promise<string | null> {
  let path = dirname(await realpath(folder))
  for (;;) {
    const { uid, mode } = await lstat(path)
    const isSticky = (mode & 0o1000) !== 0
    if (uid !== user && uid !== 0) return `is below ${path}, which belongs to user ${uid}`
    if ((mode & 0o002) !== 0 && !isSticky) return `is below ${path}, which has mode ${octal(mode)}`
    if (path === dirname(path)) return null
    path = dirname(path)
  }
}

function octal(mode: number): string {
  return `0${(mode & 0o7777).toString(8)}`
}

function notPrivate(folder: string, why: string): TwotokenError {
  return new TwotokenError(
    'unwritable',
    `the cache folder ${folder} ${why}; expected a folder of this user with mode 0700, which no other user can replace: remove it, or set XDG_CACHE_HOME`,
  )
}
