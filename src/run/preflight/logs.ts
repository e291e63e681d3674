import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Problem } from './problem.ts'

/**
 * Finds files of `logs` that cannot be read. Called once the parts were asked. A log that begins with its first line may
 * still be missing then, but not its folder.
 */
export async function findLogProblems(files: readonly string[]): Promise<Problem[]> {
  const found = await Promise.all(
    files.map(async (file, place): Promise<Problem[]> => {
      const unread = await whyUnread(file)
      if (unread === null) return []
      const message = `logs.${place} (${file}) ${unread.why}; expected the log file of a part: correct the path, or remove the line`
      return [{ part: 'logs', kind: 'environment', message, fatal: unread.isLasting }]
    }),
  )
  return found.flat()
}

async function whyUnread(file: string): Promise<{ why: string; isLasting: boolean } | null> {
  const code = await errorOf(access(file, constants.R_OK))
  if (code === null) return (await stat(file)).isDirectory() ? { why: 'is a folder', isLasting: true } : null
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR'
  return {
    why: isMissing ? 'does not exist' : `cannot be read (${code})`,
    isLasting: !isMissing || (await errorOf(access(dirname(file)))) !== null,
  }
}

async function errorOf(done: Promise<void>): Promise<string | null> {
  return await done.then(
    () => null,
    (error: NodeJS.ErrnoException) => error.code ?? 'unknown error',
  )
}
