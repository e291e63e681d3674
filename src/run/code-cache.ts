import { lstatSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TwotokenError } from '../base/errors.ts'

/** The variable by which Playwright is told where it keeps what it compiles. */
const codeCacheVariable = 'PLAYWRIGHT_TRANSFORM_CACHE_DIR'

interface Group {
  readonly user?: number | undefined
  readonly group?: number | undefined
}

/**
 * Looks at the folder that Playwright has chosen by itself. The user's own group is trusted: the usual mask lets it write there.
 * @throws TwotokenError `precondition` where another user can have put code into it, which may have been run by now
 */
export function assertOwnCodeCache(
  variables: NodeJS.ProcessEnv,
  { user = process.geteuid?.(), group = process.getegid?.() }: Group = {},
): void {
  if (user === undefined) return
  const folder =
    variables[codeCacheVariable] ||
    variables['PWTEST_CACHE_DIR'] ||
    join(tmpdir(), `playwright-transform-cache-${user}`)
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found === undefined) return
  const { uid, gid, mode } = found
  const why =
    uid !== user
      ? `belongs to user ${uid}, and this is user ${user}`
      : !found.isDirectory()
        ? 'is a symbolic link'
        : (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== group)
          ? `can be written to by other users (mode 0${(mode & 0o7777).toString(8)})`
          : null
  if (why === null) return
  throw new TwotokenError(
    'precondition',
    `Playwright runs code from ${folder}, which ${why}; expected a folder of this user alone: remove it, and set ${codeCacheVariable} to a private folder. Revoke the credentials of this run if the folder is not your own doing`,
  )
}
