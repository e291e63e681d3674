import { readFile } from 'node:fs/promises'
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
