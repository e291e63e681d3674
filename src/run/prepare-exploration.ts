import { join, resolve } from 'node:path'
import type { Configuration } from '../configuration/configuration.ts'
import type { ExploredRole } from '../requirement/explored-roles.ts'
import { loadStarted } from './load-started.ts'
import type { RunEnvironment } from './options.ts'
import { assertWritable } from './write-artefacts.ts'

/** Configuration to explore, and the place for the results. */
export interface ExplorationPlan {
  readonly configuration: Configuration
  readonly out: string
}

/**
 * Reads the configuration and brings up what it starts; without one, the embedded reference.
 * @throws TwotokenError for everything that can be wrong before the first story
 */
export async function prepareExploration(
  role: ExploredRole,
  { config, out: wanted }: { readonly config?: string | undefined; readonly out?: string },
  { directory, variables, stderr }: RunEnvironment,
  signal: AbortSignal,
  stack: AsyncDisposableStack,
): Promise<ExplorationPlan> {
  const outOf = (folder: string) => resolve(directory, wanted ?? join(folder, 'twotoken-results'))
  if (config !== undefined) {
    const beforeStart = (draft: Configuration) => assertWritable(outOf(draft.directory))
    const loading = { variables, stderr, signal, contactedBy: [role], beforeStart }
    const { configuration } = await loadStarted(resolve(directory, config), loading, stack)
    return { configuration, out: outOf(configuration.directory) }
  }
  await assertWritable(outOf(directory))
  stderr.write('no configuration file: exploring the embedded reference stack\n')
  const { startReference } = await import('../../fixtures/stack.ts')
  const options = role === 'client' ? { withClient: true } : { signsIn: true }
  return { configuration: stack.use(await startReference(options)).configuration, out: outOf(directory) }
}
