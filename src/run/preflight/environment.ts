import { constants } from 'node:fs'
import { access, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { listWithheld } from '../../base/given-environment.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import type { Problem } from './problem.ts'

/** A driver or an adapter that reads a variable which is set for the command and withheld from its programs. */
export async function findEnvironmentProblems(configuration: Configuration): Promise<Problem[]> {
  const { client, signaling } = configuration
  const access = signaling?.access
  const adapter = access !== undefined && 'adapter' in access ? access.adapter : undefined
  const modules = [
    { part: 'client', key: 'client.driver', file: client?.driver },
    { part: 'signaling', key: 'signaling.adapter', file: adapter },
  ] as const
  const found = await Promise.all(
    modules.map(async ({ part, key, file }): Promise<Problem[]> => {
      if (file === undefined) return []
      const names = listWithheld(await readFile(file, 'utf8').catch(() => ''), configuration)
      if (names.length === 0) return []
      const message = `${key} reads ${names.join(', ')}, which it does not receive: list ${names.length === 1 ? 'it' : 'them'} in environment`
      return [{ part, kind: 'environment', message, fatal: false }]
    }),
  )
  return found.flat()
}

/** Files of `logs` that cannot be read once the parts were asked. The first line may create one in a folder that exists. */
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
