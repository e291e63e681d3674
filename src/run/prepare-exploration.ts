import { join, resolve } from 'node:path'
import type { Configuration } from '../configuration/configuration.ts'
import { loadConfiguration } from '../configuration/load.ts'
import type { ExploredRole } from '../requirement/explored-roles.ts'
import type { RunEnvironment } from './options.ts'
import { provision } from './provision/provision.ts'
import { assertWritable } from './write-artefacts.ts'

/** What is explored, and where the results go. */
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
  { config, out: wanted }: { readonly config?: string; readonly out?: string },
  { directory, variables, stderr }: RunEnvironment,
  signal: AbortSignal,
  stack: AsyncDisposableStack,
): Promise<ExplorationPlan> {
  const written = await configurationOf(role, config, { directory, variables, stderr, signal }, stack)
  const folder = config === undefined ? directory : written.directory
  const out = resolve(directory, wanted ?? join(folder, 'twotoken-results'))
  await assertWritable(out)
  const provisioned = await provision(written, false, { variables, stderr, signal })
  if (provisioned !== null) stack.use(provisioned)
  return { configuration: provisioned?.configuration ?? written, out }
}

async function configurationOf(
  role: ExploredRole,
  config: string | undefined,
  {
    directory,
    variables,
    stderr,
    signal,
  }: Pick<RunEnvironment, 'directory' | 'variables' | 'stderr'> & { readonly signal: AbortSignal },
  stack: AsyncDisposableStack,
): Promise<Configuration> {
  if (config !== undefined) return await loadConfiguration(resolve(directory, config), variables, { signal })
  stderr.write('no configuration file: exploring the embedded reference stack\n')
  const { startReference } = await import('../../fixtures/stack.ts')
  return stack.use(await startReference(role === 'client' ? { withClient: true } : { signsIn: true }))
    .configuration
}
